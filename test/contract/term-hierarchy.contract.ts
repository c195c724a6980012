import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TermContent } from "../../src/core/term.js";
import type { Engine } from "../../src/ports/engine.js";
import type { TermSearch } from "../../src/ports/search-index.js";
import type { Clause } from "../../src/query/index-model/clause.js";
import { contractCatalog, type EngineUnderTest, makeClock } from "../support/engines/engine-under-test.js";
import { item, loadAll, putTerms } from "../support/engines/term-fixtures.js";

const COUNT = process.env.TEST_LONG === undefined ? 8_000 : 100_000;
const DEEP = 2_000;
const WIDE = 3_000;

/** A chain of 2,000, 3,000 children of one item, and a bushy rest; every 500th names a parent that is none. */
function treeItems(): Map<string, TermContent> {
  const parentOf = (n: number): number => {
    if (n < DEEP) return n - 1;
    if (n < DEEP + WIDE) return 10;
    if (n % 500 === 0) return COUNT + n;
    return (n * 7_919) % (n >> 1);
  };
  const items = Array.from({ length: COUNT }, (_, n) => {
    const parent = parentOf(n);
    const rank = { props: { rank: n % 3 === 0 ? "species" : "strain" } };
    return item(n, `Item ${n}`, parent < 0 ? rank : { ...rank, parent: `sp:${parent}` });
  });
  return new Map(items.map((content) => [content.id, content]));
}

/** Ids of all items below each, by going down from it: obviously right. */
function makeBelow(items: ReadonlyMap<string, TermContent>): (ancestor: string) => Set<string> {
  const children = new Map<string, string[]>();
  for (const { id, parent } of items.values()) {
    if (parent === undefined) continue;
    const siblings = children.get(parent) ?? [];
    siblings.push(id);
    children.set(parent, siblings);
  }
  return (ancestor) => {
    const found = new Set<string>();
    const open = [ancestor];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const child of children.get(next) ?? []) {
        if (child === ancestor || found.has(child)) continue;
        found.add(child);
        open.push(child);
      }
    }
    return found;
  };
}

/** Ids of whom random writes are made: deep, wide, at the edge of both, and such as are no items. */
const WRITTEN = fc.oneof(fc.nat(COUNT - 1), fc.nat(30), fc.integer({ min: 1_990, max: 2_010 })).map((n) => `sp:${n}`);
const MISSING = fc.constantFrom(`sp:${COUNT + 5_500}`, `sp:${COUNT + 6_000}`, "sp:999001", "sp:999002");
const CHANGE = fc.record({
  kind: fc.constantFrom("put", "put", "put", "erase"),
  id: fc.oneof(WRITTEN, MISSING),
  parent: WRITTEN,
});

/** Loads the items into an engine before the tests of the suite that calls this, and removes it after them. */
function openTree(under: EngineUnderTest, take: (engine: Engine, items: Map<string, TermContent>) => void): void {
  let engine: Engine;
  beforeAll(async () => {
    engine = await under.open({ catalog: contractCatalog(), clock: makeClock() });
    const items = treeItems();
    await loadAll(engine, items.values());
    take(engine, items);
  }, 300_000);
  afterAll(async () => {
    await engine.close();
    await under.cleanUp();
  });
}

/** What every store must say of who stands above and below an item, however they came there. */
export function termTreeContract(under: EngineUnderTest): void {
  describe(`term tree contract: ${under.name}`, () => {
    let engine: Engine;
    let items: Map<string, TermContent>;

    openTree(under, (opened, loaded) => {
      [engine, items] = [opened, loaded];
    });

    /** By going up from the item, which a circle ends. */
    const above = (id: string): string[] => {
      const path = new Set([id]);
      for (let at = items.get(id)?.parent; at !== undefined && items.has(at) && !path.has(at); ) {
        path.add(at);
        at = items.get(at)!.parent;
      }
      return [...path].slice(1).reverse();
    };
    const check = async (ids: readonly string[]): Promise<void> => {
      const { terms } = engine.store;
      for (const id of ids) {
        const children = [...items.values()].filter(({ parent }) => parent === id).map((child) => child.id);
        expect([id, await terms.children("species", id)]).toEqual([id, children.length]);
        expect(new Set(await terms.childIds("species", id))).toEqual(new Set(children));
        expect([...(await terms.parentsAmong("species", [id, "sp:nobody"]))]).toEqual(
          children.length === 0 ? [] : [id],
        );
        const found = await terms.getExact("species", id);
        expect(found?.ancestors.map((each) => each.id)).toEqual(items.has(id) ? above(id) : undefined);
      }
      const placed = await terms.getPlaced("species", ids);
      expect(placed.map(({ term, ancestors }) => [term.id, ancestors.map((each) => each.id)])).toEqual(
        ids.filter((id) => items.has(id)).map((id) => [id, above(id)]),
      );
    };

    it("knows parents and children, deep and wide", { timeout: 60_000 }, async () => {
      await check(["sp:0", "sp:10", "sp:1500", "sp:1999", "sp:2500", "sp:7000", `sp:${COUNT + 5_500}`]);
    });

    it("follows what single writes add, move, behead and bring back", { timeout: 240_000 }, async () => {
      const rounds = fc.sample(fc.array(CHANGE, { minLength: 1, maxLength: 8 }), { numRuns: 12, seed: 3 });
      for (const round of rounds) {
        const touched = new Set(["sp:0", "sp:10", "sp:1500"]);
        for (const { kind, id, parent } of round) {
          touched.add(id).add(parent);
          if (kind === "put") {
            const content = item(id, `Moved ${id}`, parent === id ? {} : { parent });
            await putTerms(engine, [content]);
            items.set(id, content);
          } else if (items.delete(id)) {
            await engine.store.transaction((tx) => tx.terms.delete("species", id));
          }
        }
        await check([...touched]);
      }
    });
  });
}

