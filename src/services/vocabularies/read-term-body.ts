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
 * Reads an item from the text of a request's body.
 * @param id of the path: the body may leave it out, and may not say another
 * @throws what `readJson` and `checkBody` do; BODY_INVALID naming all that is wrong
 */
export function readTermBody(vocabulary: Vocabulary, text: string, id?: string): TermContent {
  const body = readJson(text);
  checkBody(body);
  return checkTermValue(vocabulary, body, id);
}

/** The same of a value: an item as one reads it, perhaps changed. @throws BODY_INVALID naming all that is wrong */
export function checkTermValue(vocabulary: Vocabulary, body: Json, id?: string): TermContent {
  const value = isObject(body) ? withId(body, id) : body;
  const { content, reasons } = checkTerm(vocabulary, value);
  if (reasons !== undefined) {
    const props = isObject(value) && isObject(value.props) ? value.props : {};
    const issues = reasons.map((reason) => makeIssue(placeOf(reason, props), "TERM_INVALID", [sentence(reason)]));
    throw fail("BODY_INVALID", { issues });
  }
  return content;
}

/**
 * Checks that what an item refers to is there: the item above it and its successor, as far as they are new to it.
 * @param before the item as it was
 * @throws BODY_INVALID
 */
export async function checkTargets(
  terms: TermReader,
  { name }: Vocabulary,
  { id, parent, replaced_by }: TermContent,
  before: { readonly parent?: string; readonly replaced_by?: string },
): Promise<void> {
  const issues = [];
  for (const [key, target, known] of [
    ["parent", parent, before.parent],
    ["replaced_by", replaced_by, before.replaced_by],
  ] as const) {
    if (target === undefined || target === known) continue;
    const found = await terms.getExact(name, target);
    if (found === undefined) {
      issues.push(
        makeIssue([key], "TERM_UNKNOWN", [`The vocabulary ${name} has no term "${target}".`], { value: target }),
      );
    } else if (key === "parent" && found.ancestors.some((ancestor) => ancestor.id === id)) {
      issues.push(
        makeIssue([key], "TERM_INVALID", [`"${target}" is a descendant of this term, so it cannot be its parent.`], {
          value: target,
        }),
      );
    }
  }
  if (issues.length > 0) throw fail("BODY_INVALID", { issues });
}

function withId(body: JsonObject, id: string | undefined): JsonObject {
  if (id === undefined) return body;
  if (!Object.hasOwn(body, "id")) return { ...body, id };
  if (body.id === id) return body;
  const message = `The id in the path is "${id}"; the id of a term cannot be changed.`;
  throw fail("BODY_INVALID", { issues: [makeIssue(["id"], "TERM_INVALID", [message], { value: body.id! })] });
}

/**
 * A reason names its place first: `"title" must be ...`, `the id "x" does not ...`, `unknown key "titel"`; a prop is
 * named alone, wherever it stands.
 */
function placeOf(reason: string, props: JsonObject): readonly string[] {
  const named = /^the (\w+) "/.exec(reason)?.[1] ?? /^"[^"]*" in "(\w+)"/.exec(reason)?.[1];
  const place = named ?? /^(?:unknown key )?"([^"]*)"/.exec(reason)?.[1];
  const steps = place === undefined ? [] : place.split(".");
  return steps[0] !== undefined && Object.hasOwn(props, steps[0]) ? ["props", ...steps] : steps;
}

function sentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1);
  return /[.?]$/.test(text) ? text : `${text}.`;
}
