import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.js";
import type { TermContent } from "../../src/core/term.js";
import type { Engine } from "../../src/ports/engine.js";
import { analyse } from "../../src/query/text/analyse.js";
import {
  contractCatalog,
  type EngineUnderTest,
  makeClock,
  type TestClock,
} from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { item, loadAll, putTerms, stream } from "../support/engines/term-fixtures.js";

const MANY = LIMITS.importTransactionItemsMax + 500;

/** Single writes that are made at least while a load reads its items. */
const STEPS_MIN = 10;

/** Items that are deleted one by one while a load runs. */
const GOING = 200;

const many = (title = "Item", count = MANY): TermContent[] =>
  Array.from({ length: count }, (_, n) =>
    item(n, `${title} number ${n}`, { parent: `sp:${n >> 3}`, synonyms: [{ name: `alias${n}`, kind: "synonym" }] }),
  );

/** Finds items by words of their names: by a search, or in the store. */
export type FindTerms = (
  engine: Engine,
  text: string,
) => Promise<{ readonly ids: readonly string[]; readonly total: number }>;

/** Ids that these tests give, but for those beyond the last. */
const IDS = [
  [0, MANY],
  [700_000, 705_000],
  [800_000, 800_003],
  [810_000, 810_000 + GOING],
  [900_001, 900_002],
].flatMap(([from, to]) => Array.from({ length: to! - from! }, (_, n) => `sp:${from! + n}`));

/** As a search finds them, by what the store says of their titles and whole names. */
export const findInStore: FindTerms = async ({ store }, text) => {
  const words = analyse(text);
  const titles = await store.terms.titles("species", IDS, "en");
  const named = await store.terms.named("species", [words.join(" ")], 1_000);
  const ids = new Set(named.map(({ term }) => term.id));
  for (const [id, { text: title }] of titles) {
    const found = analyse(title);
    if (words.every((word) => found.includes(word))) ids.add(id);
  }
  return { ids: [...ids], total: ids.size };
};

