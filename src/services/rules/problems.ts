import type { ErrorObject } from "ajv/dist/2020.js";
import { forbiddenRange } from "../../core/catalog/field-tree.js";
import type { Issue, IssueCodeName } from "../../core/issue.js";
import { escapePointer, type Json, unescapePointer } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { TypeName } from "../../core/messages/messages.js";
import { nearestNames } from "../../core/nearest.js";
import { type BodyPath, makeIssue, typeInWords, valueIfShort, valueInSentence } from "../input/issues.js";
import { type NamedPlace, nameField, type Wording } from "../input/name-field.js";

/** Number of allowed values in a message; `allowed` contains all of them. */
const ALLOWED_SHOWN_MAX = 8;

/** An error of Ajv with the code of its issue. */
interface Problem {
  readonly code: IssueCodeName;
  /** JSON pointer below `metadata`; for a missing field the pointer of the field, not of its object. */
  readonly pointer: string;
  /** The bad value; undefined if it is missing. */
  readonly value: Json | undefined;
  readonly error: ErrorObject;
}

const CODES: Readonly<Record<string, IssueCodeName>> = {
  required: "REQUIRED",
  dependentRequired: "REQUIRED",
  type: "WRONG_TYPE",
  enum: "NOT_ALLOWED",
  const: "NOT_ALLOWED",
  minimum: "TOO_SMALL",
  exclusiveMinimum: "TOO_SMALL",
  maximum: "TOO_LARGE",
  exclusiveMaximum: "TOO_LARGE",
  multipleOf: "NOT_A_MULTIPLE",
  minLength: "TOO_SHORT",
  maxLength: "TOO_LONG",
  format: "BAD_FORMAT",
  pattern: "BAD_PATTERN",
  minItems: "TOO_FEW_ITEMS",
  maxItems: "TOO_MANY_ITEMS",
  uniqueItems: "REPEATED_ITEM",
  anyOf: "NO_ALTERNATIVE",
  oneOf: "NO_ALTERNATIVE",
  not: "NO_ALTERNATIVE",
};

/**
 * Keywords whose errors are ignored: the failed branch of an `if` reports its own error, and unknown fields are
 * warnings, never errors.
 */
const SILENT_KEYWORDS: readonly string[] = ["if", "additionalProperties", "unevaluatedProperties"];

/** Order in which one of several problems with a value is reported. Correcting it corrects or reveals the others. */
const GRAVEST_FIRST: readonly IssueCodeName[] = ["WRONG_TYPE", "NOT_ALLOWED", "TOO_SHORT", "BAD_FORMAT"];

/** Returns the problem that an error of Ajv means, or undefined for an ignored error. */
export function readProblem(error: ErrorObject): Problem | undefined {
  const { keyword, params, instancePath, data } = error;
  if (SILENT_KEYWORDS.includes(keyword)) return undefined;
  if (keyword === "discriminator") return problemOfChoice(error);
  const isGap = keyword === "not" && forbiddenRange(error.schema as Json) !== undefined;
  const code = isGap ? "TOO_SMALL" : (CODES[keyword] ?? "INVALID");
  if (code !== "REQUIRED") return { code, pointer: instancePath, value: data as Json, error };
  return { code, pointer: `${instancePath}${stepTo(params.missingProperty)}`, value: undefined, error };
}

/** Returns the problem of a choosing field that is missing, not a text, or not one of its values. */
function problemOfChoice(error: ErrorObject): Problem {
  const { tag, tagValue } = error.params;
  const pointer = `${error.instancePath}${stepTo(tag)}`;
  const isText = typeof tagValue === "string";
  const code = tagValue === undefined ? "REQUIRED" : isText ? "NOT_ALLOWED" : "WRONG_TYPE";
  return { code, pointer, value: tagValue as Json | undefined, error };
}

function stepTo(name: unknown): string {
  return `/${escapePointer(String(name))}`;
}

/**
 * Returns one problem for each mistake. Alternatives and extensions that share a field report the same problem several
 * times, and a wrong value often violates several rules. A list or object of the right type may have several problems
 * with different codes.
 */
export function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  const mistyped = new Set(problems.filter(({ code }) => code === "WRONG_TYPE").map(({ pointer }) => pointer));
  const problemsByKey = new Map<string, Problem>();
  for (const problem of problems) {
    const { pointer, code, value } = problem;
    const hasSeveral = typeof value === "object" && value !== null && !mistyped.has(pointer);
    const key = hasSeveral ? `${pointer} ${code}` : pointer;
    const other = problemsByKey.get(key);
    if (other === undefined || isGraver(problem, other)) problemsByKey.set(key, problem);
  }
  return [...problemsByKey.values()];
}

