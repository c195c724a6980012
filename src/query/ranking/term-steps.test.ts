import { describe, expect, it } from "vitest";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Clause } from "../index-model/clause.js";
import {
  bestMatchTermSteps,
  identifierKeys,
  isId,
  matchesTitleStart,
  TERM_STEPS,
  typedWordQuery,
  urlKeys,
  withTolerantSteps,
} from "./term-steps.js";
import { readTypedText } from "./typed-words.js";

const vocabulary = { idPrefixes: ["cid"] } as unknown as Vocabulary;
const clause: Clause = { kind: "words", place: { in: "text" }, words: ["water"] };

describe("bestMatchTermSteps", () => {
  it("lists every step that forgives nothing, by number, where the query is words", () => {
    const steps = bestMatchTermSteps(clause, { words: ["water"], url: [] }, vocabulary);
    const exact = Object.values(TERM_STEPS).filter((number) => number < TERM_STEPS.prefixInTitle);
    expect(steps.map(({ number }) => number)).toEqual(exact);
    expect(steps.at(-1)?.test).toEqual({ kind: "rest" });
  });

  it("looks at no whole names where the query is more than words, or too long for a name", () => {
    const fewer = [TERM_STEPS.inTitle, TERM_STEPS.inNames, TERM_STEPS.anywhere];
    const tooLong = { words: ["x".repeat(513)], url: [] };
    expect(bestMatchTermSteps(clause, undefined, vocabulary).map(({ number }) => number)).toEqual(fewer);
    expect(bestMatchTermSteps(clause, tooLong, vocabulary).map(({ number }) => number)).toEqual(fewer);
  });

  it("has the whole clause hold besides where only a part of the text says how titles begin", () => {
    const typed = readTypedText("Escherichia c. O157");
    const start = bestMatchTermSteps(typed.clause, typedWordQuery(typed, []), vocabulary).find(
      ({ number }) => number === TERM_STEPS.titleStart,
    );
    expect(start?.test).toEqual({
      kind: "titleStart",
      start: { words: ["escherichia"], isPrefix: false, isPart: true },
      besides: typed.clause,
    });
  });

  it("keeps its steps to true matches where others follow: what is cut short, then what is mistyped", () => {
    const best = bestMatchTermSteps(clause, undefined, vocabulary);
    const numbersOf = (forgiven: Parameters<typeof withTolerantSteps>[1]) =>
      withTolerantSteps(best, forgiven).map(({ number, isExact = false }) => [number, isExact]);
    const exact = [TERM_STEPS.inTitle, TERM_STEPS.inNames, TERM_STEPS.anywhere].map((number) => [number, true]);
    const begun = [TERM_STEPS.prefixInTitle, TERM_STEPS.prefixInNames, TERM_STEPS.prefixAnywhere].map((number) => [
      number,
      false,
    ]);
    const near = [TERM_STEPS.nearInTitle, TERM_STEPS.nearInNames, TERM_STEPS.nearAnywhere].map((number) => [
      number,
      false,
    ]);
    expect(numbersOf({ beginnings: clause, isNear: true })).toEqual([...exact, ...begun, ...near]);
    expect(numbersOf({ beginnings: clause, isNear: false })).toEqual([...exact, ...begun]);
    expect(numbersOf({ isNear: true })).toEqual([...exact, ...near]);
    expect(withTolerantSteps(best, { isNear: false })).toEqual(best);
  });

  it.each([true, false])(
    "takes all that is left with the last step, whether or not typos are forgiven (%s)",
    (isNear) => {
      const steps = withTolerantSteps(bestMatchTermSteps(clause, undefined, vocabulary), {
        beginnings: clause,
        isNear,
      });
      expect(steps.filter((step) => step.test.kind === "rest" && step.isExact !== true)).toEqual([steps.at(-1)]);
    },
  );
});

describe("identifierKeys", () => {
  it("reads words whole, and without a prefix of the vocabulary", () => {
    const keys = identifierKeys(["cid", "962"], [], vocabulary);
    expect(keys).toEqual({ whole: "cid 962", local: ["962"], url: [] });
    expect(isId("cid:962", keys)).toBe(true);
    expect(isId("cid:9621", keys)).toBe(false);
  });

  it("takes nothing for a prefix that is none", () => {
    expect(identifierKeys(["sid", "962"], [], vocabulary).local).toEqual([]);
  });

  it("takes the longest end of a URL first", () => {
    expect(urlKeys(["compound", "cid", "962"])).toEqual(["compound cid 962", "cid 962", "962"]);
  });
});

it("tells whether a title begins with words, the last of which may be cut short", () => {
  const titles = { en: "Escherichia coli", cs: "Bakterie" };
  expect(matchesTitleStart(titles, { words: ["escherichia", "co"], isPrefix: true })).toBe(true);
  expect(matchesTitleStart(titles, { words: ["escherichia", "co"], isPrefix: false })).toBe(false);
  expect(matchesTitleStart(titles, { words: ["bakterie"], isPrefix: false })).toBe(true);
  expect(matchesTitleStart(titles, { words: ["coli"], isPrefix: false })).toBe(false);
});
