import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryClause } from "../../../test/support/clause-arbitraries.js";
import { asRecord, bestMatch, randomItems } from "../../../test/support/engines/term-reference.js";
import { matches } from "../../../test/support/reference-evaluator.js";
import { SEED } from "../../../test/support/seed.js";
import { tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import type { TermContent } from "../../core/term.js";
import { compareCited } from "../../core/terms/term-order.js";
import { staticRank } from "../../core/terms/term-row.js";
import { nameKeys } from "../index-model/term-document.js";
import { bestMatchTermSteps, NEAR_STEPS } from "../ranking/term-steps.js";
import { readTypedText } from "../ranking/typed-words.js";
import { analyse } from "../text/analyse.js";
import { compileClause } from "./compile-clause.js";
import { compileTermStep, TermInMemory } from "./term-in-memory.js";

const vocabulary = tinyVocabulary();
const isDescendant = (): boolean => false;

describe("terms in memory", () => {
  const items = randomItems(200, 3);
  const records = items.map((item) => asRecord(item, vocabulary));
  const terms = items.map((content) => new TermInMemory(content, vocabulary));

  it("match what the reference evaluator finds in their items", () => {
    fc.assert(
      fc.property(arbitraryClause(records, { isDate: () => false }), (clause) => {
        const test = compileClause(clause, isDescendant);
        const matching = terms.filter((term) => test(term, 0)).map(({ content }) => content.id);
        expect(matching).toEqual(items.filter((_, n) => matches(clause, records[n]!)).map(({ id }) => id));
      }),
      { numRuns: 500, seed: SEED + 31 },
    );
  });

  it("are ranked by the steps as the reference evaluator ranks them", () => {
    const names = items.flatMap((item) => nameKeys(item, vocabulary).map(([key]) => key.split(" ")));
    const plain = fc
      .constantFrom(...names)
      .chain((words) => fc.nat(words.length - 1).map((n) => words.slice(0, n + 1)));
    const steps = new Set<number>();
    fc.assert(
      fc.property(plain, (words) => {
        const of = words.map((word) => ({ kind: "words", place: { in: "text" }, words: [word] }) as const);
        const clause = { kind: "all", of } as const;
        const tests = bestMatchTermSteps(clause, { words, url: [] }, vocabulary).map(({ number, test }) => {
          return { number, test: compileTermStep(test, { isDescendant }) };
        });
        const matchesAll = compileClause(clause, isDescendant);
        const ranked = terms
          .filter((term) => matchesAll(term, 0))
          .map((term) => ({ term, step: tests.find(({ test }) => test(term))!.number }))
          .sort((a, b) => a.step - b.step || compareTerms(a.term, b.term));
        for (const { step } of ranked) steps.add(step);
        expect(ranked.map(({ term }) => term.content.id)).toEqual(bestMatch(clause, words, items, vocabulary));
      }),
      { numRuns: 100, seed: SEED + 32 },
    );
    expect([...steps].sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  const compareTerms = (a: TermInMemory, b: TermInMemory): number => compareCited(rankKey(a), rankKey(b));
  const rankKey = ({ content }: TermInMemory) => ({ ...staticRank(content, vocabulary), cited: 0, ext: content.id });
});

describe("steps of terms in memory", () => {
  const item: TermContent = {
    id: "sp:562",
    title: { en: "Escherichia coli" },
    synonyms: [{ name: "colon bacillus", kind: "synonym" }],
    props: { codes: ["cas:58-08-2"] },
    status: "active",
  };
  const term = new TermInMemory(item, vocabulary);

  it("take identifiers, with a prefix only the id itself, and the end of a URL", () => {
    const isIdentified = (text: string, urlKey?: string): boolean => {
      const words = analyse(text);
      const [step] = bestMatchTermSteps({ kind: "nothing" }, { words, url: [] }, vocabulary);
      return compileTermStep(step!.test, { isDescendant, urlKey })(term);
    };
    expect(["562", "sp:562", "58-08-2", "cas:58-08-2"].map((text) => isIdentified(text))).toEqual(Array(4).fill(true));
    expect(["56", "sp:58-08-2", "sp"].map((text) => isIdentified(text))).toEqual(Array(3).fill(false));
    expect(isIdentified("x", "562")).toBe(true);
    expect(isIdentified("x", "563")).toBe(false);
  });

  it("take words with typos, and prefixes with typos, in the columns of the step", () => {
    const stepsOf = (text: string): readonly number[] => {
      const { words: typed } = readTypedText(text);
      const steps = NEAR_STEPS.filter(({ test }) => compileTermStep(test, { isDescendant, typed })(term));
      return steps.map(({ number }) => number);
    };
    expect(stepsOf("Eschrichia")).toEqual([11, 12, 13]);
    expect(stepsOf("Eschrich")).toEqual([11, 12, 13]);
    expect(stepsOf("baccillus esche")).toEqual([12, 13]);
    expect(stepsOf("Eschrichia bacilus")).toEqual([12, 13]);
    expect(stepsOf("Saccharomyces")).toEqual([]);
    // Numbers have no typos.
    expect(stepsOf("563")).toEqual([]);
    expect(stepsOf("562")).toEqual([13]);
  });
});
