import type { ErrorObject } from "ajv/dist/2020.js";
import { type Field, fieldTree } from "../../core/catalog/field-tree.js";
import type { Model } from "../../core/catalog/types.js";
import type { Issue, Warning } from "../../core/issue.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import { messagesIn } from "../../core/messages/en.js";
import type { Messages } from "../../core/messages/messages.js";
import { type BodyPath, Listed, makeIssue, pointerOf } from "../input/issues.js";
import type { Wording } from "../input/name-field.js";
import { compileSchema, type SchemaCheck, withoutBranches } from "./compile-schema.js";
import { BlankTexts, Doubts, expectedValues, UnknownFields, walkFields } from "./field-checks.js";
import { issueOfProblem, problemOf, withoutRepeats } from "./problems.js";
import { kindOf } from "./shown.js";

/** The result of a validation: problems, and warnings of unknown fields and unlikely values. */
export interface Verdict {
  readonly issues: readonly Issue[];
  /** Number of issues that are not listed. */
  readonly moreIssues: number;
  readonly warnings: readonly Warning[];
  readonly moreWarnings: number;
}

/** @param metadata undefined if the body has none */
export type Validator = (metadata: Json | undefined, circumstances?: Circumstances) => Verdict;

interface Circumstances {
  readonly say?: Messages;
  /** Microseconds since 1970 UTC, to find dates in the future; absent: no date is in the future. */
  readonly nowMicros?: number;
}

/**
 * Creates the validator of a model. The first call compiles the schema, which takes some 50 ms, so threads that only
 * read never compile it. It does not check cited terms and references.
 *
 * @param fieldsOf returns the tree of the model's fields; used by the first call
 */
export function makeValidator(model: Model, fieldsOf = (): Field => fieldTree(model.schema)): Validator {
  const expected = expectedValues(model);
  let compiled: { readonly check: SchemaCheck; readonly fields: Field } | undefined;
  return (metadata, { say = messagesIn(), nowMicros = Number.POSITIVE_INFINITY } = {}) => {
    if (!isObject(metadata)) {
      return verdict({ entries: [notAnObject(metadata, say)], more: 0 }, { entries: [], more: 0 });
    }
    compiled ??= { check: compileSchema(model.schema), fields: fieldsOf() };
    const { check, fields } = compiled;
    const wording = { fields, say };
    const [unknown, blank] = [new UnknownFields(say), new BlankTexts()];
    const doubts = new Doubts(metadata, wording, { expected, nowMicros });
    walkFields(metadata, fields, [unknown, blank, doubts]);
    unknown.warnings.append(doubts.warnings);
    const issues = toIssues(withoutBranches(check(metadata), model.schema), blank.places, metadata, wording);
    return verdict(issues, unknown.warnings);
  };
}

type Counted<T> = Pick<Listed<T>, "entries" | "more">;

const verdict = (issues: Counted<Issue>, warnings: Counted<Warning>): Verdict => ({
  issues: issues.entries,
  moreIssues: issues.more,
  warnings: warnings.entries,
  moreWarnings: warnings.more,
});

function notAnObject(metadata: Json | undefined, say: Messages): Issue {
  const label = say.metadata;
  if (metadata === undefined) return makeIssue(["metadata"], "REQUIRED", [say.REQUIRED({ label })]);
  const message = say.WRONG_TYPE({ label, types: [say.type("object")], found: kindOf(metadata, say) });
  return makeIssue(["metadata"], "WRONG_TYPE", [message], Array.isArray(metadata) ? {} : { value: metadata });
}

function toIssues(
  errors: readonly ErrorObject[],
  blank: readonly BodyPath[],
  metadata: JsonObject,
  wording: Wording,
): Listed<Issue> {
  const issues = new Listed<Issue>();
  const problems = withoutRepeats(errors.flatMap((error) => problemOf(error) ?? []));
  const pointers = new Set(problems.map(({ pointer }) => pointer));
  const blanks = blank.filter((place) => !pointers.has(pointerOf(place)));
  for (const problem of problems) issues.add(() => issueOfProblem(problem, metadata, wording));
  for (const place of blanks) issues.add(() => BlankTexts.issueAt(place, metadata, wording));
  return issues;
}
