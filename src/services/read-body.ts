import type { Model } from "../core/catalog/types.js";
import { fail } from "../core/errors.js";
import type { Issue, Warning } from "../core/issue.js";
import { isObject, type Json, type JsonObject, own } from "../core/json.js";
import { LIMITS } from "../core/limits.js";
import { nearestNames } from "../core/nearest.js";
import { checkBody, exceedsDepth } from "./check-body.js";
import { makeIssue } from "./issues.js";

/** What a body says of a record. */
export interface SentRecord {
  /** As sent, key order and wrong types included; `{}` where it was missing or no object. */
  readonly metadata: JsonObject;
  /** Set where there is no `metadata` object at all: the one problem of the draft. */
  readonly missing?: Issue;
  readonly warnings: readonly Warning[];
}

/** What the service sets itself: ignored, so that the body of a GET can be PUT back. */
const SERVER_OWNED: readonly string[] = [
  ...["$schema", "id", "model", "created", "updated", "links", "revision_id", "state", "is_draft", "is_published"],
  ...["parent", "versions", "files", "errors", "warnings", "expanded"],
];

/**
 * Reads the text of a request's body: `{"metadata": {...}}`.
 * @throws BODY_MISSING, BODY_NOT_JSON, BODY_TOO_LARGE, BODY_TOO_COMPLEX, BODY_INVALID, MODEL_MISMATCH
 */
export function readBody(text: string, model: Model): SentRecord {
  if (text.trim() === "") throw fail("BODY_MISSING");
  return readRecordValue(readJson(text), model);
}

/**
 * The value of a request's body, whatever it is.
 * @throws BODY_NOT_JSON, BODY_TOO_LARGE, BODY_TOO_COMPLEX
 */
export function readJson(text: string): Json {
  if (Buffer.byteLength(text) > LIMITS.bodyBytesMax) throw fail("BODY_TOO_LARGE", { max: LIMITS.bodyBytesMax });
  // Before JSON.parse: what follows may then recurse without fear for the stack.
  if (exceedsDepth(text, LIMITS.bodyDepthMax)) throw tooDeep();
  return parseJson(text);
}

/** The same of a value that was parsed already: a line of an import. Nests at most LIMITS.bodyDepthMax levels. */
export function readRecordValue(body: Json, model: Model): SentRecord {
  checkBody(body);
  if (!isObject(body)) {
    const issue = makeIssue([], "WRONG_TYPE", ["A record is a JSON object with the key metadata."]);
    throw fail("BODY_INVALID", { issues: [issue] });
  }
  const sent = own(body, "model");
  if (sent !== undefined && sent !== model.name) {
    const name = typeof sent === "string" ? sent : JSON.stringify(sent);
    throw fail("MODEL_MISMATCH", { sent: name.slice(0, 100), path: model.name });
  }
  return { ...takeMetadata(body), warnings: unknownKeys(body) };
}

export function tooDeep(): Error {
  return fail("BODY_TOO_COMPLEX", { limit: "levels", max: LIMITS.bodyDepthMax });
}

function takeMetadata(body: JsonObject): { metadata: JsonObject; missing?: Issue } {
  const metadata = own(body, "metadata");
  if (metadata === undefined) {
    return { metadata: {}, missing: makeIssue(["metadata"], "REQUIRED", ["A record needs metadata."]) };
  }
  if (isObject(metadata)) return { metadata };
  const said = ["metadata is a JSON object; what was sent is kept in `value` of this entry only."];
  return { metadata: {}, missing: makeIssue(["metadata"], "WRONG_TYPE", said, { value: metadata }) };
}

function unknownKeys(body: JsonObject): Warning[] {
  const warnings: Warning[] = [];
  for (const [key, value] of Object.entries(body)) {
    if (key === "metadata" || SERVER_OWNED.includes(key)) continue;
    const nearest = nearestNames(key, ["metadata"], LIMITS.nearestMax);
    const message = `Only metadata is read; "${key}" was left out.`;
    warnings.push({ code: "UNKNOWN_KEY", message, field: key, value, ...(nearest.length > 0 ? { nearest } : {}) });
  }
  return warnings;
}

function parseJson(text: string): Json {
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
  if (at === null) return said.replace(/ is not valid JSON$/, "").replace(/^Unexpected end.*$/, "it ends too early");
  const before = text.slice(0, Number(at[2]));
  const line = before.split("\n").length;
  return `${at[1]!.replace(/ in JSON$/, "")} (line ${line}, column ${before.length - before.lastIndexOf("\n")})`;
}
