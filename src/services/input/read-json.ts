import { fail } from "../../core/errors.js";
import type { Issue } from "../../core/issue.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { checkBody, exceedsDepth } from "./check-body.js";
import { makeIssue } from "./issues.js";

/**
 * Reads a body that is one flat object of a few members.
 *
 * @param known the members that are read; any other one is a problem, but for those that the service sets itself
 * @returns the object, and problems with its keys
 * @throws what `readJson` and `checkBody` do; BODY_INVALID where it is no object
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
  return makeIssue([key], "UNKNOWN_MEMBER", [message], nearest.length === 0 ? {} : { nearest });
}

/** A text that must be there, or what is wrong with it. @param message what the member takes */
export function readText(members: JsonObject, key: string, message: string): string | Issue {
  const value = own(members, key);
  if (typeof value === "string") return value;
  return value === undefined
    ? makeIssue([key], "REQUIRED", [message])
    : makeIssue([key], "WRONG_TYPE", [message], { value });
}

/**
 * The value of a body's text, within the limits that its text shows; `checkBody` holds it to the others.
 * @throws BODY_TOO_LARGE, BODY_MISSING, BODY_TOO_COMPLEX, BODY_NOT_JSON
 */
export function readJson(text: string): Json {
  if (Buffer.byteLength(text) > LIMITS.bodyBytesMax) throw fail("BODY_TOO_LARGE", { max: LIMITS.bodyBytesMax });
  if (text.trim() === "") throw fail("BODY_MISSING");
  // Before JSON.parse: what follows may then recurse without fear for the stack.
  if (exceedsDepth(text, LIMITS.bodyDepthMax)) {
    throw fail("BODY_TOO_COMPLEX", { limit: "levels", max: LIMITS.bodyDepthMax });
  }
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw fail("BODY_NOT_JSON", { reason: reasonOf(error, text) }, error);
  }
}

/** V8 quotes the place, or says its offset, as it likes; people look for line and column. */
function reasonOf(error: unknown, text: string): string {
  const said = error instanceof Error ? error.message : "";
  const at = /^(.*?) (?:in JSON )?at position (\d+)/s.exec(said);
  if (at === null) return said.replace(/ is not valid JSON$/, "").replace(/^Unexpected end.*$/, "it ends unexpectedly");
  const before = text.slice(0, Number(at[2]));
  const line = before.split("\n").length;
  return `${at[1]!.replace(/ in JSON$/, "")} (line ${line}, column ${before.length - before.lastIndexOf("\n")})`;
}