/** What every index must do with items above and below each other, however they came there. */
export function termHierarchyContract(under: EngineUnderTest): void {
  describe(`hierarchy contract: ${under.name}`, () => {
    let engine: Engine;
    let items: Map<string, TermContent>;

    openTree(under, (opened, loaded) => {
      [engine, items] = [opened, loaded];
    });

    const total = async (changes: Partial<TermSearch>): Promise<number> => {
      const found = await engine.index.searchTerms({
        ...{ vocabulary: "species", clause: { kind: "everything" }, facets: [], sort: "title", lang: "en" },
        page: { offset: 0, limit: 1 },
        ...changes,
      });
      return found.total;
    };
    const cites = (id: string, within: boolean): Clause => ({ kind: "cites", vocabularies: ["species"], id, within });
    const species: Clause = { kind: "words", place: { in: "paths", paths: ["props.rank"] }, words: ["species"] };
    const put = async (content: TermContent): Promise<void> => {
      await putTerms(engine, [content]);
      items.set(content.id, content);
    };
    const erase = async (id: string): Promise<void> => {
      await engine.store.transaction((tx) => tx.terms.delete("species", id));
      items.delete(id);
    };

    /** Each way to ask for what lies below, for these items. */
    async function check(ids: readonly string[]): Promise<void> {
      const belowOf = makeBelow(items);
      for (const id of ids) {
        const below = belowOf(id);
        const isSpecies = (each: string): boolean => items.get(each)!.props.rank === "species";
        const itself = items.has(id) ? 1 : 0;
        expect([id, await total({ ancestor: id })]).toEqual([id, below.size]);
        expect([id, await total({ clause: cites(id, true) })]).toEqual([id, below.size + itself]);
        expect([id, await total({ clause: cites(id, false) })]).toEqual([id, itself]);
        const both = { kind: "all" as const, of: [cites(id, true), species] };
        const speciesBelow = [...below, ...(itself === 1 ? [id] : [])].filter(isSpecies).length;
        expect([id, await total({ clause: both })]).toEqual([id, speciesBelow]);
        const not = { kind: "not" as const, of: cites(id, true) };
        expect([id, await total({ clause: not })]).toEqual([id, items.size - below.size - itself]);
        const children = [...items.values()].filter(({ parent }) => parent === id).length;
        expect([id, await total({ parent: id })]).toEqual([id, children]);
      }
    }

    const PLACES = [
      "sp:0",
      "sp:9",
      "sp:10",
      "sp:11",
      "sp:1500",
      "sp:1999",
      "sp:2500",
      "sp:7000",
      "sp:7001",
      "sp:404404",
    ];

    it("counts what lies below, deep and wide", { timeout: 60_000 }, async () => {
      await check([...PLACES, `sp:${COUNT + 5_500}`, `sp:${COUNT - 1}`]);
    });

    it("names the items below one, and the way from the root", { timeout: 60_000 }, async () => {
      const { hits } = await engine.index.searchTerms({
        ...{ vocabulary: "species", clause: cites("sp:1990", true), facets: [], sort: "oldest", lang: "en" },
        page: { offset: 0, limit: 1_000 },
      });
      expect(new Set(hits.map(({ id }) => id))).toEqual(makeBelow(items)("sp:1990").add("sp:1990"));
      const found = await engine.store.terms.get("species", "sp:1999");
      expect(found?.kind === "found" && found.ancestors.map(({ id }) => id)).toEqual(
        Array.from({ length: 1_999 }, (_, n) => `sp:${n}`),
      );
    });

    it("follows what single writes add, move, behead and bring back", { timeout: 240_000 }, async () => {
      const rounds = fc.sample(fc.array(CHANGE, { minLength: 1, maxLength: 8 }), { numRuns: 12, seed: 3 });
      for (const round of rounds) {
        const touched = new Set<string>();
        for (const { kind, id: each, parent } of round) {
          touched.add(each).add(parent);
          if (kind === "put") await put(item(each, `Moved ${each}`, parent === each ? {} : { parent }));
          else if (items.has(each)) await erase(each);
        }
        await check([...touched, "sp:0", "sp:10", "sp:1500"]);
      }
    });
  });
}
