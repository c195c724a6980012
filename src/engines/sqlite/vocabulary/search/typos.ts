import type { TypedWord } from "../../../../query/ranking/typed-words.js";
import { makeEditTest } from "../../../../query/text/edit-distance.js";
import { and, type DocIdSet } from "../../bitmaps/doc-id-set.js";
import type { MatchSet } from "../../bitmaps/match-set.js";
import { STEPS, within } from "./best-steps.js";
import { phraseRows, wordRows } from "./match-rows.js";
import type { TextColumns } from "./match-words.js";
import type { Step } from "./ranked-page.js";
import type { SearchContext } from "./search-context.js";
import { termWords } from "./term-lexicon.js";

/** Fewer true matches than this, and what is near to the words counts as a match too, always after the true ones. */
export const TYPOS_BELOW = 5;

/** Letters from which a word may have one wrong letter, and two. */
const ONE_FROM = 4;
const TWO_FROM = 8;

/** How many edits a word may be away from what was meant. Numbers are meant as they are typed. */
export function typosIn(word: string): 0 | 1 | 2 {
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  return letters >= TWO_FROM ? 2 : letters >= ONE_FROM ? 1 : 0;
}

/** Rows with a word near to each of these, in any order; undefined where no word is long enough to be mistyped. */
export function typoRows(
  context: SearchContext,
  typed: readonly TypedWord[],
  columns: TextColumns,
): DocIdSet | undefined {
  if (typed.every(({ word }) => typosIn(word) === 0)) return undefined;
  return typed.map((word) => nearRows(context, word, columns)).reduce(and);
}

function nearRows(context: SearchContext, { word, isPrefix }: TypedWord, columns: TextColumns): DocIdSet {
  const edits = typosIn(word);
  if (edits === 0) return phraseRows(context, { table: "term_fts", tokens: [word], isPrefix, columns });
  const words = termWords(context.generation, context.vocabulary, context.memory);
  const near = isPrefix ? words.similarBeginnings({ word, edits }) : words.similar({ word, edits });
  return wordRows(context, near, { table: "term_fts", before: "", columns, isPrefix });
}

/**
 * The steps of a ranking, and behind them those for what is only near.
 * @param exact what matches truly: all that the steps may take
 */
export function withTypos(steps: readonly Step[], exact: MatchSet, near: (columns: TextColumns) => DocIdSet): Step[] {
  const own = steps.map(
    (step): Step => ({
      number: step.number,
      take: (among) => step.take(within(among, exact)),
      ...(step.try === undefined ? {} : { try: (among: DocIdSet) => step.try?.(within(among, exact)) }),
    }),
  );
  return [
    ...own,
    { number: STEPS.nearInTitle, take: (among) => and(among, near("title")) },
    { number: STEPS.nearInNames, take: (among) => and(among, near("names")) },
    { number: STEPS.nearAnywhere, take: (among) => among },
  ];
}

/** Makes a test of words: is it what was typed, or begins so, apart from typos? */
export function makeTypoTest({ word, isPrefix }: TypedWord): (other: string) => boolean {
  const edits = typosIn(word);
  if (edits === 0) return (other) => (isPrefix ? other.startsWith(word) : other === word);
  const test = makeEditTest(word, edits);
  if (!isPrefix) return test;
  return (other) => {
    const letters = [...other];
    return letters.some((_, i) => test(letters.slice(0, i + 1).join("")));
  };
}