function isGraver(problem: Problem, other: Problem): boolean {
  if (problem.code !== other.code) return severityRank(problem) < severityRank(other);
  const limit = Number(problem.error.params.limit);
  const otherLimit = Number(other.error.params.limit);
  return problem.code === "TOO_SMALL" ? limit > otherLimit : problem.code === "TOO_LARGE" && limit < otherLimit;
}

function severityRank({ code }: Problem): number {
  const at = GRAVEST_FIRST.indexOf(code);
  return at < 0 ? GRAVEST_FIRST.length : at;
}

/** Converts a problem to an issue, worded for a person who fills in a form. */
export function issueOfProblem(problem: Problem, metadata: Json, wording: Wording): Issue {
  const place = bodyPath(problem.pointer, metadata);
  const named = nameField(wording, metadata, place);
  const allowed = allowedBy(problem, named);
  const nearest = nearestAllowed(problem, allowed);
  const value = problem.value === undefined ? undefined : valueIfShort(problem.value);
  const message = messageOf(problem, named, { allowed: allowed ?? [], nearest }, wording);
  return makeIssue(["metadata", ...place], problem.code, [message], {
    value,
    allowed,
    nearest: nearest.length === 0 ? undefined : nearest,
  });
}

interface Cures {
  readonly allowed: readonly Json[];
  readonly nearest: readonly Json[];
}

function messageOf(problem: Problem, named: NamedPlace, cures: Cures, { say }: Wording): string {
  const { code, value, error } = problem;
  const { params } = error;
  const { label, field } = named;
  const bound = { label, isExclusive: error.keyword.startsWith("exclusive"), ...numberBound(problem, named) };
  switch (code) {
    case "REQUIRED":
      return say.REQUIRED({ label });
    case "WRONG_TYPE": {
      const types: readonly TypeName[] = error.keyword === "type" ? [params.type].flat() : ["string"];
      return say.WRONG_TYPE({ label, types: types.map((type) => say.type(type)), found: typeInWords(value, say) });
    }
    case "NOT_ALLOWED": {
      const allowed = cures.allowed.slice(0, ALLOWED_SHOWN_MAX).map((each) => valueInSentence(each, say));
      const more = cures.allowed.length - allowed.length;
      const [first] = cures.nearest;
      const nearest = first === undefined ? {} : { nearest: valueInSentence(first, say) };
      return say.NOT_ALLOWED({ label, value: valueInSentence(value, say), allowed, more, ...nearest });
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
      return say.BAD_FORMAT({ label, value: valueInSentence(value, say), format: params.format });
    case "BAD_PATTERN":
      return say.BAD_PATTERN({ label, value: valueInSentence(value, say), pattern: params.pattern });
    case "NO_ALTERNATIVE":
      return say.NO_ALTERNATIVE({ label });
    default:
      return say.INVALID({ label, rule: error.keyword, limit: params.limit, said: error.message ?? "" });
  }
}

/** Returns the bound of a number. If a number stands for "not known", the message names the least known value. */
function numberBound({ error }: Problem, named: NamedPlace): { readonly limit: string; readonly notKnown?: string } {
  const limit: unknown = forbiddenRange(error.schema as Json)?.below ?? error.params.limit;
  const { notKnown, leastKnown } = named.field ?? {};
  if (notKnown === undefined || (limit !== notKnown && limit !== leastKnown)) return { limit: withUnit(limit, named) };
  const least = leastKnown === undefined ? String(limit) : withUnit(leastKnown, named);
  return { limit: least, notKnown: String(notKnown) };
}

function withUnit(limit: unknown, { unit }: NamedPlace): string {
  return unit === undefined ? String(limit) : `${limit} ${unit}`;
}

/** Returns the allowed values; for a choosing field those of its alternatives. They help with a wrong type, too. */
function allowedBy({ code, error }: Problem, { field }: NamedPlace): readonly Json[] | undefined {
  if (code !== "NOT_ALLOWED") return code === "WRONG_TYPE" ? field?.allowed : undefined;
  if (error.keyword === "enum") return error.params.allowedValues as readonly Json[];
  return error.keyword === "const" ? [error.params.allowedValue as Json] : (field?.allowed ?? []);
}

function nearestAllowed({ code, value }: Problem, allowed: readonly Json[] = []): readonly string[] {
  if (code !== "NOT_ALLOWED" || typeof value !== "string") return [];
  const texts = allowed.filter((each) => typeof each === "string");
  return nearestNames(value, texts, LIMITS.nearestMax);
}

/** Returns keys and indices below `metadata`. A numeric step is an index only inside a list. */
function bodyPath(pointer: string, metadata: Json): BodyPath {
  const place: (string | number)[] = [];
  let value: unknown = metadata;
  for (const step of pointer.split("/").slice(1)) {
    const key = unescapePointer(step);
    place.push(Array.isArray(value) ? Number(key) : key);
    const exists = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    value = exists ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
  }
  return place;
}
