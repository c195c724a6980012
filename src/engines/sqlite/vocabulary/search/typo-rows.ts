import type { TypedWord } from "../../../../query/ranking/typed-words.js";
import { mayHaveTypos, typosIn } from "../../../../query/ranking/typos.js";
import { and, type DocIdSet } from "../../bitmaps/doc-id-set.js";
import { phraseRows, wordRows } from "./match-rows.js";
import type { TextColumns } from "./phrases.js";
import type { SearchContext } from "./search-context.js";
import { termWords } from "./term-lexicon.js";

/** Rows with a word near to each of these, in any order; undefined where no word is long enough to be mistyped. */
export function typoRows(
  context: SearchContext,
  typed: readonly TypedWord[],
  columns: TextColumns,
): DocIdSet | undefined {
  if (!mayHaveTypos(typed)) return undefined;
  return typed.map((word) => nearRows(context, word, columns)).reduce(and);
}

function nearRows(context: SearchContext, { word, isPrefix }: TypedWord, columns: TextColumns): DocIdSet {
  const edits = typosIn(word);
  if (edits === 0) return phraseRows(context, { table: "term_fts", tokens: [word], isPrefix, columns });
  const words = termWords(context.generation, context.vocabulary, context.cache, context.slowly);
  const near = isPrefix ? words.similarBeginnings({ word, edits }) : words.similar({ word, edits });
  return wordRows(context, near, { table: "term_fts", before: "", columns, isPrefix });
}
