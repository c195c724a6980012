import { describe, expect, it } from "vitest";
import { type CitedKey, compareBytes, compareCited, compareRank, numberNodes } from "./term-order.js";

describe("numberNodes", () => {
  it("gives each node the interval of its subtree", () => {
    //  1 ─ 2 ─ 4
    //    └ 3        5 (a second root)
    const { lo, hi, isForest } = numberNodes(Uint32Array.from([0, 0, 1, 1, 2, 0]));
    expect([...lo].slice(1)).toEqual([1, 2, 4, 3, 5]);
    expect([...hi].slice(1)).toEqual([4, 3, 4, 3, 5]);
    expect(isForest).toBe(true);
  });

  it("walks a chain of a million nodes without a stack", () => {
    const { lo, hi } = numberNodes(Uint32Array.from({ length: 1_000_001 }, (_, node) => (node === 0 ? 0 : node - 1)));
    expect([lo[1_000_000], hi[1]]).toEqual([1_000_000, 1_000_000]);
  });

  it("tells that parents lead in circles", () => {
    expect(numberNodes(Uint32Array.from([0, 2, 1, 0])).isForest).toBe(false);
    expect(numberNodes(Uint32Array.from([0, 1])).isForest).toBe(false);
  });

  it("takes an empty forest", () => {
    expect(numberNodes(new Uint32Array(1))).toMatchObject({ isForest: true });
  });
});

const item = (ext: string, key: Partial<CitedKey> = {}): CitedKey => {
  return { ext, status: 0, prior: 0, length: 5, cited: 0, ...key };
};

const sorted = (items: readonly CitedKey[], compare: (a: CitedKey, b: CitedKey) => number): string =>
  [...items]
    .sort(compare)
    .map(({ ext }) => ext)
    .join(" ");

it("ranks by status, prior, length of the title and id", () => {
  const items = [
    item("deprecated", { status: 1, prior: 9, cited: 9 }),
    item("b"),
    item("a"),
    item("short", { length: 4 }),
    item("known", { prior: 1, length: 9 }),
  ];
  expect(sorted(items, compareRank)).toBe("known short a b deprecated");
});

it("puts what is cited most before its rank, after its status", () => {
  const items = [item("known", { prior: 1 }), item("cited", { cited: 2 }), item("old", { status: 1, cited: 9 })];
  expect(sorted(items, compareCited)).toBe("cited known old");
});

it("compares ids by code point, not by UTF-16 unit", () => {
  expect(compareBytes("\uFF5E", "\u{1F9EA}")).toBeLessThan(0);
  expect(compareBytes("a", "a")).toBe(0);
  const texts = ["", "a", "ab", "é", "\u4E00", "\uD7FF", "\uE000", "\uFFFD", "\u{10000}", "\u{1F9EA}", "\u{10FFFF}"];
  for (const a of texts) {
    for (const b of texts) {
      expect(Math.sign(compareBytes(`x${a}`, `x${b}`))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }
  }
});
