import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listTop, listTree } from "./list-buckets.js";

const counts = (of: Record<string, number>): ReadonlyMap<string, number> => new Map(Object.entries(of));

describe("the largest buckets", () => {
  const four = counts({ b: 2, a: 2, c: 5, d: 1, none: 0 });
  const listed = (size: number, ...selected: string[]): unknown => {
    const { buckets, other } = listTop(four, size, selected);
    return [buckets.map(({ key, count }) => `${key} ${count}`).join(", "), other];
  };

  it("come first, of equal ones the smaller key, and the others are summed", () => {
    expect(listed(9)).toEqual(["c 5, a 2, b 2, d 1", 0]);
    expect(listed(2)).toEqual(["c 5, a 2", 3]);
    expect(listed(0)).toEqual(["", 10]);
  });

  it("are joined by selected ones, each once, with 0 too", () => {
    expect(listed(1, "d", "d", "c")).toEqual(["c 5, d 1", 4]);
    expect(listed(1, "none", "x")).toEqual(["c 5, none 0, x 0", 5]);
  });
});

/**
 *        root
 *       /    \
 *  bacteria  eukaryota
 *     |       /     \
 *   coli   human   yeast
 */
const PARENTS: Readonly<Record<string, string>> = {
  bacteria: "root",
  eukaryota: "root",
  coli: "bacteria",
  human: "eukaryota",
  yeast: "eukaryota",
};
const getParentId = (id: string): string | undefined => PARENTS[id];
const tree = (of: Record<string, number>, size = 20, ...selected: string[]): unknown => {
  const { buckets, other } = listTree({ counts: counts(of), getParentId, unlisted: ["life"] }, size, selected);
  return [buckets.map(({ key, count, parent }) => `${key} ${count}${parent ? ` in ${parent}` : ""}`), other];
};

describe("the buckets of a tree", () => {
  const some = { root: 9, bacteria: 5, coli: 5, eukaryota: 6, human: 4, yeast: 3 };

  it("leave out what says no more than a child, and name the nearest ancestor that is there", () => {
    expect(tree(some)).toEqual([["eukaryota 6", "coli 5", "human 4 in eukaryota", "yeast 3 in eukaryota"], 0]);
    expect(tree({ root: 5, bacteria: 5, coli: 5 })).toEqual([["coli 5"], 0]);
  });

  it("sum what could be there and is not", () => {
    expect(tree(some, 2)).toEqual([["eukaryota 6", "coli 5"], 7]);
    expect(tree(some, 2, "yeast")).toEqual([["eukaryota 6", "coli 5", "yeast 3 in eukaryota"], 4]);
  });

  it("keep what is selected, in its place, with 0 too", () => {
    expect(tree({ root: 5, bacteria: 5, coli: 5 }, 20, "bacteria", "yeast", "x")).toEqual([
      ["bacteria 5", "coli 5 in bacteria", "x 0", "yeast 0"],
      0,
    ]);
  });

  it("begin where the hits divide, but for what is cited there itself, and with what is selected", () => {
    expect(tree({ root: 7, eukaryota: 7, human: 4, yeast: 3 })).toEqual([["human 4", "yeast 3"], 0]);
    expect(tree({ root: 9, eukaryota: 9, human: 4, yeast: 3 })).toEqual([
      ["eukaryota 9", "human 4 in eukaryota", "yeast 3 in eukaryota"],
      0,
    ]);
    expect(tree({ root: 7, eukaryota: 7, human: 4, yeast: 3, alien: 1 }, 20)).toEqual([
      ["eukaryota 7", "human 4 in eukaryota", "yeast 3 in eukaryota", "alien 1"],
      0,
    ]);
    expect(tree(some, 2, "root")).toEqual([["root 9", "eukaryota 6 in root"], 12]);
  });

  it("leave out what is not to be listed, wherever it stands", () => {
    const life = { life: 8, root: 3, human: 8, x: 1 };
    expect(tree(life)).toEqual([["human 8 in root", "root 3", "x 1"], 0]);
    expect(tree(life, 1, "life")).toEqual([["human 8", "life 8"], 4]);
  });

  it("keep items whose parents lead in a circle", () => {
    const circle = (id: string): string | undefined => ({ a: "b", b: "a", c: "a" })[id];
    const { buckets } = listTree({ counts: counts({ a: 2, b: 2, c: 1 }), getParentId: circle, unlisted: [] }, 20, []);
    expect(buckets).toEqual([
      { key: "a", count: 2, parent: "b" },
      { key: "b", count: 2, parent: "a" },
      { key: "c", count: 1, parent: "a" },
    ]);
  });
});