/** What every store must do with whole files of items. @param find how items are found that are there */
export function termLoadsContract(under: EngineUnderTest, find: FindTerms = findInStore): void {
  describe(`term loads contract: ${under.name}, ${find.name}`, () => {
    let engine: Engine;
    let clock: TestClock;
    const put = (content: TermContent) => engine.store.transaction((tx) => tx.terms.put("species", content));
    const erase = (id: string) => engine.store.transaction((tx) => tx.terms.delete("species", id));
    const revisionOf = async (id: string): Promise<number | string | undefined> => {
      const found = await engine.store.terms.get("species", id);
      return found?.kind === "found" ? found.term.revision : found?.kind;
    };
    const titleOf = async (id: string): Promise<string | undefined> =>
      (await engine.store.terms.titles("species", [id], "en")).get(id)?.text;

    const reopen = openForEachTest(under, (opened, time) => {
      [engine, clock] = [opened, time];
    });

    it.each([3, MANY])("loads %i items, and the same again changes nothing", async (count) => {
      const items = many("Item", count);
      expect(await loadAll(engine, items)).toMatchObject({ new: count, changed: 0, unchanged: 0 });
      expect(await engine.store.terms.count("species")).toBe(count);
      const before = (await engine.store.terms.getMany("species", ["sp:1", "sp:2"])).map(({ term }) => term.json);
      expect(await loadAll(engine, items)).toMatchObject({ new: 0, changed: 0, unchanged: count });
      expect((await engine.store.terms.getMany("species", ["sp:1", "sp:2"])).map(({ term }) => term.json)).toEqual(
        before,
      );
      expect((await find(engine, "number 2")).ids[0]).toBe("sp:2");
      expect((await find(engine, "item")).total).toBe(count);
      expect((await find(engine, "alias1")).ids).toEqual(["sp:1"]);
    });

    it.each([10, MANY])(
      "keeps what a file of %i items lacks, and gives changed items their next revision",
      async (count) => {
        await putTerms(engine, [item(900_001, "Kept"), item(2, "Before"), item(3, "Item number 3")]);
        await put(item(900_001, "Kept after all"));
        const items = many("Item", count).map((content) =>
          content.id === "sp:3" ? item(3, "Item number 3") : content,
        );
        expect(await loadAll(engine, items)).toMatchObject({ new: count - 2, changed: 1, unchanged: 1 });
        expect(await Promise.all(["sp:900001", "sp:2", "sp:3", "sp:4"].map(revisionOf))).toEqual([2, 2, 1, 1]);
        expect((await find(engine, "kept")).ids).toEqual(["sp:900001"]);
        expect((await find(engine, "before")).total).toBe(0);
        expect(await engine.store.terms.count("species")).toBe(count + 1);
      },
    );

    it.each([3, MANY])("audits a load of %i items in the transaction of its changes", async (count) => {
      // Each transaction has a time of its own.
      Object.assign(clock, { nowMicros: () => (clock.micros += 1_000) });
      const auditEntry = { action: "term.import", kind: "term", place: "species" } as const;
      await loadAll(engine, many("Old", count));
      const load = () => engine.store.loadTerms("species", stream(many("New", count)), { auditEntry });
      await load();
      const [entry, ...others] = await engine.store.audit.list({ action: "term.import", limit: 9 });
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ who: "operator", place: "species", outcome: "done" });
      const { entries } = await engine.store.history.list("species", "sp:1", { offset: 0, limit: 1 });
      expect(entries[0]).toMatchObject({ action: "loaded", time: entry!.time });
      expect(await load()).toMatchObject({ unchanged: count });
      expect(await engine.store.audit.list({ action: "term.import", limit: 9 })).toHaveLength(1);
    });

    it.each([10, MANY])("leaves nothing when reading fails after %i items", async (count) => {
      await put(item(1, "Before"));
      async function* failing(): AsyncGenerator<TermContent> {
        yield* many("Item", count);
        throw new Error("line 7 is broken");
      }
      await expect(engine.store.loadTerms("species", failing())).rejects.toThrow("line 7 is broken");
      expect(await engine.store.terms.count("species")).toBe(1);
      expect((await find(engine, "item")).total).toBe(0);
      expect(await loadAll(engine, many("Item", count))).toMatchObject({ changed: 1, new: count - 1 });
    });

    it("lets the last of two items with one id count", async () => {
      await loadAll(engine, [item(1, "First"), item(2, "Other"), item(1, "Last")]);
      expect(await titleOf("sp:1")).toBe("Last");
      expect(await loadAll(engine, [item(1, "Different"), item(1, "Last")])).toMatchObject({
        new: 0,
        changed: 0,
        unchanged: 1,
      });
      expect(await revisionOf("sp:1")).toBe(1);
    });

    it("takes writes while it loads; where both changed an item, the load wins with the higher revision", async () => {
      await loadAll(engine, many("Old"));
      await loadAll(
        engine,
        Array.from({ length: GOING }, (_, n) => item(810_000 + n, "Going")),
      );
      await putTerms(engine, [item(800_000, "Stays"), item(800_001, "Goes"), item(800_002, "Changes")]);
      const items = many("New");
      let isLoading = true;
      let step = 0;
      async function* busy(): AsyncGenerator<TermContent> {
        for (const content of items) {
          if (content.id === "sp:1200") {
            // The load has seen these already, or will see them: it wins either way.
            await put(item(5, "Meanwhile"));
            await put(item(1400, "Meanwhile"));
            // However quick the load is.
            while (step < STEPS_MIN) await turn();
          }
          yield content;
        }
      }
      const loading = engine.store.loadTerms("species", busy()).finally(() => {
        isLoading = false;
      });
      const seen = new Set<number>();
      for (; isLoading; step++) {
        await put(item(700_000 + step, `Meanwhile ${step}`));
        // At some of the moments these were copied already.
        if (step < GOING) await erase(`sp:${810_000 + step}`);
        if (step < 3) await put(item(6, `Meanwhile ${step}`));
        if (step === 3) {
          await erase("sp:800001");
          await erase("sp:7");
          await put(item(800_002, "Changed meanwhile"));
        }
        seen.add((await find(engine, "new")).total);
        await turn();
      }
      await loading;
      const gone = Math.min(step, GOING);
      const writes = await find(engine, "meanwhile");
      const added = writes.ids.filter((id) => id.startsWith("sp:70"));
      expect(added.length).toBeGreaterThan(4);
      expect(writes.total).toBe(added.length + 1);
      // Never a part of the file.
      expect([...seen].every((total) => total === 0 || total === MANY)).toBe(true);
      expect((await find(engine, "new")).total).toBe(MANY);
      expect((await find(engine, "old")).total).toBe(0);
      expect(await titleOf("sp:5")).toBe("New number 5");
      expect(await titleOf("sp:6")).toBe("New number 6");
      expect(await Promise.all(["sp:4", "sp:5", "sp:1400"].map(revisionOf))).toEqual([2, 3, 3]);
      expect(Number(await revisionOf("sp:6"))).toBeGreaterThan(4);
      expect(await revisionOf("sp:7")).toBe(2);
      expect(await Promise.all(["sp:800000", "sp:800001", "sp:800002"].map(revisionOf))).toEqual([1, "gone", 2]);
      expect(await engine.store.terms.count("species")).toBe(MANY + 2 + added.length + GOING - gone);
      expect((await find(engine, "going")).total).toBe(GOING - gone);
      expect(await loadAll(engine, items)).toMatchObject({ new: 0, changed: 0, unchanged: MANY });
    });

    it("refuses a second load of the same vocabulary while one runs", async () => {
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      let first: Promise<unknown> | undefined;
      // What is read is read by the load that runs.
      await new Promise<void>((begun) => {
        async function* slow(): AsyncGenerator<TermContent> {
          begun();
          yield item(1, "One");
          await gate;
        }
        first = engine.store.loadTerms("species", slow());
      });
      await expect(loadAll(engine, [item(2, "Two")])).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      release();
      expect(await first).toMatchObject({ new: 1 });
      expect(await loadAll(engine, [item(2, "Two")])).toMatchObject({ new: 1 });
    });

    it("keeps what was loaded over a restart", async () => {
      await loadAll(engine, many());
      await put(item(3, "Single"));
      await reopen();
      expect(await engine.store.terms.count("species")).toBe(MANY);
      expect((await find(engine, "single")).ids).toEqual(["sp:3"]);
      expect((await find(engine, "item number 4")).ids[0]).toBe("sp:4");
    });

    it("refuses a vocabulary that is not declared", async () => {
      await expect(engine.store.loadTerms("nonsense", stream([]))).rejects.toMatchObject({
        code: "VOCABULARY_NOT_FOUND",
      });
    });
  });
}

