import type { ErrorObject } from "ajv/dist/2020.js";
import { type Field, fieldTree } from "../../core/catalog/field-tree.js";
import type { Model } from "../../core/catalog/types.js";
import type { Issue, Warning } from "../../core/issue.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import type { Messages } from "../../core/messages/messages.js";
import { messagesIn } from "../../core/messages/messages-in.js";
import { type BodyPath, Listed, makeIssue, pointerOf } from "../input/issues.js";
import type { Wording } from "../input/name-field.js";
import { withoutBranches } from "./alternatives.js";
import { BlankTexts } from "./blank-texts.js";
import { compileSchema, type SchemaCheck } from "./compile-schema.js";
import { Doubts, expectedValues } from "./doubts.js";
import { issueOfProblem } from "./issue-of-problem.js";
import { problemOf, withoutRepeats } from "./problem.js";
import { kindOf } from "./shown.js";
import { UnknownFields } from "./unknown-fields.js";
import { walkFields } from "./walk-fields.js";

/** What a model says of some metadata: problems, fields that it does not know, and what is most likely wrong. */
export interface Verdict {
  readonly issues: readonly Issue[];
  /** Number of issues that are not listed. */
  readonly moreIssues: number;
  readonly warnings: readonly Warning[];
  readonly moreWarnings: number;
}

/** @param metadata undefined where the body has none */
export type Validator = (metadata: Json | undefined, circumstances?: Circumstances) => Verdict;

interface Circumstances {
  readonly say?: Messages;
  /** Microseconds since 1970 UTC: what is the future? Without it no date is. */
  readonly nowMicros?: number;
}

/**
 * Makes the validator of a model. The schema is compiled by the first call, some 50 ms: threads that only read
 * never pay for it. Terms that are cited and references within the record are others' business.
 *
 * @param fieldsOf the model as a tree of fields, asked for by the first call
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
  const said = new Set(problems.map(({ pointer }) => pointer));
  const blanks = blank.filter((place) => !said.has(pointerOf(place)));
  for (const problem of problems) issues.add(() => issueOfProblem(problem, metadata, wording));
  for (const place of blanks) issues.add(() => BlankTexts.issueAt(place, metadata, wording));
  return issues;
}
