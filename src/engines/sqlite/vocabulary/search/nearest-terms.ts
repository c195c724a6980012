import { addAll } from "../../../../core/arrays.js";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { LIMITS } from "../../../../core/limits.js";
import { countEdits } from "../../../../core/nearest.js";
import { urlTail } from "../../../../query/fields/identifiers.js";
import { localPart } from "../../../../query/index-model/term-keys.js";
import { analyse } from "../../../../query/text/analyse.js";
import { toIds } from "../../bitmaps/doc-id-set.js";
import { identifiedRows } from "./best-steps.js";
import type { SearchContext } from "./search-context.js";

/** An id longer than this is near to nothing: each of its letters costs some hundred look-ups. */
const LOCAL_LENGTH_MAX = 64;

/** Ids before and after the place where the unknown one would stand: those that begin alike. */
const NEIGHBOURS = 20;

/** Ids that are within so many edits are near; others only as far as they begin alike. */
const EDITS_MAX = 2;

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789-_:./"];

/** Rows of items whose id is near to an unknown one, best first: one look-up for each id that is one edit away. */
export function nearestIds(context: SearchContext, id: string, limit: number): number[] {
  const { vocabulary } = context;
  const meant = identifiedRows(context, analyse(localPart(id)), urlTail(id) ?? []);
  const found = new Map<number, number>();
  for (const row of toIds(meant)) found.set(row, -1);
  for (const asked of spellings(vocabulary, id)) {
    for (const { row, ext } of [...oneEditAway(context, asked), ...neighbours(context, asked)]) {
      const distance = distanceOf(asked, ext);
      if (distance === undefined) continue;
      found.set(row, Math.min(distance, found.get(row) ?? distance));
    }
  }
  const near = [...found].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  return near.slice(0, limit).map(([row]) => row);
}

/** The id as written; without a prefix of its own also with those of the vocabulary. */
function spellings({ idPrefixes }: Vocabulary, id: string): string[] {
  if (id.length > LIMITS.termIdLengthMax || localPart(id).length > LOCAL_LENGTH_MAX) return [];
  return id.includes(":") || idPrefixes.length === 0 ? [id] : [id, ...idPrefixes.map((prefix) => `${prefix}:${id}`)];
}

interface Candidate {
  readonly row: number;
  readonly ext: string;
}

function distanceOf(asked: string, ext: string): number | undefined {
  const a = asked.toLowerCase();
  const b = ext.toLowerCase();
  const edits = Math.abs(a.length - b.length) > EDITS_MAX ? EDITS_MAX + 1 : countEdits(a, b);
  if (edits <= EDITS_MAX) return edits;
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  const local = shared - (a.length - localPart(a).length);
  if (local < 1) return undefined;
  return EDITS_MAX + a.length + b.length - 2 * shared;
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
  const start = id.length - localPart(id).length;
  const found: Candidate[] = [];
  for (let at = start; at <= id.length; at++) {
    checkTime();
    const head = id.slice(0, at);
    const tail = id.slice(at);
    const edited = LETTERS.flatMap((letter) => [head + letter + tail, head + letter + tail.slice(1)]);
    edited.push(head + tail.slice(1), head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2));
    for (const other of edited) addAll(found, statement.all(other));
  }
  return found;
}

/** Could somebody have written a name where an id belongs? */
export function looksLikeWords(id: string): boolean {
  return /\p{L}{3}/u.test(localPart(id)) && !/\p{L}\p{N}|\p{N}\p{L}/u.test(localPart(id));
}
