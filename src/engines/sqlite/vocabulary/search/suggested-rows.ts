/** Sets of rows that only suggestions need: rows with typos, and rows without replaced terms. */
import { lastSuccessor } from "../../../../core/terms/follow-id.js";
import { mayHaveTypos, type TypedWord, typosMax } from "../../../../query/ranking/typed-words.js";
import { and, andNot, contains, type DocIdSet, setOf, setOfSorted, toIds } from "../../bitmaps/doc-id-set.js";
import { keptUntilWrite } from "../store/generation.js";
import { findRow } from "../store/term-rows.js";
import { phraseRows, wordRows } from "./match-rows.js";
import type { TextColumns } from "./phrases.js";
import type { SearchContext } from "./search-context.js";
import { termWords } from "./term-lexicon.js";

/** Rows of terms with a successor, and the rows of the last successors that were looked up. */
interface ReplacedTerms {
  readonly rows: DocIdSet;
  readonly targets: Map<number, number | undefined>;
}

const TARGET_BYTES = 50;

function readReplaced(context: SearchContext): ReplacedTerms {
  return keptUntilWrite(context, "replaced", () => {
    const ids = context.generation
      .sql<number>("SELECT id FROM term_$g WHERE successor IS NOT NULL ORDER BY id")
      .pluck()
      .all();
    const replaced: ReplacedTerms = { rows: setOfSorted(new Uint32Array(ids)), targets: new Map() };
    return [replaced, ids.length * TARGET_BYTES];
  });
}

/** Removes rows whose successor is in the set too, so that nothing is suggested twice. */
export function withoutReplaced(context: SearchContext, rows: DocIdSet): DocIdSet {
  const replaced = readReplaced(context);
  const duplicates = toIds(and(rows, replaced.rows)).filter((id) => {
    if (!replaced.targets.has(id)) replaced.targets.set(id, targetOf(context, id));
    const target = replaced.targets.get(id);
    return target !== undefined && contains(rows, target);
  });
  return andNot(rows, setOf(duplicates));
}

function targetOf({ generation }: SearchContext, id: number): number | undefined {
  const successor = generation.sql<string | null>("SELECT successor FROM term_$g WHERE id = ?").pluck();
  return lastSuccessor({ id }, (term) => {
    const next = successor.get(term.id);
    return next === undefined || next === null ? undefined : findRow(generation, next);
  })?.id;
}

/** Returns the rows with a word similar to each typed word; undefined if no word is long enough to have typos. */
export function typoRows(
  context: SearchContext,
  typed: readonly TypedWord[],
  columns: TextColumns,
): DocIdSet | undefined {
  if (!mayHaveTypos(typed)) return undefined;
  return typed.map((word) => nearRows(context, word, columns)).reduce(and);
}

function nearRows(context: SearchContext, { word, isPrefix }: TypedWord, columns: TextColumns): DocIdSet {
  const edits = typosMax(word);
  if (edits === 0) return phraseRows(context, { table: "term_fts", tokens: [word], isPrefix, columns });
  const words = termWords(context.generation, context.vocabulary, context.cache, context.build);
  const near = isPrefix ? words.similarBeginnings({ word, edits }) : words.similar({ word, edits });
  return wordRows(context, near, { table: "term_fts", before: "", columns, isPrefix });
}
