import { fail } from "../../core/errors.js";
import { isObject, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { checkBody } from "../input/check-body.js";
import { makeIssue } from "../input/issues.js";
import { readJson } from "../input/read-json.js";

const FIELD = "removal_reason";

/**
 * The reason that a retraction gives: of `{"removal_reason": "..."}`, of `{}` or of no body at all ("").
 * @throws BODY_NOT_JSON, BODY_TOO_LARGE, BODY_TOO_COMPLEX, BODY_INVALID
 */
export function readRemoval(text: string | undefined): string {
  if (text === undefined || text.trim() === "") return "";
  const body = readJson(text);
  checkBody(body);
  if (!isObject(body)) {
    const said = `The body must be a JSON object with the key ${FIELD}, or be left out.`;
    throw fail("BODY_INVALID", { issues: [makeIssue([], "WRONG_TYPE", [said])] });
  }
  refuseOthers(body);
  const reason = own(body, FIELD) ?? "";
  if (typeof reason !== "string") {
    throw fail("BODY_INVALID", { issues: [makeIssue([FIELD], "WRONG_TYPE", [`${FIELD} must be text.`])] });
  }
  const max = LIMITS.removalReasonCodePointsMax;
  if ([...reason].length > max) {
    const said = `${FIELD} must have at most ${max} characters.`;
    throw fail("BODY_INVALID", { issues: [makeIssue([FIELD], "TOO_LONG", [said])] });
  }
  return reason;
}

/** A reason under a misspelt name would be lost for ever. */
function refuseOthers(body: JsonObject): void {
  const others = Object.keys(body).filter((key) => key !== FIELD);
  if (others.length === 0) return;
  const said = `The body of a retraction can have the key ${FIELD} only.`;
  const issues = others
    .slice(0, LIMITS.issuesMax)
    .map((key) => makeIssue([key], "NOT_ALLOWED", [said], { allowed: [FIELD] }));
  throw fail("BODY_INVALID", { issues });
}
