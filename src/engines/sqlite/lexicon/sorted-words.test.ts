import fc from "fast-check";
import { expect, it } from "vitest";
import { compareBytes } from "../../../core/terms/term-order.js";
import { makeEditTest } from "../../../query/text/edit-distance.js";
import { makeWordList } from "./sorted-words.js";

const sorted = (words: readonly string[]): string[] =>
  [...new Set(words)].filter((word) => word !== "").sort(compareBytes);

/** Makes a list with an index of grams, however short it is. */
const listOf = (words: readonly string[]) => makeWordList([sorted(words).join(" ")], 0);

const letter = fc.constantFrom("a", "b", "c", "é", "ж", "大", "\u{1d7c0}", "\u{10ffff}");
const word = fc.string({ unit: letter, minLength: 1, maxLength: 8 });
const edits = fc.constantFrom(1 as const, 2 as const);

it("finds what the edit test finds, in its order", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), word, edits, (words, wanted, most) => {
      const near = sorted(words).filter(makeEditTest(wanted, most));
      expect(listOf(words).similar({ word: wanted, edits: most })).toEqual(near);
    }),
    { numRuns: 2_000 },
  );
});

it("finds long words with both edits anywhere", () => {
  const long = fc.string({ unit: letter, minLength: 7, maxLength: 14 });
  const place = fc.nat(14);
  const edit = fc.tuple(fc.constantFrom("insert", "delete", "replace", "swap"), place, letter);
  fc.assert(
    fc.property(long, fc.array(fc.array(edit, { maxLength: 3 }), { maxLength: 30 }), (wanted, edited) => {
      const words = sorted(edited.map((each) => each.reduce(editWord, [...wanted]).join("")));
      const near = words.filter(makeEditTest(wanted, 2));
      expect(listOf(words).similar({ word: wanted, edits: 2 })).toEqual(near);
      const longer = sorted(words.map((each) => `${each}abc`));
      expect(listOf(longer).similarBeginnings({ word: wanted, edits: 2 })).toEqual(shortestPrefixes(longer, wanted, 2));
    }),
    { numRuns: 2_000 },
  );
});

/** Returns the shortest prefixes of words that are within the distance. */
function shortestPrefixes(words: readonly string[], wanted: string, most: 1 | 2): readonly string[] {
  const test = makeEditTest(wanted, most);
  const prefixes = (other: string) => [...other].map((_, i, all) => all.slice(0, i + 1).join(""));
  return [...new Set(words.flatMap((other) => prefixes(other).find(test) ?? []))];
}

function editWord(letters: string[], [kind, place, added]: readonly [string, number, string]): string[] {
  const at = place % (letters.length + 1);
  if (kind === "insert") return letters.toSpliced(at, 0, added);
  if (kind === "delete") return letters.toSpliced(at, 1);
  if (kind === "replace") return letters.toSpliced(at, 1, added);
  return letters.toSpliced(at, 2, ...letters.slice(at, at + 2).reverse());
}

it("finds the shortest beginnings that the edit test finds", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), word, edits, (words, wanted, most) => {
      expect(listOf(words).similarBeginnings({ word: wanted, edits: most })).toEqual(
        shortestPrefixes(sorted(words), wanted, most),
      );
    }),
    { numRuns: 2_000 },
  );
});

it("passes over many words that begin too far away", () => {
  const many = sorted(
    fc.sample(fc.string({ unit: fc.constantFrom(..."abcdé大"), maxLength: 9 }), { numRuns: 30_000, seed: 1 }),
  );
  const numbers = Array.from({ length: 30_000 }, (_, n) => `${n}`);
  const words = sorted([...many, ...numbers]);
  const list = listOf(words);
  for (const wanted of ["abcd", "édbca", "大大", "12345", "a", "zzzz", ...fc.sample(word, { numRuns: 10, seed: 2 })]) {
    for (const most of [1, 2] as const) {
      expect(list.similar({ word: wanted, edits: most })).toEqual(words.filter(makeEditTest(wanted, most)));
    }
  }
});

it("holds the words that it was made of, from texts of any length, and finds their places", () => {
  const words = sorted(["a", "ab", "abc", "é", "e", "x".repeat(256), "大".repeat(100), "大".repeat(101), "\u{1f600}"]);
  const list = makeWordList(["a ab ", "", `${words.slice(2).join(" ")} `]);
  expect(Array.from({ length: list.size }, (_, n) => list.word(n))).toEqual(words);
  const beginning = (text: string) => list.beginning(text, () => true);
  expect(beginning("")).toEqual(words);
  expect(beginning("a")).toEqual(["a", "ab", "abc"]);
  expect(list.beginning("a", (rest) => rest.length === 1)).toEqual(["ab"]);
  expect(beginning("大".repeat(101))).toEqual(["大".repeat(101)]);
  expect(beginning("\u{10ffff}")).toEqual([]);
  expect(list.similar({ word: "大".repeat(99), edits: 2 })).toEqual(["大".repeat(100), "大".repeat(101)]);
  expect(makeWordList([]).similar({ word: "a", edits: 2 })).toEqual([]);
  expect(list.bytes).toBeGreaterThan(words.join("").length);
});
