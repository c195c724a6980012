import { describe, expect, it } from "vitest";
import { parseHead } from "../../src/core/record.js";
import { formatInstant } from "../../src/core/time.js";
import type { Engine } from "../../src/ports/engine.js";
import type { RecordScope } from "../../src/ports/search-index.js";
import type { Clause } from "../../src/query/index-model/clause.js";
import { number } from "../differential/clauses.js";
import {
  type EngineUnderTest,
  putAll,
  putOne,
  START_MICROS,
  type TestClock,
  tinyDraft,
  tinyRecord,
} from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { tombstone } from "./tombstones.contract.js";
import { putOrFail, race } from "./transactions.contract.js";

const word = (text: string): Clause => ({ kind: "words", place: { in: "text" }, words: [text] });

/** How the index of an engine must follow what its store does with records: in the same moment. */
export function recordIndexingContract(under: EngineUnderTest): void {
  describe(`record indexing contract: ${under.name}`, () => {
    let engine: Engine;
    let _clock: TestClock;
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

    const reopen = openForEachTest(under, (opened, time) => {
      [engine, _clock] = [opened, time];
    });

    it("finds a record that was replaced by what it says now", async () => {
      await putAll(engine, [tinyRecord("a", { title: "before" })]);
      await putAll(engine, [tinyRecord("a", { title: "after" }, { revision_id: 2 })]);
      expect(await find(word("before"))).toEqual([]);
      expect(await find(word("after"))).toEqual(["a"]);
    });

    it("finds a body with another head by its other members as before, and by what the head says now", async () => {
      const metadata = {
        title: "kept",
        samples: [{ name: "one" }],
        ph: 7,
        measured: "2026-11-01",
        note: ',"metadata":{',
      };
      await putAll(engine, [tinyRecord("a", metadata), tinyDraft("a", metadata)]);
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
        await engine.store.transaction((tx) => tx.records.putHead(before, { ...parseHead(before), ...changed }));
      }
      expect(await find(word("kept"))).toEqual([]);
      for (const clause of [word("kept"), updated, number("ph", 7)]) {
        expect(await find(clause, versions)).toEqual(["a"]);
        expect(await find(clause, { kind: "owner", owner: "2", models: ["tiny"] })).toEqual(["a"]);
        expect(await find(clause, { kind: "owner", owner: "1", models: ["tiny"] })).toEqual([]);
      }
    });

    it("finds a record no more that was removed", async () => {
      await putAll(engine, [tinyRecord("a", { title: "gone" }), tinyRecord("b", { title: "gone" })]);
      await engine.store.transaction((tx) => tx.records.delete("a", "published"));
      expect(await find(word("gone"))).toEqual(["b"]);
    });

    it("finds nothing of a transaction that threw, and goes on", async () => {
      await putAll(engine, [tinyRecord("a", { title: "old" })]);
      const work = engine.store.transaction(async (tx) => {
        await putOne(engine, tx, tinyRecord("a", { title: "new", keywords: ["newkey"] }));
        await putOne(engine, tx, tinyRecord("b", { title: "new" }));
        throw new Error("changed my mind");
      });
      await expect(work).rejects.toThrow("changed my mind");
      expect(await find(word("new"))).toEqual([]);
      expect(await find(word("old"))).toEqual(["a"]);
      await putAll(engine, [tinyRecord("b", { title: "new", keywords: ["otherkey"] })]);
      expect(await find(word("new"))).toEqual(["b"]);
    });

    it("finds nothing of a transaction before it ends", async () => {
      await engine.store.transaction(async (tx) => {
        await putOne(engine, tx, tinyRecord("a", { title: "half" }));
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

    it("keeps the index and its order when it is opened again", async () => {
      await putAll(engine, [tinyRecord("a", { title: "kept" }), tinyRecord("b", { title: "kept" })]);
      await reopen();
      await putAll(engine, [tinyRecord("c", { title: "kept" })]);
      expect(await find(word("kept"))).toEqual(["c", "b", "a"]);
    });

    it("finds nothing of a record that was buried, nor of its draft", async () => {
      await putAll(engine, [tinyRecord("a", { title: "gone" }), tinyDraft("a", { title: "gone" })]);
      const owner = { kind: "owner", owner: "1", models: ["tiny"] } as const;
      expect([await find(word("gone")), await find(word("gone"), owner)]).toEqual([["a"], ["a"]]);
      await engine.store.transaction((tx) => tx.records.bury(tombstone("a", { parent: "a-parent" })));
      expect([await find(word("gone")), await find(word("gone"), owner)]).toEqual([[], []]);
    });

    it("knows the words of what was written beside something that failed", async () => {
      const written = (await race((...turn) => putOrFail(engine, ...turn))).filter((outcome) =>
        outcome.startsWith("w"),
      );
      const scope = { kind: "public", models: ["tiny"], allVersions: true } as const;
      for (const id of written) {
        expect(await find({ kind: "fuzzy", place: { in: "text" }, word: `${id}x`, edits: 1 }, scope)).toEqual([id]);
      }
    });
  });
}
