import { crc32 } from "../../core/crc32.js";
import { fail } from "../../core/errors.js";
import type { SortKey } from "../../query/ranking/sort-keys.js";
import { makeIssue } from "./issues.js";

/** Raised when cursors of an older form no longer mean the same. */
const VERSION = 1;

/** Longer keys than this no engine makes. */
const KEY_LENGTH_MAX = 16;

/**
 * The text of a cursor: stateless, so that it survives a restart. The checksum only tells a cursor that was cut or
 * mistyped from a whole one.
 * @param order names what is sorted and how: a cursor of another order is refused
 */
export function encodeCursor(order: string, key: SortKey): string {
  const text = JSON.stringify([VERSION, order, ...key]);
  return Buffer.from(`${crc32(text).toString(36)}${text}`).toString("base64url");
}

/** The key of a cursor; null for `*`, the beginning. @throws CURSOR_INVALID, or what `refuse` makes */
export function decodeCursor(order: string, cursor: string, refuse = invalid): SortKey | null {
  if (cursor === "*") return null;
  const text = Buffer.from(cursor, "base64url").toString();
  const start = text.indexOf("[");
  const json = text.slice(start);
  if (start < 0 || text.slice(0, start) !== crc32(json).toString(36)) throw refuse(cursor);
  const [version, itsOrder, ...key] = parse(json) ?? [];
  if (version !== VERSION || itsOrder !== order || !isKey(key)) throw refuse(cursor);
  return key;
}

function parse(json: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isKey(key: readonly unknown[]): key is SortKey {
  const isPart = (part: unknown): boolean => typeof part === "string" || Number.isFinite(part);
  return key.length > 0 && key.length <= KEY_LENGTH_MAX && key.every(isPart);
}

function invalid(cursor: string): Error {
  const messages = [
    "Start with cursor=* and continue with the cursor of links.next, leaving all other parameters unchanged.",
  ];
  return fail("CURSOR_INVALID", {
    issues: [makeIssue(["cursor"], "PARAMETER_INVALID", messages, { value: cursor.slice(0, 200) })],
  });
}
