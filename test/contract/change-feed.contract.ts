import { describe, expect, it } from "vitest";
import type { ChangeFilter, ChangePlace, FeedChange } from "../../src/core/feed/feed.js";
import { FIRST_PLACE } from "../../src/core/feed/feed.js";
import type { TermContent } from "../../src/core/term.js";
import type { Engine } from "../../src/ports/engine.js";
import {
  contractCatalog,
  type EngineUnderTest,
  putAll,
  type TestClock,
  tinyDraft,
  tinyRecord,
} from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { item } from "../support/engines/term-fixtures.js";
import { tinyVocabulary } from "../support/tiny-catalog.js";

let engine: Engine;

async function* terms(from: number, to: number, title = "S"): AsyncGenerator<TermContent> {
  for (let n = from; n <= to; n++) yield item(n, `${title} ${n}`);
}

/** All changes from a place, in pages of one size, and where they end. */
async function readAll(size: number, filter: ChangeFilter = {}, from: ChangePlace = FIRST_PLACE) {
  const changes: FeedChange[] = [];
  let after = from;
  for (;;) {
    const page = await engine.store.changes.page({ after, limit: size, filter });
    expect(page.changes.length).toBeLessThanOrEqual(size);
    changes.push(...page.changes);
    if (!page.isEnd) expect(page.next).not.toEqual(after);
    after = page.next;
    if (page.isEnd) return { changes, after };
  }
}

const said = (changes: readonly FeedChange[]) => changes.map(({ action, id, revision }) => [action, id, revision]);

/** Drafts, records, single items, a small import and a large one, between each other. */
async function fill(): Promise<void> {
  await putAll(engine, [tinyDraft("d1", {}), tinyRecord("a", { title: "one" }), tinyDraft("d2", {})]);
  await engine.store.loadTerms("species", terms(1, 3));
  await engine.store.transaction((tx) => tx.terms.put("species", item(2, "Changed")));
  await engine.store.loadTerms("species", terms(1, 1_500, "Again"));
  await engine.store.transaction((tx) => tx.terms.delete("species", "sp:3"));
  await engine.store.transaction((tx) => tx.records.delete("a", "published"));
  await putAll(engine, [tinyDraft("d3", {})]);
}

