import type { StoredTerm, TermContent } from "../../../../core/term.js";
import { parseStoredTerm } from "../../../../core/terms/term-row.js";
import { type MatchableValues, type MatchingValue, matchableValues } from "../../../../query/ranking/matching-value.js";
import { lastChange } from "../../connection/change-table.js";
import { citedBy, rowsById, storedTerms } from "../store/term-reader.js";
import type { SearchContext } from "./search-context.js";

/** A term as answers show it. */
interface ShownTerm {
  term: StoredTerm;
  /** Values that words may match, once a suggestion needed them. */
  values?: MatchableValues;
  /** The term with its match in the last suggestion. */
  suggested?: SuggestedTerm;
}

type SuggestedTerm = StoredTerm & { readonly matched: MatchingValue };

/** A cached term. It is invalid after a write to its vocabulary. */
interface CachedTerm extends ShownTerm {
  readonly writes: number;
  /** The last change when its citations were counted. */
  seq: number;
}

/** Bytes in memory per character of the JSON: two for the text, two for its values, one for the UTF-8 that is sent. */
const CHARACTER_BYTES = 5;

/** Upper bound of row numbers. */
const ROWS_MAX = 2 ** 32;

/** Longer pages are usually read once, by a walk through a vocabulary. They are cached at the second request. */
const SHORT_PAGE_MAX = 100;

/** Returns the terms of rows, in the given order. The terms that were shown last are cached until the next write. */
export function shownTerms(context: SearchContext, ids: readonly number[]): readonly ShownTerm[] {
  const { db, generation, shown } = context;
  const seq = lastChange(db);
  const cachedTerms = ids.map((id) => {
    const cached = shown.get<CachedTerm>(cacheKey(context, id));
    return cached?.writes === generation.writes ? cached : undefined;
  });
  const uncounted = cachedTerms.filter((cached): cached is CachedTerm => cached !== undefined && cached.seq !== seq);
  if (uncounted.length > 0) countCitations(context, uncounted, seq);
  const missing = ids.filter((_, i) => cachedTerms[i] === undefined);
  if (missing.length === 0) return cachedTerms as ShownTerm[];
  const terms = readTerms(context, missing, seq);
  return cachedTerms.map((cached, i) => cached ?? terms.get(ids[i]!)!);
}

const cacheKey = ({ generation }: SearchContext, id: number): number => generation.g * ROWS_MAX + id;

/**
 * Updates the citation counts of cached terms, which change without a write to the term. A term with another count
 * becomes a new object, because its serialized form is cached by object.
 */
function countCitations({ generation }: SearchContext, cachedTerms: readonly CachedTerm[], seq: number): void {
  const ids = cachedTerms.map(({ term }) => term.id);
  const counts = citedBy(generation, ids);
  for (const [i, shown] of cachedTerms.entries()) {
    const count = counts[i]!;
    shown.seq = seq;
    if (shown.term.citedBy === count) continue;
    shown.term = { ...shown.term, citedBy: count };
    delete shown.suggested;
  }
}

/** Returns whether to cache the missing terms of a page: if it is short, or was requested before. */
function shouldCache({ generation, shown }: SearchContext, ids: readonly number[]): boolean {
  if (ids.length <= SHORT_PAGE_MAX) return true;
  const page = `page ${generation.g} ${ids[0]} ${ids.at(-1)} ${ids.length}`;
  if (shown.get(page) === true) return true;
  shown.set(page, true, 0);
  return false;
}

function readTerms(context: SearchContext, ids: readonly number[], seq: number): ReadonlyMap<number, ShownTerm> {
  const { generation, vocabulary, shown } = context;
  const isCached = shouldCache(context, ids);
  const rows = rowsById(generation, ids);
  // Titles of parents are cached too, because many terms have the same parent.
  const terms = storedTerms(generation, vocabulary.name, rows, shown);
  const shownByRow = new Map<number, ShownTerm>();
  for (const [i, { id }] of rows.entries()) {
    const term = terms[i]!;
    const shownTerm: CachedTerm = { term, writes: generation.writes, seq };
    if (isCached) shown.set(cacheKey(context, id), shownTerm, term.json.length * CHARACTER_BYTES);
    shownByRow.set(id, shownTerm);
  }
  return shownByRow;
}

/** Returns a term with its match. The same match gives the same object, whose serialized form is cached. */
export function asSuggested(shown: ShownTerm, matched: MatchingValue): SuggestedTerm {
  const { suggested } = shown;
  if (suggested !== undefined && isSame(suggested.matched, matched)) return suggested;
  shown.suggested = { ...shown.term, matched };
  return shown.suggested;
}

const isSame = (a: MatchingValue, b: MatchingValue): boolean =>
  a.field === b.field && a.text === b.text && a.kind === b.kind;

/** Returns the values of a term that words may match. */
export function matchableValuesOf(shown: ShownTerm, { vocabulary }: SearchContext): MatchableValues {
  shown.values ??= matchableValues(parseStoredTerm<TermContent>(shown.term), vocabulary);
  return shown.values;
}
