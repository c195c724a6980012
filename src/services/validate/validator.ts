import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { FORMATS } from "../../core/catalog/schema-keywords.js";
import type { Model } from "../../core/catalog/types.js";
import type { Issue, Warning } from "../../core/issue.js";
import { isObject, type Json } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { issueOfError, kindOf, SILENT_KEYWORDS } from "./issue-of-error.js";
import { findUnknownFields, type KnownFields, knownFields } from "./known-fields.js";

/** What the schema of a model says of some metadata: problems, and fields that it does not know. */
export interface Verdict {
  /** At most `LIMITS.issuesMax`, and one that counts the rest. */
  readonly issues: readonly Issue[];
  readonly warnings: readonly Warning[];
}

/** @param metadata undefined where the body has none */
export type Validator = (metadata: Json | undefined) => Verdict;

/**
 * Makes the validator of a model. The schema is compiled by the first call, some 50 ms: threads that only read
 * never pay for it. Terms that are cited and references within the record are others' business.
 */
export function makeValidator(model: Model): Validator {
  let compiled: { readonly check: ValidateFunction; readonly known: KnownFields } | undefined;
  return (metadata) => {
    if (!isObject(metadata)) return { issues: [notAnObject(metadata)], warnings: [] };
    compiled ??= { check: compileSchema(model), known: knownFields(model.schema) };
    const { check, known } = compiled;
    const issues = check(metadata) ? [] : toIssues(check.errors ?? []);
    return { issues, warnings: findUnknownFields(metadata, known) };
  };
}

function compileSchema(model: Model): ValidateFunction {
  // `ownProperties`: a client's `__proto__` or `constructor` is a name like any other.
  const code = { process: appendErrors };
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    ownProperties: true,
    discriminator: true,
    strict: false,
    code,
  });
  addFormats.default(ajv, [...FORMATS] as Parameters<typeof addFormats.default>[1]);
  return ajv.compile(model.schema);
}

/**
 * Ajv's code copies all errors so far whenever a `$ref` adds some: 10,000 bad elements cost six times as much.
 * Where another version of Ajv writes this otherwise, nothing is replaced and all is only slower.
 */
function appendErrors(code: string): string {
  const copying = /vErrors === null \? (\w+)\.errors : vErrors\.concat\(\1\.errors\)/g;
  return code.replace(
    copying,
    "vErrors === null ? $1.errors : $1.errors.reduce((all, e) => (all.push(e), all), vErrors)",
  );
}

function notAnObject(metadata: Json | undefined): Issue {
  const place = { field: "metadata", pointer: "/metadata" };
  if (metadata === undefined) return { ...place, code: "REQUIRED", messages: ['"metadata" is missing.'] };
  const message = `This must be an object, but it is ${kindOf(metadata)}.`;
  const value = Array.isArray(metadata) ? {} : { value: metadata };
  return { ...place, code: "WRONG_TYPE", messages: [message], ...value };
}

function toIssues(errors: readonly ErrorObject[]): readonly Issue[] {
  const choices = errors.filter(({ keyword }) => keyword === "enum" || keyword === "const");
  const notAllowed = new Set(choices.map((error) => error.instancePath));
  const seen = new Set<string>();
  const issues: Issue[] = [];
  let unlisted = 0;
  for (const error of errors) {
    // A value of a wrong type is not among the allowed ones either: that is one problem, and the list is the cure.
    if (error.keyword === "type" && notAllowed.has(error.instancePath)) continue;
    if (SILENT_KEYWORDS.includes(error.keyword) || isWithinAlternative(error)) continue;
    // Alternatives and additions that share a field all find the same problem.
    const key = `${error.instancePath} ${error.keyword} ${error.params.missingProperty ?? error.params.limit ?? ""}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (issues.length < LIMITS.issuesMax) issues.push(issueOfError(error));
    else unlisted++;
  }
  if (unlisted === 0) return issues;
  const messages = [`There are ${unlisted} more problems.`];
  return [...issues, { field: "metadata", pointer: "/metadata", code: "MORE_PROBLEMS", messages }];
}

/** What single alternatives miss is noise beside the word that none of them fits. */
function isWithinAlternative({ schemaPath }: ErrorObject): boolean {
  return /\/(anyOf|oneOf)\/\d+\//.test(schemaPath);
}