/** What every store must do with the feed of changes. */
export function changeFeedContract(under: EngineUnderTest): void {
  describe(`change feed contract: ${under.name}`, () => {
    let _clock: TestClock;
    const reopen = openForEachTest(under, (opened, time) => {
      [engine, _clock] = [opened, time];
    });

    it("lists records and items, entries of imports at their place, and no drafts", async () => {
      await fill();
      const { changes, after } = await readAll(100);
      const large = changes.slice(5, -2);
      expect(said(changes.slice(0, 5))).toEqual([
        ["published", "a", 1],
        ["created", "sp:1", 1],
        ["created", "sp:2", 1],
        ["created", "sp:3", 1],
        ["updated", "sp:2", 2],
      ]);
      expect(large).toHaveLength(1_500);
      expect(new Set(large.map(({ id }) => id)).size).toBe(1_500);
      expect(new Set(large.map(({ seq, time }) => `${seq} ${time}`)).size).toBe(1);
      expect(large.find(({ id }) => id === "sp:2")).toMatchObject({ action: "updated", revision: 3 });
      expect(large.find(({ id }) => id === "sp:1500")).toMatchObject({ action: "created", revision: 1 });
      expect(said(changes.slice(-2))).toEqual([
        ["removed", "sp:3", 2],
        ["removed", "a", 1],
      ]);
      expect(after).toEqual(await engine.store.changes.head());
      expect(changes.at(-1)).toMatchObject({ seq: after.seq });
    });

    it("is the same in pages of any size", async () => {
      await fill();
      const all = (await readAll(10_000)).changes;
      for (const size of [7, 999, 1_000]) expect((await readAll(size)).changes).toEqual(all);
      // Small pages are many: those at the beginning, and from within the large import to the end.
      const within = await engine.store.changes.page({ after: FIRST_PLACE, limit: all.length - 40 });
      expect(within.next.entry).toBeGreaterThan(0);
      for (const size of [1, 2, 3]) {
        expect((await readAll(size, {}, within.next)).changes).toEqual(all.slice(-40));
        const changes: FeedChange[] = [];
        for (let after = FIRST_PLACE; changes.length < 20; ) {
          const page = await engine.store.changes.page({ after, limit: size });
          changes.push(...page.changes);
          after = page.next;
        }
        expect(changes).toEqual(all.slice(0, changes.length));
      }
    });

    it("goes on from where it ended with what came since only", async () => {
      await fill();
      const { after } = await readAll(100);
      await putAll(engine, [tinyDraft("d4", {})]);
      const drafts = await readAll(100, {}, after);
      expect(drafts.changes).toEqual([]);
      expect(drafts.after).toEqual(after);
      await putAll(engine, [tinyRecord("b", {})]);
      expect(said((await readAll(100, {}, after)).changes)).toEqual([["published", "b", 1]]);
      expect(said((await readAll(100, {}, drafts.after)).changes)).toEqual([["published", "b", 1]]);
    });

    it("counts only public changes: no number or place shows how many drafts were saved", async () => {
      const places: ChangePlace[] = [];
      for (let n = 0; n < 4; n++) {
        await putAll(engine, [tinyRecord(`r${n}`, {})]);
        places.push(await engine.store.changes.head());
        const drafts = Array.from({ length: n }, (_, i) => tinyDraft(`d${n}-${i}`, { title: `${i}` }));
        await putAll(engine, drafts);
        expect(await engine.store.changes.head()).toEqual(places[n]);
        for (const { id } of drafts) await engine.store.transaction((tx) => tx.records.delete(id, "draft"));
      }
      expect(places.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
      const { changes, after } = await readAll(2);
      expect(changes.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
      expect(after).toEqual(places[3]);
    });

    it("ends where it is told to", async () => {
      await putAll(engine, [tinyRecord("a", {})]);
      const until = await engine.store.changes.head();
      await putAll(engine, [tinyRecord("b", {})]);
      const page = await engine.store.changes.page({ after: FIRST_PLACE, limit: 10, until });
      expect(said(page.changes)).toEqual([["published", "a", 1]]);
      expect(page).toMatchObject({ next: until, isEnd: true });
    });

    it("may be cut down to some changes", async () => {
      await fill();
      const cases: readonly (readonly [filter: ChangeFilter, count: number, sizes: readonly number[]])[] = [
        [{ kind: "record" }, 2, [1, 50]],
        [{ kind: "term" }, 3 + 1 + 1_500 + 1, [7, 50]],
        [{ models: ["other"] }, 1_505, [7, 50]],
        [{ models: ["tiny"], vocabularies: [] }, 2, [1, 50]],
        [{ vocabularies: ["none"] }, 2, [1, 50]],
      ];
      for (const [filter, count, sizes] of cases) {
        for (const size of sizes) {
          expect((await readAll(size, filter)).changes, `${JSON.stringify(filter)}, ${size}`).toHaveLength(count);
        }
      }
    });

    it("passes over imports into vocabularies that are not wanted, however large", async () => {
      const vocabularies = ["species", "strains"].map((name) => [name, tinyVocabulary(name)] as const);
      await reopen({ ...contractCatalog(), vocabularies: new Map(vocabularies) });
      for (const name of ["strains", "species", "strains"]) await engine.store.loadTerms(name, terms(1, 20));
      for (const size of [1, 5, 50]) {
        const { changes } = await readAll(size, { vocabularies: ["species"] });
        expect(changes.map(({ place, entry }) => `${place} ${entry}`)).toEqual(
          Array.from({ length: 20 }, (_, n) => `species ${n + 1}`),
        );
      }
    });

    it("leaves out an import that failed, whatever it had written", async () => {
      await engine.store.loadTerms("species", terms(1, 3));
      const { after } = await readAll(100);
      const failing = (async function* () {
        yield* terms(1, 3_000, "Half");
        throw new Error("the file ends");
      })();
      await expect(engine.store.loadTerms("species", failing)).rejects.toThrow("the file ends");
      expect((await readAll(100, {}, after)).changes).toEqual([]);
    });

    it("refuses a place that is none of this store", async () => {
      await putAll(engine, [tinyRecord("a", {})]);
      const { seq, time } = await engine.store.changes.head();
      for (const after of [
        { seq, time: time + 1 },
        { seq: seq + 1, time },
      ]) {
        await expect(engine.store.changes.page({ after, limit: 1 })).rejects.toMatchObject({
          code: "CHANGE_CURSOR_GONE",
        });
      }
    });
  });
}
