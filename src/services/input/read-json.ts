import { fail } from "../../core/errors.js";
import type { Issue } from "../../core/issue.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { checkBody, exceedsDepth } from "./check-body.js";
import { makeIssue } from "./issues.js";

/**
 * Reads a body that is a flat object with a few members.
 *
 * @param known the keys that are read
 * @param serverOwned keys that the service sets itself, which are ignored; any other key is a problem
 * @returns the object, and problems with its keys
 * @throws what `readJson` and `checkBody` throw; BODY_INVALID if it is not an object
 */
export function readMembers(
  text: string,
  known: readonly string[],
  serverOwned: readonly string[],
): { readonly members: JsonObject; readonly issues: readonly Issue[] } {
  const members = readJson(text);
  checkBody(members);
  if (!isObject(members)) {
    const issue = makeIssue([], "WRONG_TYPE", [`The body must be a JSON object with the keys ${known.join(", ")}.`]);
    throw fail("BODY_INVALID", { issues: [issue] });
  }
  const unknown = Object.keys(members).filter((key) => !known.includes(key) && !serverOwned.includes(key));
  return { members, issues: unknown.slice(0, LIMITS.issuesMax).map((key) => unknownMember(key, known)) };
}

function unknownMember(key: string, known: readonly string[]): Issue {
  const nearest = nearestNames(key, known, LIMITS.nearestMax);
  const message = `"${key}" is not a key of this body; the keys are ${known.join(", ")}.`;
  return makeIssue([key], "UNKNOWN_MEMBER", [message], { nearest: nearest.length === 0 ? undefined : nearest });
}

/** Reads a required text, or returns the problem with it. @param message says which values the member takes */
export function readText(members: JsonObject, key: string, message: string): string | Issue {
  const value = own(members, key);
  if (typeof value === "string") return value;
  return value === undefined
    ? makeIssue([key], "REQUIRED", [message])
    : makeIssue([key], "WRONG_TYPE", [message], { value });
}

/**
 * Parses the text of a body, and checks its length and depth. `checkBody` checks the other limits.
 * @throws BODY_TOO_LARGE, BODY_MISSING, BODY_TOO_COMPLEX, BODY_NOT_JSON
 */
export function readJson(text: string): Json {
  if (Buffer.byteLength(text) > LIMITS.bodyBytesMax) throw fail("BODY_TOO_LARGE", { max: LIMITS.bodyBytesMax });
  if (text.trim() === "") throw fail("BODY_MISSING");
  // Checked before JSON.parse, so that everything after it can recurse without a stack overflow.
  if (exceedsDepth(text, LIMITS.bodyDepthMax)) {
    throw fail("BODY_TOO_COMPLEX", { limit: "levels", max: LIMITS.bodyDepthMax });
  }
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw fail("BODY_NOT_JSON", { reason: jsonErrorReason(error, text) }, error);
  }
}

/** Returns the reason of a JSON error with line and column. V8 sometimes gives an offset, sometimes a quotation. */
function jsonErrorReason(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : "";
  const match = /^(.*?) (?:in JSON )?at position (\d+)/s.exec(message);
  if (match === null) {
    return message.replace(/ is not valid JSON$/, "").replace(/^Unexpected end.*$/, "it ends unexpectedly");
  }
  const textBefore = text.slice(0, Number(match[2]));
  const line = textBefore.split("\n").length;
  const column = textBefore.length - textBefore.lastIndexOf("\n");
  return `${match[1]!.replace(/ in JSON$/, "")} (line ${line}, column ${column})`;
}

/** Pattern of the names of users and tokens. */
const NAME = /^[^\p{C}\s]([^\p{C}\p{Zl}\p{Zp}]{0,98}[^\p{C}\s])?$/u;

/** Message about an invalid name. */
export const NAME_RULE =
  "A name must have 1 to 100 characters, no control characters, and no space at its start or end.";

/** Returns whether a text is a valid name of a user or token. */
export function isName(text: string): boolean {
  return NAME.test(text);
}
