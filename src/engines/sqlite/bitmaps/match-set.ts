import { and, andNot, type DocIdSet, EMPTY_SET, or } from "./doc-id-set.js";

/** What a clause answers: some rows, or all rows but these. Whatever is kept or asked of SQLite gives one of these. */
export interface MatchSet {
  readonly rows: DocIdSet;
  readonly isComplement: boolean;
}

export const MATCH_NONE: MatchSet = { rows: EMPTY_SET, isComplement: false };
export const MATCH_ALL: MatchSet = { rows: EMPTY_SET, isComplement: true };

export const matching = (rows: DocIdSet): MatchSet => ({ rows, isComplement: false });

export const complement = ({ rows, isComplement }: MatchSet): MatchSet => ({ rows, isComplement: !isComplement });

export function intersect(a: MatchSet, b: MatchSet): MatchSet {
  if (a.isComplement && b.isComplement) return { rows: or(a.rows, b.rows), isComplement: true };
  if (a.isComplement) return matching(andNot(b.rows, a.rows));
  if (b.isComplement) return matching(andNot(a.rows, b.rows));
  return matching(and(a.rows, b.rows));
}

export function union(a: MatchSet, b: MatchSet): MatchSet {
  return complement(intersect(complement(a), complement(b)));
}

/** The rows among those that there are. */
export function matchesAmong(all: DocIdSet, { rows, isComplement }: MatchSet): DocIdSet {
  return isComplement ? andNot(all, rows) : and(all, rows);
}
