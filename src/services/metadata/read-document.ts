import type { Model } from "../../core/catalog/types.js";
import { BinderyError } from "../../core/errors.js";
import type { Issue } from "../../core/issue.js";
import { isObject } from "../../core/json.js";
import type { FileDocument } from "../../formats/documents.js";
import { makeIssue } from "../input/issues.js";
import { readRecordValue, type SentRecord } from "./read-body.js";

/** What a document of a file says of a record: `{"metadata": {...}}`, or the metadata itself; or why it is none. */
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

/** Why a document cannot be a record. @throws the error itself, where that is no fault of the document */
export function unreadIssues(error: unknown, model: Model): readonly Issue[] {
  if (!(error instanceof BinderyError) || error.status >= 500) throw error;
  const { code, params, issues, message } = error;
  if (issues.length > 0) return issues;
  if (code !== "MODEL_MISMATCH") return [unreadable(message)];
  const said = `The record names the model "${params.sent}", but is read as a record of "${model.name}".`;
  return [makeIssue(["model"], "NOT_ALLOWED", [said], { value: String(params.sent), allowed: [model.name] })];
}

/** Issues of one document that are said; the others are only counted. */
const ISSUES_SAID_MAX = 20;

/** Issues in one line. */
export function describeIssues(issues: readonly Issue[]): string {
  const more = issues.length - ISSUES_SAID_MAX;
  const said = issues
    .slice(0, ISSUES_SAID_MAX)
    .map(({ field, messages }) => (field === "" ? messages.join(" ") : `${field}: ${messages.join(" ")}`));
  return [...said, ...(more > 0 ? [`and ${more} more problems`] : [])].join("; ");
}

const unreadable = (reason: string): Issue => makeIssue([], "UNREADABLE", [reason]);
