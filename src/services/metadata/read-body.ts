import type { Model } from "../../core/catalog/types.js";
import { BinderyError, fail } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { messagesIn } from "../../core/messages/en.js";
import type { NotOffered } from "../../core/messages/messages.js";
import { nearestNames } from "../../core/nearest.js";
import { decodeBody, type SentBody } from "../../core/sent-body.js";
import type { FileDocument } from "../../formats/documents.js";
import { checkBody } from "../input/check-body.js";
import { type BodyPath, IssueList, makeIssue, valueIfShort } from "../input/issues.js";
import { readJson } from "../input/read-json.js";

/** The content of a record's body. */
export interface SentRecord {
  /** As sent, including key order and wrong types; `{}` if it was missing or not an object. */
  readonly metadata: JsonObject;
  /** Set if there is no `metadata` object at all: the only problem of the draft. */
  readonly missing?: Issue;
  /** Problems with requested features that do not exist (`access`, `files`). */
  readonly notOffered: readonly Issue[];
  readonly warnings: IssueList<Warning>;
  /** Set if the metadata come from the store, with filled-in values. */
  readonly isStored?: true;
}

/** Keys that the service sets itself. They are ignored, so that the body of a GET can be sent back with PUT. */
const SERVER_OWNED: readonly string[] = [
  "$schema",
  "id",
  "model",
  "created",
  "updated",
  "links",
  "revision_id",
  "state",
  "is_draft",
  "is_published",
  "parent",
  "versions",
  "errors",
  "as_cited",
  "warnings",
  "expanded",
  "checks",
];

/** Maximum length of the JSON of a value that an issue or warning of this file repeats. */
const SHOWN_LENGTH_MAX = 10_000;

/** Keys that request features, see `findNotOffered`. */
const FEATURE_KEYS: readonly string[] = ["access", "files"];

/**
 * Reads the body of a request: `{"metadata": {...}}`.
 * @throws BODY_NOT_UTF8, BODY_MISSING, BODY_NOT_JSON, BODY_TOO_LARGE, BODY_TOO_COMPLEX, BODY_INVALID, MODEL_MISMATCH
 */
export function readBody(body: SentBody, model: Model): SentRecord {
  return readRecordValue(readJson(decodeBody(body)), model);
}

