import type { Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import type { TermContent } from "../../core/term.js";
import type { TermReader } from "../../ports/store.js";
import { checkBody } from "../input/check-body.js";
import { makeIssue } from "../input/issues.js";
import { readJson } from "../input/read-json.js";
import { checkTerm } from "../rules/check-term.js";

/**
 * Parses a term from the body of a request.
 * @param id id in the path; the body may omit it, but must not have another one
 * @throws the errors of `readJson` and `checkBody`; BODY_INVALID with all issues
 */
export function readTermBody(vocabulary: Vocabulary, text: string, id?: string): TermContent {
  const body = readJson(text);
  checkBody(body);
  return checkTermValue(vocabulary, body, id);
}

/** Checks a term in the form that clients read and send. @throws BODY_INVALID with all issues */
export function checkTermValue(vocabulary: Vocabulary, body: Json, id?: string): TermContent {
  const value = isObject(body) ? withId(body, id) : body;
  const { content, reasons } = checkTerm(vocabulary, value);
  if (reasons !== undefined) {
    const props = isObject(value) && isObject(value.props) ? value.props : {};
    const issues = reasons.map((reason) =>
      makeIssue(placeInReason(reason, props), "TERM_INVALID", [asSentence(reason)]),
    );
    throw fail("BODY_INVALID", { issues });
  }
  return content;
}

/**
 * Checks that the parent and the successor of a term exist, if they are new.
 * @param before the parent and the successor that it had
 * @throws BODY_INVALID
 */
export async function checkTargets(
  terms: TermReader,
  { name }: Vocabulary,
  { id, parent, replaced_by }: TermContent,
  before: { readonly parent?: string; readonly replaced_by?: string },
): Promise<void> {
  const issues = [];
  for (const [key, target, oldTarget] of [
    ["parent", parent, before.parent],
    ["replaced_by", replaced_by, before.replaced_by],
  ] as const) {
    if (target === undefined || target === oldTarget) continue;
    const placed = await terms.getExact(name, target);
    if (placed === undefined) {
      issues.push(
        makeIssue([key], "TERM_UNKNOWN", [`The vocabulary ${name} has no term "${target}".`], { value: target }),
      );
    } else if (key === "parent" && placed.ancestors.some((ancestor) => ancestor.id === id)) {
      issues.push(
        makeIssue([key], "TERM_INVALID", [`"${target}" is a descendant of this term, so it cannot be its parent.`], {
          value: target,
        }),
      );
    }
  }
  if (issues.length > 0) throw fail("BODY_INVALID", { issues });
}

/** Adds the id of the path. @throws BODY_INVALID if the body has another one */
function withId(body: JsonObject, id: string | undefined): JsonObject {
  if (id === undefined) return body;
  if (!Object.hasOwn(body, "id")) return { ...body, id };
  if (body.id === id) return body;
  const message = `The id in the path is "${id}"; the id of a term cannot be changed.`;
  throw fail("BODY_INVALID", { issues: [makeIssue(["id"], "TERM_INVALID", [message], { value: body.id! })] });
}

/**
 * Returns the place that a reason of `checkTerm` names at its start: `"title" must be ...`, `the id "x" does not ...`,
 * `unknown key "titel"`. Props are named without `props`.
 */
function placeInReason(reason: string, props: JsonObject): readonly string[] {
  const place =
    /^the (\w+) "/.exec(reason)?.[1] ??
    /^"[^"]*" in "(\w+)"/.exec(reason)?.[1] ??
    /^(?:unknown key )?"([^"]*)"/.exec(reason)?.[1];
  const steps = place === undefined ? [] : place.split(".");
  return steps[0] !== undefined && Object.hasOwn(props, steps[0]) ? ["props", ...steps] : steps;
}

function asSentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1);
  return /[.?]$/.test(text) ? text : `${text}.`;
}
