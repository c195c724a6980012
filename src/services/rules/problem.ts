import type { ErrorObject } from "ajv/dist/2020.js";
import { gapOf } from "../../core/catalog/field-tree.js";
import type { IssueCodeName } from "../../core/issue-codes.js";
import type { Json } from "../../core/json.js";

/** What Ajv found at one place, with our code for it. */
export interface Problem {
  readonly code: IssueCodeName;
  /** JSON pointer below `metadata`; of a missing field its own, not that of the object it is missing in. */
  readonly pointer: string;
  /** The bad value; undefined where it is missing. */
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
 * Keywords whose errors say nothing of their own: what `if` asks for is said by the branch that failed, and unknown
 * fields are warnings, never errors.
 */
const SILENT_KEYWORDS: readonly string[] = ["if", "additionalProperties", "unevaluatedProperties"];

/** Of several problems of one value the first of these is told; to mend it mends the others, or shows them. */
const GRAVEST_FIRST: readonly IssueCodeName[] = ["WRONG_TYPE", "NOT_ALLOWED", "TOO_SHORT", "BAD_FORMAT"];

/** What an error of Ajv means, or undefined where it says nothing of its own. */
export function problemOf(error: ErrorObject): Problem | undefined {
  const { keyword, params, instancePath, data } = error;
  if (SILENT_KEYWORDS.includes(keyword)) return undefined;
  if (keyword === "discriminator") return problemOfChoice(error);
  const isGap = keyword === "not" && gapOf(error.schema as Json) !== undefined;
  const code = isGap ? "TOO_SMALL" : (CODES[keyword] ?? "INVALID");
  if (code !== "REQUIRED") return { code, pointer: instancePath, value: data as Json, error };
  return { code, pointer: `${instancePath}${stepTo(params.missingProperty)}`, value: undefined, error };
}

/** The field that chooses is missing, is no text, or is none of the texts that stand for an alternative. */
function problemOfChoice(error: ErrorObject): Problem {
  const { tag, tagValue } = error.params;
  const pointer = `${error.instancePath}${stepTo(tag)}`;
  const isText = typeof tagValue === "string";
  const code = tagValue === undefined ? "REQUIRED" : isText ? "NOT_ALLOWED" : "WRONG_TYPE";
  return { code, pointer, value: tagValue as Json | undefined, error };
}

function stepTo(name: unknown): string {
  return `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/**
 * One problem for each mistake: alternatives and additions that share a field all find the same, and a value that is
 * wrong in one way is seldom right in another. A list or an object of the right type may have several, each with
 * another code.
 */
export function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  const mistyped = new Set(problems.filter(({ code }) => code === "WRONG_TYPE").map(({ pointer }) => pointer));
  const found = new Map<string, Problem>();
  for (const problem of problems) {
    const { pointer, code, value } = problem;
    const hasSeveral = typeof value === "object" && value !== null && !mistyped.has(pointer);
    const key = hasSeveral ? `${pointer} ${code}` : pointer;
    const before = found.get(key);
    if (before === undefined || isGraver(problem, before)) found.set(key, problem);
  }
  return [...found.values()];
}

function isGraver(problem: Problem, before: Problem): boolean {
  if (problem.code !== before.code) return gravityOf(problem) < gravityOf(before);
  const [limit, other] = [problem, before].map(({ error }) => Number(error.params.limit)) as [number, number];
  return problem.code === "TOO_SMALL" ? limit > other : problem.code === "TOO_LARGE" && limit < other;
}

function gravityOf({ code }: Problem): number {
  const at = GRAVEST_FIRST.indexOf(code);
  return at < 0 ? GRAVEST_FIRST.length : at;
}
