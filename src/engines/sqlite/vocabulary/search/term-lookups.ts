/** Look-ups of terms by whole names, identifiers and similar ids. */
import { addAll } from "../../../../core/collections.js";
import { identifierTail } from "../../../../query/fields/identifiers.js";
import { IDENTIFIER_NAME, localPart } from "../../../../query/index-model/term-document.js";
import { idDistance, idSpellings, idsOneEditAway, NEIGHBOURS } from "../../../../query/ranking/nearest-ids.js";
import { type IdentifierKeys, identifierKeys, isId } from "../../../../query/ranking/term-steps.js";
import { analyse } from "../../../../query/text/analyse.js";
import { type DocIdSet, makeDocIdSet, toIds } from "../../bitmaps/doc-id-set.js";
import type { SearchContext } from "./search-context.js";

/**
 * Returns the rows of terms whose ids are similar to an unknown id, best first. Looks up each id that is one edit away.
 */
export function nearestIds(context: SearchContext, id: string, limit: number): number[] {
  const { vocabulary } = context;
  const identified = identifiedRows(
    context,
    identifierKeys(analyse(localPart(id)), identifierTail(id) ?? [], vocabulary),
  );
  const distances = new Map<number, number>();
  for (const row of toIds(identified)) distances.set(row, -1);
  for (const spelling of idSpellings(id, vocabulary)) {
    for (const { row, ext } of [...readOneEditAway(context, spelling), ...readNeighbours(context, spelling)]) {
      const distance = idDistance(spelling, ext);
      if (distance === undefined) continue;
      distances.set(row, Math.min(distance, distances.get(row) ?? distance));
    }
  }
  const near = [...distances].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  return near.slice(0, limit).map(([row]) => row);
}

/** A term whose id may be similar. */
interface Candidate {
  readonly row: number;
  readonly ext: string;
}

/** Reads the terms whose ids are next to an id in byte order. */
function readNeighbours({ generation }: SearchContext, id: string): Candidate[] {
  const columns = "SELECT id AS row, ext FROM ext_$g WHERE ext";
  return [
    ...generation.sql<Candidate>(`${columns} > ? ORDER BY ext LIMIT ${NEIGHBOURS}`).all(id),
    ...generation.sql<Candidate>(`${columns} < ? ORDER BY ext DESC LIMIT ${NEIGHBOURS}`).all(id),
  ];
}

/** Reads the terms whose ids are one edit away. */
function readOneEditAway({ generation, checkTime }: SearchContext, id: string): Candidate[] {
  const statement = generation.sql<Candidate>("SELECT id AS row, ext FROM ext_$g WHERE ext = ?");
  const candidates: Candidate[] = [];
  for (const edited of idsOneEditAway(id)) {
    checkTime();
    for (const editedId of edited) addAll(candidates, statement.all(editedId));
  }
  return candidates;
}

/** Returns the rows with this whole name (`nameKey`) of a kind, ascending. Some may be deleted rows. */
export function namedRows({ generation }: SearchContext, key: string, kind: number): Uint32Array {
  const ids = generation
    .sql<number>("SELECT id FROM name_$g WHERE key = ? AND kind = ? ORDER BY id")
    .pluck()
    .all(key, kind);
  // `Uint32Array.from` would take as long as the statement.
  return new Uint32Array(ids);
}

/** Returns the rows whose id or declared identifier has one of the keys. */
export function identifiedRows(context: SearchContext, keys: IdentifierKeys): DocIdSet {
  const ids: number[] = [];
  if (keys.whole !== undefined) addAll(ids, namedRows(context, keys.whole, IDENTIFIER_NAME));
  const find = context.generation.sql<string>("SELECT ext FROM term_$g WHERE id = ?").pluck();
  for (const local of keys.local) {
    for (const id of namedRows(context, local, IDENTIFIER_NAME)) if (isId(find.get(id) ?? "", keys)) ids.push(id);
  }
  return makeDocIdSet([...ids, ...urlRows(context, keys.url)]);
}

/** Returns the rows with the first key that any row has. @param keys identifiers that may end a URL (`urlKeys`) */
export function urlRows(context: SearchContext, keys: readonly string[]): Uint32Array {
  for (const key of keys) {
    const rows = namedRows(context, key, IDENTIFIER_NAME);
    if (rows.length > 0) return rows;
  }
  return new Uint32Array(0);
}