/** What every store must do where several processes have it open. */
export function termLoadsBesideContract(under: EngineUnderTest, find: FindTerms = findInStore): void {
  describe(`term loads beside writes contract: ${under.name}, ${find.name}`, () => {
    afterEach(() => under.cleanUp());

    it("loads beside another process that writes: readers of both see all of the file or nothing", async () => {
      const clock = makeClock();
      const engine = await under.open({ catalog: contractCatalog(), clock });
      const put = (content: TermContent) => engine.store.transaction((tx) => tx.terms.put("species", content));
      const beside = await under.open({ catalog: contractCatalog(), clock });
      let isLoading = true;
      const loading = loadAll(beside, many("New")).finally(() => {
        isLoading = false;
      });
      const totals = new Set<number>();
      let writes = 0;
      while (isLoading) {
        await put(item(700_000 + writes, "Single"));
        writes += 1;
        totals.add((await find(engine, "new")).total);
        totals.add((await find(beside, "new")).total);
        await turn();
      }
      expect(await loading).toMatchObject({ new: MANY, changed: 0, unchanged: 0 });
      expect([...totals].every((total) => total === 0 || total === MANY)).toBe(true);
      expect((await find(engine, "single")).total).toBe(writes);
      expect(await beside.store.terms.count("species")).toBe(MANY + writes);
      await beside.close();
      await engine.close();
    });
  });
}
