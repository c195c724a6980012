import fc from "fast-check";
import { expect, it } from "vitest";
import type { PlacedValue } from "../../../query/index-model/record-document.js";
import {
  eachValue,
  findKeywords,
  findNumbers,
  keywordTest,
  packKeys,
  packNumbers,
  packTexts,
} from "./packed-values.js";

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
        const [vals, packed] = [Buffer.concat([packNumbers(numbers), packKeys(keys)]), packTexts(texts)];
        const seen: [element: number, value: number][] = [];
        findNumbers(vals, path, (element, value) => seen.push([element, value]));
        const all: [path: number, element: number, value: number][][] = [[], []];
        eachValue(
          vals,
          (...number) => all[0]!.push(number),
          (...key) => all[1]!.push(key),
        );
        const here = <V>(values: readonly PlacedValue<V>[]) => values.filter((value) => value.path === path);
        expect(seen).toEqual(here(numbers).map(({ element, value }) => [element, value]));
        const placesOf = (values: readonly PlacedValue<number>[]) =>
          values.map((value) => [value.path, value.element, value.value]);
        expect(all).toEqual([placesOf(numbers), placesOf(keys)]);

        const seenTexts: string[] = [];
        const elements: number[] = [];
        findKeywords(
          { vals, texts: packed },
          new Set([path]),
          (folded) => seenTexts.push(folded.toString("utf8")) > 0,
          (key) => KEYS[key]!,
          (element) => elements.push(element),
        );
        expect(seenTexts).toEqual([
          ...here(keys).map(({ value }) => KEYS[value]!.toString("utf8")),
          ...here(texts).map(({ value }) => value),
        ]);
        expect(elements).toEqual([...here(keys), ...here(texts)].map(({ element }) => element));
      },
    ),
  );
});

it("compares keywords by code point, with and without their ends", () => {
  const fits = (text: string, ends: Parameters<typeof keywordTest>[0]): boolean =>
    keywordTest(ends)(Buffer.from(text, "utf8"));
  const b = (inclusive: boolean) => ({ value: "b", inclusive });
  expect(["a", "b", "ba", "\u{1f9ea}"].map((text) => fits(text, { from: b(true) }))).toEqual([false, true, true, true]);
  expect(["a", "b", "ba"].map((text) => fits(text, { from: b(false) }))).toEqual([false, false, true]);
  expect(["a", "b", "ba"].map((text) => fits(text, { to: b(true) }))).toEqual([true, true, false]);
  expect(["a", "b", "ba"].map((text) => fits(text, { to: b(false) }))).toEqual([true, false, false]);
});
