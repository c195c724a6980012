import { BinderyError } from "../../core/errors.js";
import type { Warning } from "../../core/issue.js";
import type { FieldLookup } from "../fields/field-meanings.js";
import { parseQuery } from "../parse/parse.js";
import { resolveQuery } from "../resolve/resolve.js";

/** What is said of a text that is offered in place of another; undefined where it is too long, or asks for too much. */
export function warningsOf(text: string, fields: FieldLookup, nowMicros: number): readonly Warning[] | undefined {
  try {
    const { tree, warnings } = parseQuery(text, fields);
    return [...warnings, ...resolveQuery(tree, fields, nowMicros).warnings];
  } catch (error) {
    if (error instanceof BinderyError && error.code === "QUERY_TOO_LARGE") return undefined;
    throw error;
  }
}

/** Is nothing said of a text that is not said of another as well? */
export function saysNothingNew(after: readonly Warning[] | undefined, before: readonly Warning[]): boolean {
  const count = (warnings: readonly Warning[], code: string): number =>
    warnings.filter((warning) => warning.code === code).length;
  return after?.every(({ code }) => count(after, code) <= count(before, code)) ?? false;
}
