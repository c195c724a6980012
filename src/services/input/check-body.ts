/** Checks of the limits of a body, and of its characters. */
import { fail } from "../../core/errors.js";
import type { Issue } from "../../core/issue.js";
import type { Json } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { messagesIn } from "../../core/messages/en.js";
import { forbiddenIn, forbiddenInLine, nameOfForbidden, replaceForbidden } from "./characters.js";
import { makeIssue } from "./issues.js";

/**
 * Returns whether a JSON text (valid or not) nests more than `max` arrays and objects. Reads it once, without
 * recursion.
 */
export function exceedsDepth(text: string, max: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfString(text, i + 1);
    } else if (code === BRACKET || code === BRACE) {
      if (++depth > max) return true;
    } else if (code === BRACKET_END || code === BRACE_END) {
      depth--;
    }
  }
  return false;
}

const [QUOTE, BACKSLASH, BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Returns the index of the quote that ends a string, or the length of the text. */
function endOfString(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  return text.length;
}

/** Maximum number of issues in one answer. */
const ISSUES_MAX = 100;

/** Number of characters of a long key that a message shows. */
const SHOWN_KEY_LENGTH = 40;

/**
 * Checks a parsed body, which nests at most LIMITS.bodyDepthMax levels, against the other limits.
 * @param unread keys of the body whose values are ignored, so that their texts are not checked
 * @throws BODY_TOO_COMPLEX; BODY_INVALID naming each text and key with a forbidden character, each key that is too
 *         long, and each number out of range
 */
export function checkBody(body: Json, unread: readonly string[] = []): void {
  const issues: Issue[] = [];
  const place: (string | number)[] = [];
  let leaves = 0;

  const isRead = (): boolean => issues.length < ISSUES_MAX && !unread.includes(String(place[0]));
  const checkText = (text: string): void => {
    const character = forbiddenIn(text);
    if (character === undefined || !isRead()) return;
    const about = { subject: "The text", what: nameOfForbidden(character), mustBeLine: false };
    issues.push(makeIssue(place, "BAD_CHARACTER", [messagesIn().BAD_CHARACTER(about)]));
  };
  /** Returns whether a message can name the path of the value under the key. */
  const checkKey = (key: string): boolean => {
    const { length } = key;
    const max = LIMITS.keyLengthMax;
    if (length > max) {
      const start = replaceForbidden(key.slice(0, SHOWN_KEY_LENGTH));
      if (isRead()) issues.push(makeIssue(place, "TOO_LONG", [messagesIn().keyTooLong({ start, length, max })]));
      return false;
    }
    const character = forbiddenInLine(key);
    if (character === undefined) return true;
    const about = { subject: "The key", what: nameOfForbidden(character), mustBeLine: false };
    if (isRead()) issues.push(makeIssue([...place, key], "BAD_CHARACTER", [messagesIn().BAD_CHARACTER(about)]));
    return true;
  };
  const check = (value: Json): void => {
    if (typeof value === "string") checkText(value);
    // JSON.parse reads 1e999 as Infinity, which JSON cannot express.
    if (typeof value === "number" && !Number.isFinite(value) && issues.length < ISSUES_MAX) {
      issues.push(makeIssue(place, "TOO_LARGE", [messagesIn().numberTooGreat]));
    }
    const entries = jsonEntries(value);
    // Empty objects count as well: otherwise a body could have millions of them.
    if (entries.length === 0 && ++leaves > LIMITS.bodyLeavesMax) {
      throw fail("BODY_TOO_COMPLEX", { limit: "leaves", max: LIMITS.bodyLeavesMax });
    }
    for (const [key, child] of entries) {
      if (typeof key === "string" && !checkKey(key)) continue;
      place.push(key);
      check(child);
      place.pop();
    }
  };
  check(body);
  if (issues.length > 0) throw fail("BODY_INVALID", { issues });
}

function jsonEntries(value: Json): readonly (readonly [string | number, Json])[] {
  if (value === null || typeof value !== "object") return [];
  if (!Array.isArray(value)) return Object.entries(value);
  if (value.length > LIMITS.bodyArrayItemsMax) {
    throw fail("BODY_TOO_COMPLEX", { limit: "items in one array", max: LIMITS.bodyArrayItemsMax });
  }
  return [...value.entries()];
}
