import { gapOf } from "../../core/catalog/field-tree.js";
import type { Issue } from "../../core/issue.js";
import type { Json } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { TypeName } from "../../core/messages/messages.js";
import { nearestNames } from "../../core/nearest.js";
import { type BodyPath, makeIssue } from "../input/issues.js";
import { type NamedField, nameField, type Wording } from "../input/name-field.js";
import type { Problem } from "./problem.js";
import { kindOf, shown, shownValue } from "./shown.js";

/** So many allowed values stand in the message; `allowed` has all of them. */
const ALLOWED_SHOWN_MAX = 8;

/** A problem in the words of somebody who fills in a form. */
export function issueOfProblem(problem: Problem, metadata: Json, wording: Wording): Issue {
  const place = placeOf(problem.pointer, metadata);
  const named = nameField(wording, metadata, place);
  const allowed = allowedBy(problem, named);
  const nearest = nearestOf(problem, allowed);
  const value = problem.value === undefined ? undefined : shownValue(problem.value);
  const message = messageOf(problem, named, { allowed: allowed ?? [], nearest }, wording);
  return makeIssue(["metadata", ...place], problem.code, [message], {
    ...(value === undefined ? {} : { value }),
    ...(allowed === undefined ? {} : { allowed }),
    ...(nearest.length === 0 ? {} : { nearest }),
  });
}

interface Cures {
  readonly allowed: readonly Json[];
  readonly nearest: readonly Json[];
}

function messageOf(problem: Problem, named: NamedField, cures: Cures, { say }: Wording): string {
  const { code, value, error } = problem;
  const { params } = error;
  const { label, field } = named;
  const bound = { label, isExclusive: error.keyword.startsWith("exclusive"), ...boundOf(problem, named) };
  switch (code) {
    case "REQUIRED":
      return say.REQUIRED({ label });
    case "WRONG_TYPE": {
      const types: readonly TypeName[] = error.keyword === "type" ? [params.type].flat() : ["string"];
      return say.WRONG_TYPE({ label, types: types.map((type) => say.type(type)), found: kindOf(value, say) });
    }
    case "NOT_ALLOWED": {
      const allowed = cures.allowed.slice(0, ALLOWED_SHOWN_MAX).map((each) => shown(each, say));
      const more = cures.allowed.length - allowed.length;
      const [first] = cures.nearest;
      const nearest = first === undefined ? {} : { nearest: shown(first, say) };
      return say.NOT_ALLOWED({ label, value: shown(value, say), allowed, more, ...nearest });
    }
    case "TOO_SMALL":
      return say.TOO_SMALL(bound);
    case "TOO_LARGE":
      return say.TOO_LARGE(bound);
    case "NOT_A_MULTIPLE":
      return say.NOT_A_MULTIPLE({ label, step: withUnit(params.multipleOf, named) });
    case "TOO_SHORT":
      return say.TOO_SHORT({ label, min: params.limit });
    case "TOO_LONG":
      return say.TOO_LONG({ label, max: params.limit });
    case "TOO_FEW_ITEMS":
      return say.TOO_FEW_ITEMS({ label, min: params.limit, isRequired: field?.isRequired === true });
    case "TOO_MANY_ITEMS":
      return say.TOO_MANY_ITEMS({ label, max: params.limit });
    case "REPEATED_ITEM":
      return say.REPEATED_ITEM({ label, first: params.j + 1, second: params.i + 1 });
    case "BAD_FORMAT":
      return say.BAD_FORMAT({ label, value: shown(value, say), format: params.format });
    case "BAD_PATTERN":
      return say.BAD_PATTERN({ label, value: shown(value, say), pattern: params.pattern });
    case "NO_ALTERNATIVE":
      return say.NO_ALTERNATIVE({ label });
    default:
      return say.INVALID({ label, rule: error.keyword, limit: params.limit, said: error.message ?? "" });
  }
}

/** What is below the least value, and is not the number that stands for "not known", is told of the least value. */
function boundOf({ error }: Problem, named: NamedField): { readonly limit: string; readonly notKnown?: string } {
  const limit: unknown = gapOf(error.schema as Json)?.below ?? error.params.limit;
  const { notKnown, leastKnown } = named.field ?? {};
  if (notKnown === undefined || (limit !== notKnown && limit !== leastKnown)) return { limit: withUnit(limit, named) };
  const least = leastKnown === undefined ? String(limit) : withUnit(leastKnown, named);
  return { limit: least, notKnown: String(notKnown) };
}

function withUnit(limit: unknown, { unit }: NamedField): string {
  return unit === undefined ? String(limit) : `${limit} ${unit}`;
}

/** A choosing field takes what its alternatives stand for; a wrong type is mended by a look at the list, too. */
function allowedBy({ code, error }: Problem, { field }: NamedField): readonly Json[] | undefined {
  if (code !== "NOT_ALLOWED") return code === "WRONG_TYPE" ? field?.allowed : undefined;
  if (error.keyword === "enum") return error.params.allowedValues as readonly Json[];
  return error.keyword === "const" ? [error.params.allowedValue as Json] : (field?.allowed ?? []);
}

function nearestOf({ code, value }: Problem, allowed: readonly Json[] = []): readonly string[] {
  if (code !== "NOT_ALLOWED" || typeof value !== "string") return [];
  const texts = allowed.filter((each) => typeof each === "string");
  return nearestNames(value, texts, LIMITS.nearestMax);
}

/** Keys and indices below `metadata`; a key that looks like an index is one only within a list. */
function placeOf(pointer: string, metadata: Json): BodyPath {
  const place: (string | number)[] = [];
  let value: unknown = metadata;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    place.push(Array.isArray(value) ? Number(key) : key);
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    value = isThere ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
  }
  return place;
}
