import type { StoredTerm, TermContent } from "../../../../core/term.js";
import { storedItem } from "../../../../core/terms/term-row.js";
import { type MatchableValues, type Matched, matchableValues } from "../../../../query/ranking/what-matched.js";
import { lastChange } from "../../connection/change-table.js";
import { citedBy, rowsById, storedTerms } from "../store/term-reader.js";
import type { SearchContext } from "./search-context.js";

/** An item as answers show it. */
interface ShownTerm {
  term: StoredTerm;
  /** What words may match, once a suggestion has asked for it. */
  values?: MatchableValues;
  /** The item as it was last suggested. */
  suggested?: SuggestedTerm;
}

type SuggestedTerm = StoredTerm & { readonly matched: Matched };

/** It is right until the next write to its vocabulary. */
interface Kept extends ShownTerm {
  readonly writes: number;
  /** The last change when its citations were counted. */
  seq: number;
}

/** The text may have two bytes a character, its values take as much again, and the text as it is sent half of it. */
const CHARACTER_BYTES = 5;

/** Numbers of rows are below it. */
const ROWS_MAX = 2 ** 32;

/** Longer pages are seen once by who walks through a vocabulary: they are kept where they are asked for again. */
const SHORT_PAGE_MAX = 100;

/** The items of rows, in the order asked; those that were shown last are kept until the next write. */
export function shownTerms(context: SearchContext, ids: readonly number[]): readonly ShownTerm[] {
  const { db, generation, shown } = context;
  const seq = lastChange(db);
  const found = ids.map((id) => {
    const kept = shown.get<Kept>(keyOf(context, id));
    return kept?.writes === generation.writes ? kept : undefined;
  });
  const uncounted = found.filter((kept): kept is Kept => kept !== undefined && kept.seq !== seq);
  if (uncounted.length > 0) countCitations(context, uncounted, seq);
  const missing = ids.filter((_, i) => found[i] === undefined);
  if (missing.length === 0) return found as ShownTerm[];
  const read = readTerms(context, missing, seq);
  return found.map((kept, i) => kept ?? read.get(ids[i]!)!);
}

const keyOf = ({ generation }: SearchContext, id: number): number => generation.g * ROWS_MAX + id;

/** Citations change without the item being written: where they did, it is another object for whoever keeps its text. */
function countCitations({ generation }: SearchContext, kept: readonly Kept[], seq: number): void {
  const ids = kept.map(({ term }) => term.id);
  const counts = citedBy(generation, ids);
  for (const [i, shown] of kept.entries()) {
    const now = counts[i]!;
    shown.seq = seq;
    if (shown.term.citedBy === now) continue;
    shown.term = { ...shown.term, citedBy: now };
    delete shown.suggested;
  }
}

/** Is this page, or what of it is not kept, asked for again? */
function isAskedAgain({ generation, shown }: SearchContext, ids: readonly number[]): boolean {
  if (ids.length <= SHORT_PAGE_MAX) return true;
  const page = `page ${generation.g} ${ids[0]} ${ids.at(-1)} ${ids.length}`;
  if (shown.get(page) === true) return true;
  shown.set(page, true, 0);
  return false;
}

function readTerms(context: SearchContext, ids: readonly number[], seq: number): ReadonlyMap<number, ShownTerm> {
  const { generation, vocabulary, shown } = context;
  const isKept = isAskedAgain(context, ids);
  const rows = rowsById(generation, ids);
  // Titles of parents are kept too: many items have the same.
  const terms = storedTerms(generation, vocabulary.name, rows, shown);
  const read = new Map<number, ShownTerm>();
  for (const [i, { id }] of rows.entries()) {
    const term = terms[i]!;
    const kept: Kept = { term, writes: generation.writes, seq };
    if (isKept) shown.set(keyOf(context, id), kept, term.json.length * CHARACTER_BYTES);
    read.set(id, kept);
  }
  return read;
}

/** The item as it is suggested. Others that find it for the same reason get the same object, whose text is kept. */
export function asSuggested(shown: ShownTerm, matched: Matched): SuggestedTerm {
  const { suggested } = shown;
  if (suggested !== undefined && isSame(suggested.matched, matched)) return suggested;
  shown.suggested = { ...shown.term, matched };
  return shown.suggested;
}

const isSame = (a: Matched, b: Matched): boolean => a.field === b.field && a.text === b.text && a.kind === b.kind;

/** What of an item words may match. */
export function valuesOf(shown: ShownTerm, { vocabulary }: SearchContext): MatchableValues {
  shown.values ??= matchableValues(storedItem<TermContent>(shown.term), vocabulary);
  return shown.values;
}
