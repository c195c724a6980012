import type { Model } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { messagesIn } from "../../core/messages/messages-in.js";
import { nearestNames } from "../../core/nearest.js";
import { checkBody } from "../input/check-body.js";
import { Listed, makeIssue } from "../input/issues.js";
import { readJson } from "../input/read-json.js";
import { findNotOffered, unknownAccessKeys } from "../rules/not-offered.js";

/** What a body says of a record. */
export interface SentRecord {
  /** As sent, key order and wrong types included; `{}` where it was missing or no object. */
  readonly metadata: JsonObject;
  /** Set where there is no `metadata` object at all: the one problem of the draft. */
  readonly missing?: Issue;
  /** What is asked for beside it and not there. */
  readonly notOffered: readonly Issue[];
  readonly warnings: Listed<Warning>;
  /** Set if the metadata come from the store, with what was filled in. */
  readonly isStored?: true;
}

/** What the service sets itself: ignored, so that the body of a GET can be PUT back. */
const SERVER_OWNED: readonly string[] = [
  ...["$schema", "id", "model", "created", "updated", "links", "revision_id", "state", "is_draft", "is_published"],
  ...["parent", "versions", "errors", "as_cited", "warnings", "expanded"],
];

/** The draft keeps what was sent as `metadata` and is no object, up to this length of its JSON. */
const SHOWN_LENGTH_MAX = 10_000;

/** Read for what they ask, see not-offered.ts. */
const ASKING: readonly string[] = ["access", "files"];

/**
 * Reads the text of a request's body: `{"metadata": {...}}`.
 * @throws BODY_MISSING, BODY_NOT_JSON, BODY_TOO_LARGE, BODY_TOO_COMPLEX, BODY_INVALID, MODEL_MISMATCH
 */
export function readBody(text: string, model: Model): SentRecord {
  return readRecordValue(readJson(text), model);
}

/** The same of a value that was parsed already: a line of an import. Nests at most LIMITS.bodyDepthMax levels. */
export function readRecordValue(body: Json, model: Model): SentRecord {
  checkBody(body, SERVER_OWNED);
  if (!isObject(body)) {
    const issue = makeIssue([], "WRONG_TYPE", [messagesIn().bodyIsNoObject]);
    throw fail("BODY_INVALID", { issues: [issue] });
  }
  const sent = own(body, "model");
  if (sent !== undefined && sent !== model.name) {
    const name = typeof sent === "string" ? sent : JSON.stringify(sent);
    throw fail("MODEL_MISMATCH", { sent: name.slice(0, 100), path: model.name });
  }
  return { ...takeMetadata(body), notOffered: findNotOffered(body), warnings: unknownKeys(body) };
}

function takeMetadata(body: JsonObject): { metadata: JsonObject; missing?: Issue } {
  const metadata = own(body, "metadata");
  if (metadata === undefined) {
    return { metadata: {}, missing: makeIssue(["metadata"], "REQUIRED", [messagesIn().bodyWithoutMetadata]) };
  }
  if (isObject(metadata)) return { metadata };
  const said = [messagesIn().metadataIsNoObject];
  const value = JSON.stringify(metadata).length <= SHOWN_LENGTH_MAX ? { value: metadata } : {};
  return { metadata: {}, missing: makeIssue(["metadata"], "WRONG_TYPE", said, value) };
}

function unknownKeys(body: JsonObject): Listed<Warning> {
  const warnings = new Listed<Warning>();
  const known = ["metadata", ...SERVER_OWNED, ...ASKING];
  const unknown = Object.entries(body).filter(([key]) => !known.includes(key));
  const ofAccess = unknownAccessKeys(body).map(([key, value]) => [`access.${key}`, value] as const);
  for (const [key, value] of [...unknown, ...ofAccess]) {
    warnings.add(() => {
      const nearest = nearestNames(key, ["metadata"], LIMITS.nearestMax);
      const message = messagesIn().UNKNOWN_KEY({ key });
      return { code: "UNKNOWN_KEY", message, field: key, value, ...(nearest.length > 0 ? { nearest } : {}) };
    });
  }
  return warnings;
}
