import { crc32 } from "../../core/crc32.js";
import { fail } from "../../core/errors.js";
import { type ChangePlace, FIRST_PLACE } from "../../core/feed/feed.js";
import { makeIssue } from "../input/issues.js";

/** Start of the text of a cursor. Mirrors keep cursors for years, so this form stays readable. */
const VERSION = 1;
const ORDER = "changes";

/**
 * Returns the text of a place in the change feed; `0` is before all changes. It is stateless, and belongs to this store
 * only. It contains only what the feed shows: the public number and the time of a change. The checksum only detects
 * cursors that were cut or mistyped.
 */
export function encodePlace({ seq, time, entry }: ChangePlace): string {
  if (seq === FIRST_PLACE.seq) return "0";
  const text = JSON.stringify(entry === undefined ? [VERSION, ORDER, seq, time] : [VERSION, ORDER, seq, time, entry]);
  return Buffer.from(`${crc32(text).toString(36)}${text}`).toString("base64url");
}

/** @throws CHANGE_CURSOR_INVALID */
export function decodePlace(cursor: string): ChangePlace {
  if (cursor === "0") return FIRST_PLACE;
  const text = Buffer.from(cursor, "base64url").toString();
  const start = text.indexOf("[");
  const json = text.slice(start);
  if (start < 0 || text.slice(0, start) !== crc32(json).toString(36)) throw invalid(cursor);
  const [version, order, seq, time, entry, ...rest] = parse(json) ?? [];
  if (version !== VERSION || order !== ORDER || rest.length > 0) throw invalid(cursor);
  if (!isCount(seq) || !isCount(time)) throw invalid(cursor);
  if (entry === undefined) return { seq, time };
  if (!isCount(entry)) throw invalid(cursor);
  return { seq, time, entry };
}

function parse(json: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

function invalid(cursor: string): Error {
  const messages = ["Start with since=0 and continue with `next` of the previous response."];
  const issues = [makeIssue(["since"], "PARAMETER_INVALID", messages, { value: cursor.slice(0, 200) })];
  return fail("CHANGE_CURSOR_INVALID", { issues });
}
