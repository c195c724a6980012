import fc from "fast-check";
import { expect, it } from "vitest";
import { listCited, listTop, listTree } from "../../../query/index-model/list-buckets.js";
import { makeDocIdSet } from "../bitmaps/doc-id-set.js";
import { OrdinalColumn } from "../doc-values/ordinal-column.js";
import type { Lineage } from "../vocabulary/store/lineage.js";
import { countBuckets } from "./count-facet.js";
import { type FacetColumn, FacetCounter } from "./facet-counter.js";
import { listCounts, listSome, listTreeCounts } from "./top-buckets.js";

/** Ids n0, n1, ... of which some stand below another one, circles included, and what records cite at two paths. */
const anyWorld = fc.record({
  parents: fc.array(fc.option(fc.nat({ max: 12 }), { freq: 5 }), { minLength: 13, maxLength: 13 }),
  batches: fc.array(fc.array(fc.tuple(anyIds(), anyIds()), { maxLength: 40 }), { minLength: 1, maxLength: 3 }),
  size: fc.integer({ min: 1, max: 6 }),
  selected: fc.uniqueArray(
    fc.nat({ max: 14 }).map((n) => `n${n}`),
    { maxLength: 3 },
  ),
  paths: fc.constantFrom(1, 2),
});

function anyIds(): fc.Arbitrary<number[]> {
  return fc.array(fc.nat({ max: 12 }), { maxLength: 3 });
}

function lineageOf(parents: readonly (number | null)[]): Lineage {
  const above = (id: string): string[] => {
    const line: string[] = [];
    for (let at = parents[Number(id.slice(1))] ?? null; at !== null; at = parents[at] ?? null) {
      if (`n${at}` === id || line.includes(`n${at}`)) break;
      line.push(`n${at}`);
    }
    return line;
  };
  return {
    findAncestors: (_, ids) => new Map(ids.map((id) => [id, above(id)])),
    descendantsAmong: () => new Set(),
  };
}

/** Columns whose key k of path p is the id n(k - 100 p): the same id has another key at each path. */
function columnsOf(paths: number): FacetColumn[] {
  return Array.from({ length: paths }, (_, path) => ({
    column: new OrdinalColumn({ owners: new Uint32Array(), values: [] }),
    keyName: (key) => `n${key - 100 * path}`,
  }));
}

type Cited = readonly (readonly number[])[];

function add(columns: readonly FacetColumn[], first: number, records: readonly Cited[]): void {
  for (const [path, { column }] of columns.entries()) {
    const pairs = records.flatMap((cited, i) => cited[path]!.map((id) => [first + i, id + 100 * path] as const));
    column.change([], { owners: Uint32Array.from(pairs, ([owner]) => owner), values: pairs.map(([, key]) => key) });
  }
}

it.each(["terms", "tree"] as const)("counts and lists as it is defined: %s", (kind) => {
  fc.assert(
    fc.property(anyWorld, ({ parents, batches, size, selected, paths }) => {
      const lineage = lineageOf(parents);
      const columns = columnsOf(paths);
      const counter = new FacetCounter(kind === "tree" ? "v" : undefined, columns, lineage);
      const records: Cited[] = [];
      for (const batch of batches) {
        add(columns, records.length, batch);
        counter.extend(columns);
        records.push(...batch);
      }
      const hits = records.flatMap((_, i) => (i % 4 === 1 ? [] : [i]));
      const counts = countBuckets(columns, makeDocIdSet(hits), counter);

      const expected = new Map<string, number>();
      for (const hit of hits) {
        const ids = records[hit]!.slice(0, paths)
          .flat()
          .map((n) => `n${n}`);
        const above = kind === "tree" ? [...lineage.findAncestors("v", ids).values()].flat() : [];
        for (const id of new Set([...ids, ...above])) expected.set(id, (expected.get(id) ?? 0) + 1);
      }
      const found = counter.names.flatMap((name, i) => (counts[i]! > 0 ? [[name, counts[i]!] as const] : []));
      expect(new Map(found)).toEqual(expected);

      const getParentId = (id: string): string | undefined => {
        const parent = parents[Number(id.slice(1))] ?? null;
        return parent === null || `n${parent}` === id ? undefined : `n${parent}`;
      };
      const shown = { size, selected };
      const unlisted = ["n1", "n3"];
      if (kind === "terms") expect(listCounts(counts, counter, shown)).toEqual(listTop(expected, size, selected));
      else {
        const there = new Map(expected);
        for (const id of selected) if (!there.has(id)) there.set(id, 0);
        const listed = listTreeCounts(counts, counter, { ...shown, unlisted }, (ids) =>
          lineage.findAncestors("v", ids),
        );
        const whole = { counts: there, getParentId, unlisted };
        expect(listed).toEqual(listTree(whole, size, selected));
        const cited = listSome({ cited: true }, { ...shown, unlisted }, counts, counter);
        expect(cited).toEqual(listCited({ ...whole, counts: expected }, size, selected));
      }
    }),
    { numRuns: 500 },
  );
});

it("lists the first by name of very many that count the same", () => {
  const [one] = columnsOf(1);
  const owners = Uint32Array.from({ length: 5_000 }, (_, i) => i);
  one!.column.change([], { owners, values: owners });
  const counter = new FacetCounter(undefined, [one!], lineageOf([]));
  const counts = countBuckets([one!], makeDocIdSet(owners), counter);
  const { buckets, other } = listCounts(counts, counter, { size: 3, selected: ["n77", "x"] });
  expect(buckets).toEqual([...["n0", "n1", "n10", "n77"].map((key) => ({ key, count: 1 })), { key: "x", count: 0 }]);
  expect(other).toBe(4_996);
});
