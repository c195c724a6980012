import type { ErrorObject } from "ajv/dist/2020.js";
import type { Issue } from "../../core/issue.js";
import type { IssueCodeName } from "../../core/issue-codes.js";
import { isObject, type Json } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";

/** A longer bad value is not repeated in its issue. */
const VALUE_LENGTH_MAX = 1_024;
/** So many allowed values stand in the message; `allowed` has all of them. */
const ALLOWED_SHOWN_MAX = 8;

const EXAMPLES: Readonly<Record<string, string>> = {
  date: "a date such as 2026-11-21",
  "date-time": "an instant such as 2026-11-21T10:00:00Z",
  time: "a time such as 10:00:00Z",
  email: "an e-mail address",
  uri: "an address such as https://example.org/page",
  "uri-reference": "an address",
  uuid: "a UUID",
};

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "empty (null)",
};

interface Words {
  readonly code: IssueCodeName;
  readonly message: string;
  readonly allowed?: readonly Json[];
  readonly nearest?: readonly Json[];
}

/**
 * Keywords whose errors say nothing of their own: what `if` asks for is said by the branch that failed, and unknown
 * fields are warnings, never errors.
 */
export const SILENT_KEYWORDS: readonly string[] = ["if", "additionalProperties", "unevaluatedProperties"];

/** What Ajv found, in the words of somebody who fills in a form. */
export function issueOfError(error: ErrorObject): Issue {
  const { message, code, ...more } = wordsFor(error);
  const pointer = `/metadata${error.instancePath}${missingStep(error)}`;
  const value = code === "REQUIRED" ? undefined : shownValue(error.data as Json);
  const field = pointer.slice(1).split("/").map(unescapeStep).join(".");
  return { field, pointer, code, messages: [message], ...(value === undefined ? {} : { value }), ...more };
}

function wordsFor(error: ErrorObject): Words {
  const { keyword, params, data } = error;
  const limit = String(params.limit);
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return { code: "REQUIRED", message: `"${params.missingProperty}" is missing.` };
    case "type":
      return { code: "WRONG_TYPE", message: `This must be ${typeWords(params.type)}, but it is ${kindOf(data)}.` };
    case "enum":
      return notAllowed(data as Json, params.allowedValues as readonly Json[]);
    case "const":
      return notAllowed(data as Json, [params.allowedValue as Json]);
    case "format":
      return { code: "BAD_FORMAT", message: `${shown(data)} is not ${EXAMPLES[params.format] ?? params.format}.` };
    case "pattern":
      return { code: "BAD_PATTERN", message: `${shown(data)} does not match the pattern ${params.pattern}.` };
    case "anyOf":
    case "oneOf":
    case "not":
      return { code: "NO_ALTERNATIVE", message: "This fits none (or more than one) of the alternatives allowed here." };
    default:
      return boundWords(keyword, limit, data, params) ?? { code: "INVALID", message: `This ${error.message}.` };
  }
}

function boundWords(
  keyword: string,
  limit: string,
  data: unknown,
  params: Readonly<Record<string, unknown>>,
): Words | undefined {
  switch (keyword) {
    case "minimum":
      return { code: "TOO_SMALL", message: `${shown(data)} is too small; the least is ${limit}.` };
    case "exclusiveMinimum":
      return { code: "TOO_SMALL", message: `${shown(data)} is too small; it must be above ${limit}.` };
    case "maximum":
      return { code: "TOO_LARGE", message: `${shown(data)} is too large; the greatest is ${limit}.` };
    case "exclusiveMaximum":
      return { code: "TOO_LARGE", message: `${shown(data)} is too large; it must be below ${limit}.` };
    case "multipleOf":
      return { code: "NOT_A_MULTIPLE", message: `${shown(data)} is not a multiple of ${params.multipleOf}.` };
    case "minLength":
      return { code: "TOO_SHORT", message: data === "" ? "This may not be empty." : `At least ${limit} characters.` };
    case "maxLength":
      return { code: "TOO_LONG", message: `This has more than ${limit} characters.` };
    case "minItems":
      return { code: "TOO_FEW_ITEMS", message: `This needs ${limit} or more entries; leave the field out if none.` };
    case "maxItems":
      return { code: "TOO_MANY_ITEMS", message: `This may have ${limit} entries at most.` };
    case "uniqueItems":
      return { code: "REPEATED_ITEM", message: `Entries ${params.j} and ${params.i} are equal (counted from 0).` };
    default:
      return undefined;
  }
}

function notAllowed(data: Json, allowed: readonly Json[]): Words {
  const texts = allowed.filter((value) => typeof value === "string");
  const nearest = typeof data === "string" ? nearestNames(data, texts, LIMITS.nearestMax) : [];
  const list = allowed.slice(0, ALLOWED_SHOWN_MAX).map(shown).join(", ");
  const more = allowed.length > ALLOWED_SHOWN_MAX ? ` and ${allowed.length - ALLOWED_SHOWN_MAX} more` : "";
  const cure = nearest.length > 0 ? `did you mean ${shown(nearest[0])}?` : `allowed: ${list}${more}.`;
  const message = `${shown(data)} is not allowed here; ${cure}`;
  return { code: "NOT_ALLOWED", message, allowed, ...(nearest.length > 0 ? { nearest } : {}) };
}

function missingStep({ keyword, params }: ErrorObject): string {
  if (keyword !== "required" && keyword !== "dependentRequired") return "";
  return `/${String(params.missingProperty).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function unescapeStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function typeWords(type: string | readonly string[]): string {
  return [type]
    .flat()
    .map((each) => TYPE_WORDS[each] ?? each)
    .join(" or ");
}

/** What a value is, in plain words. */
export function kindOf(value: unknown): string {
  if (value === null) return TYPE_WORDS.null!;
  return Array.isArray(value) ? "a list" : (TYPE_WORDS[typeof value] ?? "nothing");
}

function shown(value: unknown): string {
  if (Array.isArray(value) || isObject(value)) return kindOf(value);
  const text = typeof value === "string" ? `"${value}"` : String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** The bad value, where it is a single one of bearable length or an empty list or object. */
function shownValue(value: Json): Json | undefined {
  if (typeof value === "string") return value.length > VALUE_LENGTH_MAX ? undefined : value;
  if (value === null || typeof value !== "object") return value;
  return Object.keys(value).length === 0 ? value : undefined;
}
