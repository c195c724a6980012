import { OPERATOR } from "../../../src/core/actor.js";
import { FIRST_PLACE } from "../../../src/core/feed/feed.js";
import { parseHead } from "../../../src/core/record.js";
import type { Engine } from "../../../src/ports/engine.js";
import { tombstone } from "../../contract/tombstones.contract.js";
import { putRecord } from "../put-record.js";
import { contractCatalog, putAll, species, tinyDraft, tinyRecord } from "./engine-under-test.js";
import { item, loadAll, putTerms } from "./term-fixtures.js";

/** Writes something of every kind that a store keeps. @param terms how many are loaded; the last one is deleted */
export async function fillStore(engine: Engine, terms = 1_200): Promise<void> {
  const { store } = engine;
  const many = Array.from({ length: terms }, (_, n) =>
    item(n, `Species ${n}`, n > 0 ? { parent: `sp:${n >> 1}` } : {}),
  );
  await loadAll(engine, many);
  await putTerms(engine, [item(3, "Größe \u0000", { synonyms: [{ name: "zwei", kind: "synonym" }] })]);
  await putTerms(engine, [item(5, "Replaced", { status: "deprecated", replaced_by: "sp:6" })]);
  await store.transaction((tx) => tx.terms.delete("species", `sp:${terms - 1}`));
  await store.transaction((tx) =>
    tx.history.add(OPERATOR, { vocabulary: "species", id: "sp:3" }, { revision: 2, action: "changed", fields: [] }),
  );
  const cited = [species("sp:3", "Größe"), species("sp:4", "Species 4")];
  const organism = { organism: { id: "sp:3" } };
  await putAll(engine, [tinyRecord("a", { title: "first", keywords: ["one"], ...organism })], cited);
  await putAll(engine, [tinyDraft("b", { title: "draft \u0000", samples: [{ name: "x" }], ...organism })], cited);
  await store.transaction(async (tx) => {
    // An edit keeps the time of creation.
    const { created } = parseHead((await tx.records.get("a", "published"))!);
    const edited = tinyRecord("a", { title: "edited", ...organism }, { revision_id: 2, created, updated: tx.now });
    await putRecord({ store, catalog: contractCatalog() }, tx.records, edited, cited);
  });
  const parent = { id: "p", owner: { user: "1" } };
  await putAll(engine, [tinyRecord("c", { title: "gone" }, { parent })]);
  await store.transaction((tx) => tx.records.bury(tombstone("c")));
  await putAll(engine, [tinyDraft("d", { title: "removed" })]);
  await store.transaction((tx) => tx.records.delete("d", "draft"));
  await store.transaction(async (tx) => {
    const { id: user } = await tx.users.addUser({ name: "ada", role: "curator" });
    const { id: left } = await tx.users.addUser({ name: "left", role: "depositor" });
    const { id: token } = await tx.users.addToken({ user, name: "t", scopes: ["records:write"], digest: "d1" });
    await tx.users.addToken({ user, name: "child", scopes: [], digest: "d2", parent: token, expires: "2027-01-01" });
    await tx.users.delete(left);
    await tx.shares.put("b", user, "write");
    await tx.answers.keep(token, "key", { request: "r", outcome: { a: "\u0000" } });
    await tx.imports.keep({ model: "tiny", owner: user, key: "k" }, { id: "a", digest: "x" });
    await tx.dumps.keep({
      ...{ vocabulary: "species", authority: "ncbi", file: "f", sha256: "s", bytes: 3, loaded: tx.now },
    });
    await tx.audit(
      { kind: "user", user, token, name: "ada" } as never,
      { action: "record.create", kind: "record" } as never,
    );
    await tx.webhooks.add({ url: "https://hook.example", filter: {}, secret: "s", place: FIRST_PLACE });
  });
  const [hook] = await store.webhooks.list();
  const { changes, next } = await store.changes.page({ after: FIRST_PLACE, limit: 3 });
  await store.transaction((tx) => tx.webhooks.queue({ webhook: hook!.id, from: FIRST_PLACE, changes, next }));
}
