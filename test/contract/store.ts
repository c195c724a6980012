import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FIRST_PLACE } from "../../src/core/feed/feed.js";
import { headOf, type RecordBody } from "../../src/core/record.js";
import { formatInstant } from "../../src/core/time.js";
import type { Engine } from "../../src/ports/engine.js";
import type { RecordScope } from "../../src/ports/search-index.js";
import type { Clause } from "../../src/query/index-model/clause.js";
import { number } from "./clauses.js";
import {
  contractCatalog,
  type EngineUnderTest,
  makeClock,
  putAll,
  putOne,
  START_MICROS,
  species,
  type TestClock,
  tinyDraft,
  tinyRecord,
} from "./engine-under-test.js";

const word = (text: string): Clause => ({ kind: "words", place: { in: "text" }, words: [text] });

/** What every store must do with records. Its index must follow in the same moment. */
export function storeContract(under: EngineUnderTest): void {
  describe(`store contract: ${under.name}`, () => {
    let engine: Engine;
    let clock: TestClock;
    const reopen = async (): Promise<void> => {
      await engine.close();
      engine = await under.open({ catalog: contractCatalog(), clock });
    };
    const find = async (
      clause: Clause,
      scope: RecordScope = { kind: "public", models: ["tiny", "other"] },
    ): Promise<readonly string[]> => {
      const { hits } = await engine.index.searchRecords({
        clause,
        scope,
        facets: [],
        sort: "newest",
        page: { offset: 0, limit: 100 },
      });
      return hits.map((hit) => hit.id);
    };

    beforeEach(async () => {
      clock = makeClock();
      engine = await under.open({ catalog: contractCatalog(), clock });
    });
    afterEach(async () => {
      await engine.close();
      await under.cleanUp();
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

    it("replaces a record and its index", async () => {
      await putAll(engine, [tinyRecord("a", { title: "before" })]);
      await putAll(engine, [tinyRecord("a", { title: "after" }, { revision_id: 2 })]);
      expect(await engine.store.records.get("a", "published")).toMatchObject({ revision: 2 });
      expect(await find(word("before"))).toEqual([]);
      expect(await find(word("after"))).toEqual(["a"]);
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

    it("writes another head over a body; its other members, and what is found by them, stay as they are", async () => {
      const metadata = {
        title: "kept",
        samples: [{ name: "one" }],
        ph: 7,
        measured: "2026-11-01",
        note: ',"metadata":{',
      };
      const errors = [{ field: "", pointer: "", code: "REQUIRED", messages: ["m"] }];
      await putAll(engine, [tinyRecord("a", metadata), tinyDraft("a", metadata, { errors })]);
      const changed = {
        updated: formatInstant(START_MICROS + 60_000_000),
        revision_id: 7,
        versions: { index: 1, is_latest: false, is_latest_draft: false },
        parent: { id: "a-parent", owner: { user: "2" } },
      };
      const from = { value: START_MICROS + 60_000_000, inclusive: true };
      const updated: Clause = { kind: "range", paths: ["updated"], type: "date", from };
      const versions = { kind: "public", models: ["tiny"], allVersions: true } as const;
      expect(await find(updated, versions)).toEqual([]);
      for (const state of ["published", "draft"] as const) {
        const before = (await engine.store.records.get("a", state))!;
        await engine.store.transaction((tx) => tx.records.putHead(before, { ...headOf(before.json), ...changed }));
        const after = (await engine.store.records.get("a", state))!;
        const expected = { ...(JSON.parse(before.json) as RecordBody), ...changed };
        expect(after.json).toBe(JSON.stringify(expected));
        expect(after).toEqual({ ...before, owner: "2", revision: 7, json: after.json });
      }
      expect(await engine.store.records.lastRevision("a")).toBe(7);
      expect(await engine.store.records.latestOf("a-parent")).toBeUndefined();
      expect(await find(word("kept"))).toEqual([]);
      for (const clause of [word("kept"), updated, number("ph", 7)]) {
        expect(await find(clause, versions)).toEqual(["a"]);
        expect(await find(clause, { kind: "owner", owner: "2", models: ["tiny"] })).toEqual(["a"]);
        expect(await find(clause, { kind: "owner", owner: "1", models: ["tiny"] })).toEqual([]);
      }
      const { changes } = await engine.store.changes.page({ after: FIRST_PLACE, limit: 100 });
      expect(changes.map(({ action, revision }) => [action, revision])).toEqual([
        ["published", 1],
        ["updated", 7],
      ]);
    });

    it("removes a record and its index; removing what is not there is no error", async () => {
      await putAll(engine, [tinyRecord("a", { title: "gone" }), tinyRecord("b", { title: "gone" })]);
      await engine.store.transaction((tx) => tx.records.delete("a", "published"));
      await engine.store.transaction((tx) => tx.records.delete("a", "published"));
      await engine.store.transaction((tx) => tx.records.delete("b", "draft"));
      expect(await engine.store.records.get("a", "published")).toBeUndefined();
      expect(await find(word("gone"))).toEqual(["b"]);
    });

    it("finds the latest published version under a parent", async () => {
      await putAll(engine, [tinyDraft("a", {})]);
      expect(await engine.store.records.latestOf("a-parent")).toBeUndefined();
      await putAll(engine, [tinyRecord("a", {})]);
      expect(await engine.store.records.latestOf("a-parent")).toMatchObject({ id: "a", state: "published" });
      expect(await engine.store.records.latestOf("a")).toBeUndefined();
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
        await putOne(engine, tx, tinyRecord("a", { title: "new", keywords: ["newkey"] }));
        await putOne(engine, tx, tinyRecord("b", { title: "new" }));
        await tx.users.addUser({ name: "nobody", role: "depositor" });
        throw new Error("changed my mind");
      });
      await expect(work).rejects.toThrow("changed my mind");
      expect(await find(word("new"))).toEqual([]);
      expect(await find(word("old"))).toEqual(["a"]);
      expect(await engine.store.records.isTaken("b")).toBe(false);
      expect(await engine.store.users.findUser("nobody")).toBeUndefined();
      await putAll(engine, [tinyRecord("b", { title: "new", keywords: ["otherkey"] })]);
      expect(await find(word("new"))).toEqual(["b"]);
    });

    it("shows nothing of a transaction to others before it ends, and everything to itself", async () => {
      await engine.store.transaction(async (tx) => {
        await putOne(engine, tx, tinyRecord("a", { title: "half" }));
        expect(await tx.records.get("a", "published")).toMatchObject({ id: "a" });
        expect(await engine.store.records.get("a", "published")).toBeUndefined();
        expect(await find(word("half"))).toEqual([]);
      });
      expect(await find(word("half"))).toEqual(["a"]);
    });

    it("shows the index every write when its transaction returns", async () => {
      for (let n = 0; n < 20; n++) {
        await engine.store.transaction((tx) => putOne(engine, tx, tinyRecord(`r${n}`, { title: `word${n}` })));
        expect(await find(word(`word${n}`))).toEqual([`r${n}`]);
      }
    });

    it("keeps records, index and order when it is opened again", async () => {
      await putAll(engine, [tinyRecord("a", { title: "kept" }), tinyRecord("b", { title: "kept" })]);
      await reopen();
      await putAll(engine, [tinyRecord("c", { title: "kept" })]);
      expect(await find(word("kept"))).toEqual(["c", "b", "a"]);
      expect(await engine.store.records.get("a", "published")).toMatchObject({ id: "a" });
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
      const head = headOf(old.json);
      const versions = { ...head.versions, is_latest: false };
      await engine.store.transaction((tx) => tx.records.putHead(old, { ...head, revision_id: 2, versions }));
      expect(await count()).toBe(2);
      await putAll(engine, [tinyRecord("b", { title: "cites no more" })]);
      expect(await count()).toBe(1);
      await engine.store.transaction((tx) => tx.records.delete("a", "draft"));
      expect(await count()).toBe(0);
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
      const rows = await engine.store.records.versionsOf("p");
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
      expect(await engine.store.records.versionsOf("a")).toEqual([]);
    });

    it("answers when it is asked whether it is well", async () => {
      await expect(engine.store.check()).resolves.toBeUndefined();
    });
  });
}