/** A forest of items n0, n1, ... and records that cite some; counts as the contract says. */
const forest = fc
  .record({
    parents: fc.array(fc.option(fc.nat({ max: 30 }), { freq: 4 }), { minLength: 1, maxLength: 14 }),
    records: fc.array(fc.array(fc.nat({ max: 13 }), { maxLength: 3 }), { maxLength: 12 }),
    size: fc.nat({ max: 8 }),
    selected: fc.array(fc.nat({ max: 15 }), { maxLength: 2 }),
  })
  .map(({ parents, records, size, selected }) => {
    const above = new Map<string, string>(
      parents.flatMap((p, i) => (p === null || i === 0 ? [] : [[`n${i}`, `n${p % i}`] as const])),
    );
    const lineOf = (id: string): string[] => [id, ...(above.has(id) ? lineOf(above.get(id)!) : [])];
    const counted = new Map<string, number>();
    for (const cited of records) {
      const ids = new Set(cited.flatMap((n) => lineOf(`n${n % parents.length}`)));
      for (const id of ids) counted.set(id, (counted.get(id) ?? 0) + 1);
    }
    return { above, lineOf, counted, size, selected: selected.map((n) => `n${n}`) };
  });

describe("of any tree", () => {
  it("the cited items are represented: what is hidden has a child like it, or is above all", () => {
    fc.assert(
      fc.property(forest, ({ above, lineOf, counted, selected }) => {
        const whole = { counts: counted, getParentId: (id: string) => above.get(id), unlisted: [] };
        const keys = new Set(listTree(whole, 1_000, selected).buckets.map(({ key }) => key));
        for (const [id, count] of counted) {
          const children = [...counted].filter(([child]) => above.get(child) === id);
          const isSame = children.some(([, other]) => other === count);
          const isInLine = [...counted].every(
            ([other, n]) => lineOf(other).includes(id) || (lineOf(id).includes(other) && n === count),
          );
          const isShared = children.length > 1 && children.reduce((sum, [, n]) => sum + n, 0) >= count;
          expect(keys.has(id)).toBe(!(isSame || (isInLine && isShared)) || selected.includes(id));
        }
      }),
    );
  });

  it("parents are listed, above, and count no less; what is not listed counts no more than what is", () => {
    fc.assert(
      fc.property(forest, ({ above, lineOf, counted, size, selected }) => {
        const { buckets, other } = listTree(
          { counts: counted, getParentId: (id) => above.get(id), unlisted: [] },
          size,
          selected,
        );
        const whole = listTree(
          { counts: counted, getParentId: (id) => above.get(id), unlisted: [] },
          1_000,
          selected,
        ).buckets;
        const byKey = new Map(buckets.map((bucket) => [bucket.key, bucket]));
        for (const { key, count, parent } of buckets) {
          const listedAbove = lineOf(key)
            .slice(1)
            .find((id) => byKey.has(id));
          expect(parent).toBe(listedAbove);
          if (parent !== undefined) expect(byKey.get(parent)!.count).toBeGreaterThanOrEqual(count);
        }
        for (const key of selected) expect(byKey.has(key)).toBe(true);
        const left = whole.filter(({ key }) => !byKey.has(key));
        expect(other).toBe(left.reduce((sum, { count }) => sum + count, 0));
        const free = buckets.filter(({ key }) => !selected.includes(key));
        expect(free.length).toBeLessThanOrEqual(size);
        for (const { count } of left) for (const kept of free) expect(kept.count).toBeGreaterThanOrEqual(count);
        expect([...buckets].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))).toEqual(buckets);
      }),
    );
  });
});
