/** Builds issues, the values that their messages show, and lists of issues or warnings with a maximum length. */

import { type BinderyError, fail } from "../../core/errors.js";
import type { Issue, IssueCodeName } from "../../core/issue.js";
import { escapePointer, isObject, type Json } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { messagesIn } from "../../core/messages/en.js";
import type { Messages, TypeName } from "../../core/messages/messages.js";
import { replaceForbidden } from "./characters.js";

/** A place in a body: keys and indices from its root. */
export type BodyPath = readonly (string | number)[];

/** Formats a place as `metadata.contributors.0.id`. */
export function formatFieldPath(place: BodyPath): string {
  return place.map((step) => replaceForbidden(String(step))).join(".");
}

/** Formats a place as a JSON pointer: `/metadata/contributors/0/id`. */
export function formatPointer(place: BodyPath): string {
  return place.map((step) => `/${escapePointer(replaceForbidden(String(step)))}`).join("");
}

/** Creates the issue at a place. */
export function makeIssue(
  place: BodyPath,
  code: IssueCodeName,
  messages: readonly string[],
  extra: {
    readonly value?: Json | undefined;
    readonly allowed?: readonly Json[] | undefined;
    readonly nearest?: readonly Json[] | undefined;
  } = {},
): Issue {
  const { value, ...rest } = extra;
  const issue = { field: formatFieldPath(place), pointer: formatPointer(place), code, messages, ...rest };
  return value === undefined ? issue : { ...issue, value };
}

/** A list of at most LIMITS.issuesMax issues or warnings. Further entries are only counted. */
export class IssueList<T> {
  readonly entries: T[] = [];
  /** Number of entries that are not in the list. */
  more = 0;

  add(make: () => T): void {
    if (this.entries.length < LIMITS.issuesMax) this.entries.push(make());
    else this.more++;
  }

  /** Appends the entries of another list, and its count. */
  append({ entries, more }: { readonly entries: readonly T[]; readonly more: number }): void {
    for (const entry of entries) this.add(() => entry);
    this.more += more;
  }
}

/** Returns the error for an invalid value of a parameter or of an option of the command line. */
export function badParameter(name: string, message: string, value?: Json, allowed?: readonly Json[]): BinderyError {
  return fail("PARAMETER_INVALID", { issues: [makeIssue([name], "PARAMETER_INVALID", [message], { value, allowed })] });
}

/** Maximum length of a bad value that its issue repeats. */
const VALUE_LENGTH_MAX = 1_024;
/** Maximum length of a text in a message; longer ones are cut. */
const SHOWN_LENGTH_MAX = 80;

function jsonType(value: unknown): TypeName | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" || type === "object" ? type : undefined;
}

/** Returns the kind of a value in words. */
export function typeInWords(value: unknown, say: Messages = messagesIn()): string {
  return say.type(jsonType(value));
}

/** Formats a value for a sentence: a text in quotes, cut if it is long; for a list or an object only its kind. */
export function valueInSentence(value: unknown, say: Messages): string {
  if (Array.isArray(value) || isObject(value)) return typeInWords(value, say);
  const text = typeof value === "string" ? `"${value}"` : String(value);
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX - 1)}…` : text;
}

/** Returns the bad value if it is a short single value or an empty list or object, else undefined. */
export function valueIfShort(value: Json): Json | undefined {
  if (typeof value === "string") return value.length > VALUE_LENGTH_MAX ? undefined : value;
  if (value === null || typeof value !== "object") return value;
  return Object.keys(value).length === 0 ? value : undefined;
}
