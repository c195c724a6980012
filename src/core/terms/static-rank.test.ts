import { expect, it } from "vitest";
import { type CitedKey, compareBytes, compareCited, compareRank } from "./static-rank.js";

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
});
