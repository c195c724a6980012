import { describe, expect, it } from "vitest";
import { FIRST_PLACE } from "../../src/core/feed/feed.js";
import { parseHead, type RecordBody } from "../../src/core/record.js";
import { formatInstant } from "../../src/core/time.js";
import type { Engine } from "../../src/ports/engine.js";
import {
  type EngineUnderTest,
  putAll,
  putOne,
  START_MICROS,
  species,
  type TestClock,
  tinyDraft,
  tinyRecord,
} from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { seeded } from "../support/random.js";
import { tombstone } from "./tombstones.contract.js";

const OTHER_HEAD = {
  updated: formatInstant(START_MICROS + 60_000_000),
  revision_id: 7,
  versions: { index: 1, is_latest: false, is_latest_draft: false },
  parent: { id: "a-parent", owner: { user: "2" } },
};

/** Longer than what a database takes into an index, and hardly shorter when it is compressed. */
const longText = (begin: string): string => {
  const random = seeded(1);
  return begin + Array.from({ length: 9_000 }, () => random.integer(0, 35).toString(36)).join("");
};

/** What every store must do with records. What its index must do with them is in record-indexing.ts. */
export function storeContract(under: EngineUnderTest): void {
  describe(`store contract: ${under.name}`, () => {
    let engine: Engine;
    let _clock: TestClock;

    const reopen = openForEachTest(under, (opened, time) => {
      [engine, _clock] = [opened, time];
    });

    it("gives a record back as it was put", async () => {
      const metadata = JSON.parse('{"title": "Größe", "__proto__": {"constructor": 1}, "a": [null, {}, "\\u0000"]}');
      const body = tinyRecord("a", metadata);
      const written = await engine.store.transaction((tx) => putOne(engine, tx, body));
      const stored = await engine.store.records.get("a", "published");
      expect(written).toEqual(stored);
      expect(JSON.parse(stored!.json)).toEqual(body);
      expect(stored!.json).toContain("__proto__");
      expect(stored).toMatchObject({ id: "a", parent: "a-parent", model: "tiny", owner: "1", revision: 1 });
      expect(stored).toMatchObject({ state: "published", isPublished: true });
      expect(await engine.store.records.get("a", "draft")).toBeUndefined();
    });

    it("checks that it can write, and leaves nothing of it", async () => {
      const before = await engine.store.changes.head();
      await Promise.all([engine.store.checkWrites(), engine.store.checkWrites()]);
      expect(await engine.store.changes.head()).toEqual(before);
    });

    it("replaces a record", async () => {
      await putAll(engine, [tinyRecord("a", { title: "before" })]);
      await putAll(engine, [tinyRecord("a", { title: "after" }, { revision_id: 2 })]);
      const stored = await engine.store.records.get("a", "published");
      expect(stored).toMatchObject({ revision: 2 });
      expect(JSON.parse(stored!.json).metadata).toEqual({ title: "after" });
    });

    it("keeps a draft and a published record of one id apart, and says that the draft is published", async () => {
      await putAll(engine, [tinyDraft("a", { title: "draft" })]);
      expect(await engine.store.records.get("a", "draft")).toMatchObject({ isPublished: false });
      await putAll(engine, [tinyRecord("a", { title: "published" })]);
      expect(await engine.store.records.get("a", "draft")).toMatchObject({ state: "draft", isPublished: true });
      const edited = tinyDraft("a", { title: "edited" }, { revision_id: 2 });
      const written = await engine.store.transaction((tx) => putOne(engine, tx, edited));
      expect(written).toEqual(await engine.store.records.get("a", "draft"));
      await engine.store.transaction((tx) => tx.records.delete("a", "published"));
      expect(await engine.store.records.get("a", "draft")).toMatchObject({ isPublished: false });
    });

    it("writes another head over a body; its other members stay as they are", async () => {
      const metadata = { title: "kept", note: ',"metadata":{' };
      const errors = [{ field: "", pointer: "", code: "REQUIRED", messages: ["m"] }];
      await putAll(engine, [tinyRecord("a", metadata), tinyDraft("a", metadata, { errors })]);
      for (const state of ["published", "draft"] as const) {
        const before = (await engine.store.records.get("a", state))!;
        await engine.store.transaction((tx) => tx.records.putHead(before, { ...parseHead(before), ...OTHER_HEAD }));
        const after = (await engine.store.records.get("a", state))!;
        const expected = { ...(JSON.parse(before.json) as RecordBody), ...OTHER_HEAD };
        expect(after.json).toBe(JSON.stringify(expected));
        expect(after).toEqual({ ...before, owner: "2", revision: 7, json: after.json });
      }
      expect(await engine.store.records.lastRevision("a")).toBe(7);
      expect(await engine.store.records.getLatest("a-parent")).toBeUndefined();
      expect(await engine.store.records.countOwned("1")).toEqual({ drafts: 0, published: 0 });
      expect(await engine.store.records.countOwned("2")).toEqual({ drafts: 1, published: 1 });
      const { changes } = await engine.store.changes.page({ after: FIRST_PLACE, limit: 100 });
      expect(changes.map(({ action, revision }) => [action, revision])).toEqual([
        ["published", 1],
        ["updated", 7],
      ]);
    });

    it("writes no head over what is not there", async () => {
      await putAll(engine, [tinyRecord("a", {})]);
      const stored = (await engine.store.records.get("a", "published"))!;
      await engine.store.transaction((tx) => tx.records.delete("a", "published"));
      const work = engine.store.transaction((tx) => tx.records.putHead(stored, parseHead(stored)));
      await expect(work).rejects.toThrow("There is no published record a.");
    });

    it("removes a record; removing what is not there is no error", async () => {
      await putAll(engine, [tinyRecord("a", { title: "gone" }), tinyRecord("b", { title: "gone" })]);
      await engine.store.transaction((tx) => tx.records.delete("a", "published"));
      await engine.store.transaction((tx) => tx.records.delete("a", "published"));
      await engine.store.transaction((tx) => tx.records.delete("b", "draft"));
      expect(await engine.store.records.get("a", "published")).toBeUndefined();
      expect(await engine.store.records.get("b", "published")).toMatchObject({ id: "b" });
    });

    it("finds the latest published version under a parent", async () => {
      await putAll(engine, [tinyDraft("a", {})]);
      expect(await engine.store.records.getLatest("a-parent")).toBeUndefined();
      await putAll(engine, [tinyRecord("a", {})]);
      expect(await engine.store.records.getLatest("a-parent")).toMatchObject({ id: "a", state: "published" });
      expect(await engine.store.records.getLatest("a")).toBeUndefined();
    });

    it("never gives an id free again, neither that of a record nor that of its parent", async () => {
      expect(await engine.store.records.isTaken("a")).toBe(false);
      await putAll(engine, [tinyDraft("a", {})]);
      expect(await engine.store.records.isTaken("a")).toBe(true);
      expect(await engine.store.records.isTaken("a-parent")).toBe(true);
      await engine.store.transaction((tx) => tx.records.delete("a", "draft"));
      expect(await engine.store.records.isTaken("a")).toBe(true);
      expect(await engine.store.records.isTaken("b")).toBe(false);
    });

    it("undoes all of a transaction that throws, and goes on", async () => {
      await putAll(engine, [tinyRecord("a", { title: "old" })]);
      const work = engine.store.transaction(async (tx) => {
        await putOne(engine, tx, tinyRecord("a", { title: "new" }));
        await putOne(engine, tx, tinyRecord("b", { title: "new" }));
        await tx.users.addUser({ name: "nobody", role: "depositor" });
        throw new Error("changed my mind");
      });
      await expect(work).rejects.toThrow("changed my mind");
      const stored = await engine.store.records.get("a", "published");
      expect(JSON.parse(stored!.json).metadata).toEqual({ title: "old" });
      expect(await engine.store.records.isTaken("b")).toBe(false);
      expect(await engine.store.users.findUser("nobody")).toBeUndefined();
      await putAll(engine, [tinyRecord("b", { title: "new" })]);
      expect(await engine.store.records.get("b", "published")).toMatchObject({ id: "b" });
    });

    it("keeps records and the order of changes when it is opened again", async () => {
      await putAll(engine, [tinyRecord("a", { title: "kept" }), tinyRecord("b", { title: "kept" })]);
      await reopen();
      await putAll(engine, [tinyRecord("c", { title: "kept" })]);
      expect(await engine.store.records.get("a", "published")).toMatchObject({ id: "a" });
      const { changes } = await engine.store.changes.page({ after: FIRST_PLACE, limit: 100 });
      expect(changes.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    });

    it("counts the records that cite a term, each once, drafts too", async () => {
      const content = { id: "sp:562", title: { en: "Escherichia coli" }, props: {}, status: "active" } as const;
      await engine.store.transaction((tx) => tx.terms.put("species", content));
      const citing = { organism: { id: "sp:562" }, samples: [{ source: { id: "sp:562" } }] };
      const cited = [species("sp:562", "Escherichia coli")];
      const count = () => engine.store.terms.citations("species", "sp:562");
      expect(await count()).toBe(0);
      await putAll(engine, [tinyDraft("a", citing), tinyRecord("b", citing)], cited);
      expect(await count()).toBe(2);
      const old = (await engine.store.records.get("b", "published"))!;
      const head = parseHead(old);
      const versions = { ...head.versions, is_latest: false };
      await engine.store.transaction((tx) => tx.records.putHead(old, { ...head, revision_id: 2, versions }));
      expect(await count()).toBe(2);
      await putAll(engine, [tinyRecord("b", { title: "cites no more" })]);
      expect(await count()).toBe(1);
      await engine.store.transaction((tx) => tx.records.delete("a", "draft"));
      expect(await count()).toBe(0);
    });

    it("counts the records that cite a term, or one that it replaced, each once", async () => {
      const term = (id: string, successor?: string) => ({
        ...{ id, title: { en: id }, props: {} },
        ...(successor === undefined
          ? ({ status: "active" } as const)
          : ({ status: "deprecated", replaced_by: successor } as const)),
      });
      const write = (...terms: readonly ReturnType<typeof term>[]) =>
        engine.store.transaction(async (tx) => {
          for (const one of terms) await tx.terms.put("species", one);
        });
      const counts = async () => {
        const found = await Promise.all(
          ["sp:3", "sp:2", "sp:1"].map((id) => engine.store.terms.getExact("species", id)),
        );
        const citations = await Promise.all(
          ["sp:3", "sp:2", "sp:1"].map((id) => engine.store.terms.citations("species", id)),
        );
        return [found.map((one) => one?.term.citedBy), citations];
      };
      await write(term("sp:1"), term("sp:2"), term("sp:3"));
      await putAll(engine, [
        tinyRecord("a", { organism: { id: "sp:1" } }),
        tinyRecord("b", { organism: { id: "sp:1" }, samples: [{ source: { id: "sp:2" } }] }),
        tinyDraft("c", { organism: { id: "sp:3" } }),
      ]);
      expect(await counts()).toEqual([
        [0, 1, 2],
        [1, 1, 2],
      ]);
      await write(term("sp:1", "sp:2"), term("sp:2", "sp:3"));
      await engine.store.followTerms();
      expect(await counts()).toEqual([
        [2, 2, 2],
        [3, 2, 2],
      ]);
      await write(term("sp:2"));
      await engine.store.followTerms();
      expect(await counts()).toEqual([
        [0, 2, 2],
        [1, 2, 2],
      ]);
      await engine.store.transaction((tx) => tx.terms.delete("species", "sp:1"));
      await putAll(engine, [tinyRecord("b", {}, { revision_id: 2 })]);
      expect(await counts()).toEqual([
        [0, 1, undefined],
        [1, 1, 1],
      ]);
    });

    it("lists what stands under a parent by version, a draft before what is published of it", async () => {
      const parent = { id: "p", owner: { user: "1" } };
      const versions = (index: number, is_latest: boolean) => ({ index, is_latest, is_latest_draft: false });
      await putAll(engine, [
        tinyRecord("c", {}, { parent, versions: versions(3, true) }),
        tinyDraft("d", {}, { parent, versions: versions(10, false) }),
        tinyRecord("a", {}, { parent, versions: versions(1, false) }),
        tinyDraft("c", {}, { parent, versions: versions(3, true) }),
        tinyRecord("x", {}),
      ]);
      const rows = await engine.store.records.listVersions("p");
      expect(rows.map(({ created, ...row }) => row)).toEqual([
        { id: "a", state: "published", version: 1, isLatest: false },
        { id: "c", state: "draft", version: 3, isLatest: false },
        { id: "c", state: "published", version: 3, isLatest: true },
        { id: "d", state: "draft", version: 10, isLatest: false },
      ]);
      const inOrder = rows.map((row) => row).sort((a, b) => a.created.localeCompare(b.created));
      expect(inOrder.map(({ id, state }) => `${id} ${state}`)).toEqual([
        "c published",
        "d draft",
        "a published",
        "c draft",
      ]);
      expect(await engine.store.records.listVersions("a")).toEqual([]);
    });

    it("reads records for an operator in the order in which they were first put", async () => {
      await engine.store.transaction(async (tx) => {
        await putOne(engine, tx, tinyRecord("b", {}));
        await putOne(engine, tx, tinyRecord("a", {}));
        await putOne(engine, tx, tinyRecord("b", { title: "again" }, { revision_id: 2 }));
      });
      await putAll(engine, [tinyDraft("c", {}), tinyRecord("a", {}, { revision_id: 2 })]);
      const ids: string[] = [];
      for await (const records of engine.admin.readRecords()) ids.push(...records.map(({ id }) => id));
      expect(ids).toEqual(["b", "a", "c"]);
    });

    it("knows the model of what is or was public under an id or a parent, and of no draft", async () => {
      const { records } = engine.store;
      const models = () => Promise.all(["a", "a-parent", "b", "b-parent"].map((id) => records.publicModelOf(id)));
      expect(await models()).toEqual([undefined, undefined, undefined, undefined]);
      await putAll(engine, [tinyDraft("a", {}), tinyRecord("b", {}, { model: "other" })]);
      expect(await models()).toEqual([undefined, undefined, "other", "other"]);
      const buried = tombstone("b", { parent: "b-parent" });
      await engine.store.transaction((tx) => tx.records.bury({ ...buried, body: { ...buried.body, model: "other" } }));
      await engine.store.transaction((tx) => tx.records.delete("a", "draft"));
      expect(await models()).toEqual([undefined, undefined, "other", "other"]);
    });

    it("counts what a user owns, and lists the parents of it", async () => {
      const owned = (id: string) => ({ parent: { id, owner: { user: "7" } } });
      await putAll(engine, [
        tinyDraft("a", {}, owned("p")),
        tinyDraft("b", {}, owned("q")),
        tinyRecord("c", {}, owned("q")),
        tinyRecord("d", {}, owned("r")),
        tinyDraft("e", {}),
      ]);
      const { records } = engine.store;
      expect(await records.countOwned("7")).toEqual({ drafts: 2, published: 2 });
      expect(await records.countOwned("8")).toEqual({ drafts: 0, published: 0 });
      const parents = (limit: number, draftsOnly: boolean) => records.ownedParents("7", { limit, draftsOnly });
      expect([...(await parents(10, false))].sort()).toEqual(["p", "q", "r"]);
      expect(await parents(2, false)).toHaveLength(2);
      expect(await parents(10, true)).toEqual(["p"]);
      const within = await engine.store.transaction((tx) =>
        tx.records.ownedParents("7", { limit: 10, draftsOnly: true }),
      );
      expect(within).toEqual(["p"]);
    });

    it("keeps a draft that cites what no term can be", async () => {
      const ids = [longText("id"), "half \ud800", "nul \u0000", "a/b", ""];
      const metadata = { organism: { id: ids[0]! }, samples: ids.map((id) => ({ source: { id } })) };
      await putAll(engine, [tinyDraft("a", metadata)]);
      expect(JSON.parse((await engine.store.records.get("a", "draft"))!.json).metadata).toEqual(metadata);
      expect(await engine.store.terms.citations("species", "a/b")).toBe(1);
      await engine.store.transaction((tx) => tx.records.delete("a", "draft"));
      expect(await engine.store.terms.citations("species", "a/b")).toBe(0);
    });

    it("knows the documents of imports again, whatever their keys, for each model and owner", async () => {
      const document = { model: "tiny", owner: "1", key: longText("key:") };
      const { imports } = engine.store;
      const keep = (id: string, digest: string) =>
        engine.store.transaction(async (tx) => {
          const before = await tx.imports.find(document);
          await tx.imports.keep(document, { id, digest });
          return before;
        });
      expect(await imports.find(document)).toBeUndefined();
      expect(await keep("a", "one")).toBeUndefined();
      expect(await keep("a", "two")).toEqual({ id: "a", digest: "one" });
      await engine.store.transaction((tx) => tx.imports.keep(document, { id: "b", digest: "three" }));
      expect(await imports.find(document)).toEqual({ id: "b", digest: "three" });
      expect(await imports.find({ ...document, model: "other" })).toBeUndefined();
      expect(await imports.find({ ...document, owner: "2" })).toBeUndefined();
      expect(await imports.find({ ...document, key: "key:" })).toBeUndefined();
    });

    it("shares drafts with users, by their names, until the draft ends", async () => {
      await putAll(engine, [tinyDraft("a", {}), tinyRecord("b", {})]);
      const [eve, bob] = await engine.store.transaction(async (tx) => [
        await tx.users.addUser({ name: "eve", role: "depositor" }),
        await tx.users.addUser({ name: "bob", role: "curator" }),
      ]);
      const { shares } = engine.store;
      await engine.store.transaction(async (tx) => {
        await tx.shares.put("a", eve!.id, "read");
        await tx.shares.put("a", bob!.id, "read");
        await tx.shares.put("a", eve!.id, "write");
        expect(await tx.shares.permissionOf("a", eve!.id)).toBe("write");
        expect((await tx.shares.list("a")).map(({ user }) => user)).toEqual([bob, eve]);
      });
      const list = await shares.list("a");
      expect(list.map(({ user, permission }) => [user.name, permission])).toEqual([
        ["bob", "read"],
        ["eve", "write"],
      ]);
      expect(list[0]!.created >= eve!.created).toBe(true);
      expect(await shares.permissionOf("a", bob!.id)).toBe("read");
      expect(await shares.permissionOf("b", bob!.id)).toBeUndefined();
      expect(await engine.store.transaction((tx) => tx.shares.delete("a", bob!.id))).toBe(true);
      expect(await engine.store.transaction((tx) => tx.shares.delete("a", bob!.id))).toBe(false);
      expect(await shares.permissionOf("a", bob!.id)).toBeUndefined();
      const refused = engine.store.transaction((tx) => tx.shares.put("b", eve!.id, "read"));
      await expect(refused).rejects.toThrow("There is no draft b to share.");
      await engine.store.transaction((tx) => tx.records.delete("a", "draft"));
      expect(await shares.list("a")).toEqual([]);
    });

    it("answers when it is asked whether it is well", async () => {
      await expect(engine.store.check()).resolves.toBeUndefined();
    });
  });
}

/** What a store with several connections must do besides. */
export function isolationContract(under: EngineUnderTest): void {
  describe(`isolation contract: ${under.name}`, () => {
    let engine: Engine;
    openForEachTest(under, (opened) => {
      engine = opened;
    });

    it("shows nothing of a transaction to others before it ends, and everything to itself", async () => {
      await engine.store.transaction(async (tx) => {
        await putOne(engine, tx, tinyRecord("a", { title: "half" }));
        expect(await tx.records.get("a", "published")).toMatchObject({ id: "a" });
        expect(await engine.store.records.get("a", "published")).toBeUndefined();
        expect(await engine.store.records.isTaken("a")).toBe(false);
        const page = await engine.store.changes.page({ after: FIRST_PLACE, limit: 100 });
        expect(page.changes).toEqual([]);
      });
      expect(await engine.store.records.get("a", "published")).toMatchObject({ id: "a" });
    });
  });
}
