import { addAll } from "../../../../core/collections.js";
import { identifierTail } from "../../../../query/fields/pasted-identifiers.js";
import { localPart } from "../../../../query/index-model/term-keys.js";
import { idDistance, idsOneEditAway, NEIGHBOURS, spellings } from "../../../../query/ranking/nearest-ids.js";
import { identifierKeys } from "../../../../query/ranking/term-steps.js";
import { analyse } from "../../../../query/text/analyse.js";
import { toIds } from "../../bitmaps/doc-id-set.js";
import type { SearchContext } from "./search-context.js";
import { identifiedRows } from "./step-rows.js";

/**
 * Returns the rows of terms whose ids are similar to an unknown id, best first. Looks up each id that is one edit away.
 */
export function nearestIds(context: SearchContext, id: string, limit: number): number[] {
  const { vocabulary } = context;
  const meant = identifiedRows(context, identifierKeys(analyse(localPart(id)), identifierTail(id) ?? [], vocabulary));
  const found = new Map<number, number>();
  for (const row of toIds(meant)) found.set(row, -1);
  for (const asked of spellings(id, vocabulary)) {
    for (const { row, ext } of [...oneEditAway(context, asked), ...neighbours(context, asked)]) {
      const distance = idDistance(asked, ext);
      if (distance === undefined) continue;
      found.set(row, Math.min(distance, found.get(row) ?? distance));
    }
  }
  const near = [...found].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  return near.slice(0, limit).map(([row]) => row);
}

interface Candidate {
  readonly row: number;
  readonly ext: string;
}

function neighbours({ generation }: SearchContext, id: string): Candidate[] {
  const columns = "SELECT id AS row, ext FROM ext_$g WHERE ext";
  return [
    ...generation.sql<Candidate>(`${columns} > ? ORDER BY ext LIMIT ${NEIGHBOURS}`).all(id),
    ...generation.sql<Candidate>(`${columns} < ? ORDER BY ext DESC LIMIT ${NEIGHBOURS}`).all(id),
  ];
}

function oneEditAway({ generation, checkTime }: SearchContext, id: string): Candidate[] {
  const statement = generation.sql<Candidate>("SELECT id AS row, ext FROM ext_$g WHERE ext = ?");
  const found: Candidate[] = [];
  for (const edited of idsOneEditAway(id)) {
    checkTime();
    for (const other of edited) addAll(found, statement.all(other));
  }
  return found;
}
