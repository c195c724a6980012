import fc from "fast-check";
import { expect, it } from "vitest";
import { findValues, packTexts, packValues, someValue } from "./vals.js";

const placed = <V>(value: fc.Arbitrary<V>) =>
  fc.array(fc.record({ path: fc.integer({ min: 1, max: 4 }), element: fc.integer({ min: 0, max: 1 << 20 }), value }), {
    maxLength: 6,
  });

const KEYS = ["", "alpha", "größe", "東京"].map((text) => Buffer.from(text, "utf8"));

it("finds each value at its own path, and no other", () => {
  fc.assert(
    fc.property(
      placed(fc.double({ noNaN: true })),
      placed(fc.nat({ max: KEYS.length - 1 })),
      placed(fc.constantFrom("", "alpha", "größe", "東京", "x".repeat(300))),
      fc.integer({ min: 1, max: 5 }),
      (numbers, keys, texts, path) => {
        const [vals, packed] = [packValues(numbers, keys), packTexts(texts)];
        const seenNumbers: number[] = [];
        const seenTexts: string[] = [];
        const test = {
          paths: new Set([path]),
          number: (value: number) => seenNumbers.push(value) < 0,
          text: (folded: Buffer) => seenTexts.push(folded.toString("utf8")) < 0,
        };
        expect(someValue(vals, packed, test, (key) => KEYS[key]!)).toBe(false);
        const here = <V>(values: readonly { path: number; value: V }[]) =>
          values.filter((value) => value.path === path).map(({ value }) => value);
        expect(seenNumbers).toEqual(here(numbers));
        expect(seenTexts).toEqual([...here(keys).map((key) => KEYS[key]!.toString("utf8")), ...here(texts)]);
      },
    ),
  );
});

it("stops at the first value that fits", () => {
  const numbers = [1, 2, 3].map((value) => ({ path: 7, element: 0, value }));
  const test = { paths: new Set([7]), number: (value: number) => value === 2 };
  expect(someValue(packValues(numbers, []), packTexts([]), test, () => Buffer.alloc(0))).toBe(true);
});

it("says in which element each value that fits stands, whatever its kind", () => {
  const at = (element: number, value: number) => ({ path: 7, element, value });
  const texts = packTexts([{ path: 7, element: 70_000, value: "alpha" }]);
  const elements: number[] = [];
  const test = { paths: new Set([7]), number: () => true, text: () => true };
  const take = (element: number): boolean => elements.push(element) < 0;
  expect(findValues(packValues([at(3, 1)], [at(1 << 19, 1)]), texts, test, (key) => KEYS[key]!, take)).toBe(false);
  expect(elements).toEqual([3, 1 << 19, 70_000]);
});
