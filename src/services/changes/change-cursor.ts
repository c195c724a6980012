import { fail } from "../../core/errors.js";
import { type ChangePlace, FIRST_PLACE } from "../../core/feed/feed.js";
import { decodeCursor, encodeCursor } from "../input/cursor.js";
import { makeIssue } from "../input/issues.js";

/** What is sorted and how, as cursors of searches name it. */
const ORDER = "changes";

/** The text of a place in the change feed; `0` is before all changes. Stateless, and of this store only. */
export function encodePlace({ seq, time, entry }: ChangePlace): string {
  if (seq === FIRST_PLACE.seq) return "0";
  return encodeCursor(ORDER, entry === undefined ? [seq, time] : [seq, time, entry]);
}

/** @throws CHANGE_CURSOR_INVALID */
export function decodePlace(cursor: string): ChangePlace {
  if (cursor === "0") return FIRST_PLACE;
  const [seq, time, entry, ...rest] = decodeCursor(ORDER, cursor, invalid) ?? [];
  if (!isCount(seq) || !isCount(time) || rest.length > 0) throw invalid(cursor);
  if (entry === undefined) return { seq, time };
  if (!isCount(entry)) throw invalid(cursor);
  return { seq, time, entry };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

function invalid(cursor: string): Error {
  const messages = ["Start with since=0 and continue with `next` of the previous response."];
  const issues = [makeIssue(["since"], "PARAMETER_INVALID", messages, { value: cursor.slice(0, 200) })];
  return fail("CHANGE_CURSOR_INVALID", { issues });
}
