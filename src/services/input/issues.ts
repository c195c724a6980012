/** Builds issues, and lists of issues or warnings with a maximum length. */

import { type BinderyError, fail } from "../../core/errors.js";
import type { Issue } from "../../core/issue.js";
import type { IssueCodeName } from "../../core/issue-codes.js";
import { escapePointer, type Json } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { showable } from "./characters.js";

/** A place in a body: keys and indices from its root. */
export type BodyPath = readonly (string | number)[];

/** Formats a place as `metadata.contributors.0.id`. */
export function fieldOf(place: BodyPath): string {
  return place.map((step) => showable(String(step))).join(".");
}

/** Formats a place as a JSON pointer: `/metadata/contributors/0/id`. */
export function pointerOf(place: BodyPath): string {
  return place.map((step) => `/${escapePointer(showable(String(step)))}`).join("");
}

export function makeIssue(
  place: BodyPath,
  code: IssueCodeName,
  messages: readonly string[],
  extra: {
    readonly value?: Json | undefined;
    readonly allowed?: readonly Json[];
    readonly nearest?: readonly Json[];
  } = {},
): Issue {
  const { value, ...rest } = extra;
  const issue = { field: fieldOf(place), pointer: pointerOf(place), code, messages, ...rest };
  return value === undefined ? issue : { ...issue, value };
}

/** A list of at most LIMITS.issuesMax issues or warnings. Further ones are only counted. */
export class Listed<T> {
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
  const extra = { ...(value === undefined ? {} : { value }), ...(allowed === undefined ? {} : { allowed }) };
  return fail("PARAMETER_INVALID", { issues: [makeIssue([name], "PARAMETER_INVALID", [message], extra)] });
}