/** Reads a body that is already parsed, such as a line of an import. It nests at most LIMITS.bodyDepthMax levels. */
function readRecordValue(body: Json, model: Model): SentRecord {
  checkBody(body, SERVER_OWNED);
  if (!isObject(body)) {
    const issue = makeIssue([], "WRONG_TYPE", [messagesIn().bodyIsNoObject]);
    throw fail("BODY_INVALID", { issues: [issue] });
  }
  const sentModel = own(body, "model");
  if (sentModel !== undefined && sentModel !== model.name) {
    const name = typeof sentModel === "string" ? sentModel : JSON.stringify(sentModel);
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
  const messages = [messagesIn().metadataIsNoObject];
  return { metadata: {}, missing: makeIssue(["metadata"], "WRONG_TYPE", messages, ifShort(metadata)) };
}

/** Returns a value for an issue or warning, or nothing if it is too long: the value can be as long as the body. */
function ifShort(value: Json): { readonly value?: Json } {
  return JSON.stringify(value).length <= SHOWN_LENGTH_MAX ? { value } : {};
}

function unknownKeys(body: JsonObject): IssueList<Warning> {
  const warnings = new IssueList<Warning>();
  const knownKeys = ["metadata", ...SERVER_OWNED, ...FEATURE_KEYS];
  const topEntries = Object.entries(body).filter(([key]) => !knownKeys.includes(key));
  const accessEntries = unknownAccessKeys(body).map(([key, value]) => [`access.${key}`, value] as const);
  for (const [key, value] of [...topEntries, ...accessEntries]) {
    warnings.add(() => {
      const nearest = nearestNames(key, ["metadata"], LIMITS.nearestMax);
      const message = messagesIn().UNKNOWN_KEY({ key });
      return {
        code: "UNKNOWN_KEY",
        message,
        field: key,
        ...ifShort(value),
        nearest: nearest.length > 0 ? nearest : undefined,
      };
    });
  }
  return warnings;
}

/** Reads a record from a document of a file: `{"metadata": {...}}`, or the metadata itself. Returns why it cannot. */
export function readDocument(document: FileDocument, model: Model): SentRecord | { readonly unread: readonly Issue[] } {
  if ("reason" in document) return { unread: [unreadable(document.reason)] };
  const { value } = document;
  const isWrapped = !isObject(value) || Object.hasOwn(value, "metadata");
  try {
    return readRecordValue(isWrapped ? value : { metadata: value }, model);
  } catch (error) {
    return { unread: unreadIssues(error, model) };
  }
}

/** Returns why a document cannot be read as a record. @throws the error itself if it is not about the document */
export function unreadIssues(error: unknown, model: Model): readonly Issue[] {
  if (!(error instanceof BinderyError) || error.status >= 500) throw error;
  const { code, params, issues, message } = error;
  if (issues.length > 0) return issues;
  if (code !== "MODEL_MISMATCH") return [unreadable(message)];
  const mismatch = `The record names the model "${params.sent}", but is read as a record of "${model.name}".`;
  return [makeIssue(["model"], "NOT_ALLOWED", [mismatch], { value: String(params.sent), allowed: [model.name] })];
}

/** Number of issues of one document that are listed; the others are only counted. */
const ISSUES_LISTED_MAX = 20;

/** Describes issues in one line. */
export function describeIssues(issues: readonly Issue[]): string {
  const more = issues.length - ISSUES_LISTED_MAX;
  const descriptions = issues
    .slice(0, ISSUES_LISTED_MAX)
    .map(({ field, messages }) => (field === "" ? messages.join(" ") : `${field}: ${messages.join(" ")}`));
  return [...descriptions, ...(more > 0 ? [`and ${more} more problems`] : [])].join("; ");
}

const unreadable = (reason: string): Issue => makeIssue([], "UNREADABLE", [reason]);

/** Keys of `access`; `status` follows from the others and is never read. */
const ACCESS_KEYS: readonly string[] = ["record", "files", "embargo", "status"];

/**
 * Returns problems with `access` and `files` of a body, which use the keys of Invenio: restricted records and files are
 * not supported. They are kept in the draft's `errors`, so that nothing is published as if they were not requested.
 * Values that request what happens anyway (`"public"`, `{"enabled": false}`) are no problem.
 */
function findNotOffered(body: JsonObject): readonly Issue[] {
  return [...accessIssues(own(body, "access")), ...filesIssues(own(body, "files"))];
}

/** Returns the errors of a draft about unsupported features, which its metadata do not show. */
export function unsupportedIssues(errors: readonly Issue[] = []): readonly Issue[] {
  return errors.filter(({ code }) => code === "NOT_OFFERED");
}

/** Returns the unknown members of `access`. */
function unknownAccessKeys(body: JsonObject): readonly (readonly [key: string, value: Json])[] {
  const access = own(body, "access");
  return isObject(access) ? Object.entries(access).filter(([key]) => !ACCESS_KEYS.includes(key)) : [];
}

function accessIssues(access: Json | undefined): readonly Issue[] {
  if (access === undefined || access === null) return [];
  if (!isObject(access)) return [issueAt(["access"], access, "restriction")];
  const restricted = ["record", "files"].flatMap((key) => {
    const value = own(access, key) ?? "public";
    return value === "public" ? [] : [issueAt(["access", key], value, "restriction", ["public"])];
  });
  const embargo = own(access, "embargo");
  return [...restricted, ...(isEmbargo(embargo) ? [issueAt(["access", "embargo"], embargo, "embargo")] : [])];
}

/**
 * Returns whether this is an embargo. `{"active": false, "reason": null}` is not one. One with an end is active by
 * default.
 */
function isEmbargo(embargo: Json | undefined): embargo is Json {
  if (embargo === undefined || embargo === null || embargo === false) return false;
  if (!isObject(embargo)) return true;
  const active = own(embargo, "active") ?? undefined;
  return active === undefined ? (own(embargo, "until") ?? null) !== null : active !== false;
}

function filesIssues(files: Json | undefined): readonly Issue[] {
  if (files === undefined || files === null || files === false) return [];
  if (Array.isArray(files)) return files.length === 0 ? [] : [issueAt(["files"], files, "files")];
  if (!isObject(files)) return [issueAt(["files"], files, "files")];
  const enabled = own(files, "enabled") ?? false;
  return enabled === false ? [] : [issueAt(["files", "enabled"], enabled, "files", [false])];
}

function issueAt(place: BodyPath, sent: Json, feature: NotOffered, allowed?: readonly Json[]): Issue {
  const value = valueIfShort(sent);
  const message = messagesIn().NOT_OFFERED({ field: place.join("."), asked: feature });
  return makeIssue(place, "NOT_OFFERED", [message], {
    value,
    allowed,
  });
}
