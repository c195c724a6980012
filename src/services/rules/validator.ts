import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { DataValidateFunction, DataValidationCxt } from "ajv/dist/types/index.js";
import addFormats from "ajv-formats";
import { type Field, fieldTree } from "../../core/catalog/field-tree.js";
import { compilePattern, FORMATS } from "../../core/catalog/schema-keywords.js";
import type { Model } from "../../core/catalog/types.js";
import { branchesOf, itemSchemas, resolveDefinition } from "../../core/catalog/walk-schema.js";
import { addAll } from "../../core/collections.js";
import type { Issue, Warning } from "../../core/issue.js";
import { canonicalJson, escapePointer, isObject, type Json, type JsonObject } from "../../core/json.js";
import { messagesIn } from "../../core/messages/en.js";
import type { Messages } from "../../core/messages/messages.js";
import { type BodyPath, formatPointer, IssueList, makeIssue, typeInWords } from "../input/issues.js";
import type { Wording } from "../input/name-field.js";
import { BlankTexts, expectedValues, UnknownFields, UnlikelyValues, walkFields } from "./field-checks.js";
import { issueOfProblem, readProblem, withoutRepeats } from "./problems.js";

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
 * @param getFieldTree returns the tree of the model's fields; used by the first call
 */
export function makeValidator(model: Model, getFieldTree = (): Field => fieldTree(model.schema)): Validator {
  const expected = expectedValues(model);
  let compiled: { readonly check: SchemaCheck; readonly fields: Field } | undefined;
  return (metadata, { say = messagesIn(), nowMicros = Number.POSITIVE_INFINITY } = {}) => {
    if (!isObject(metadata)) {
      return verdict({ entries: [notAnObject(metadata, say)], more: 0 }, { entries: [], more: 0 });
    }
    compiled ??= { check: compileSchema(model.schema), fields: getFieldTree() };
    const { check, fields } = compiled;
    const wording = { fields, say };
    const [unknown, blank] = [new UnknownFields(say), new BlankTexts()];
    const doubts = new UnlikelyValues(metadata, wording, { expected, nowMicros });
    walkFields(metadata, fields, [unknown, blank, doubts]);
    unknown.warnings.append(doubts.warnings);
    const issues = toIssues(withoutBranches(check(metadata), model.schema), blank.places, metadata, wording);
    return verdict(issues, unknown.warnings);
  };
}

type Counted<T> = Pick<IssueList<T>, "entries" | "more">;

const verdict = (issues: Counted<Issue>, warnings: Counted<Warning>): Verdict => ({
  issues: issues.entries,
  moreIssues: issues.more,
  warnings: warnings.entries,
  moreWarnings: warnings.more,
});

function notAnObject(metadata: Json | undefined, say: Messages): Issue {
  const label = say.metadata;
  if (metadata === undefined) return makeIssue(["metadata"], "REQUIRED", [say.REQUIRED({ label })]);
  const message = say.WRONG_TYPE({ label, types: [say.type("object")], found: typeInWords(metadata, say) });
  return makeIssue(["metadata"], "WRONG_TYPE", [message], { value: Array.isArray(metadata) ? undefined : metadata });
}

function toIssues(
  errors: readonly ErrorObject[],
  blank: readonly BodyPath[],
  metadata: JsonObject,
  wording: Wording,
): IssueList<Issue> {
  const issues = new IssueList<Issue>();
  const problems = withoutRepeats(errors.flatMap((error) => readProblem(error) ?? []));
  const pointers = new Set(problems.map(({ pointer }) => pointer));
  const blanks = blank.filter((place) => !pointers.has(formatPointer(place)));
  for (const problem of problems) issues.add(() => issueOfProblem(problem, metadata, wording));
  for (const place of blanks) issues.add(() => BlankTexts.issueAt(place, metadata, wording));
  return issues;
}

/** A function that returns all errors in some data, in Ajv's order. */
type SchemaCheck = (data: Json) => readonly ErrorObject[];

/** The key of the schema in Ajv. */
const MODEL = "model";

/** Keyword of an error that contains the errors of a list's elements. */
const ELEMENTS = "elements";

/** The regular expression engine for Ajv. `code` is its name in validators that are written to a file. */
const PATTERNS = Object.assign((source: string) => compilePattern(source), { code: "compilePattern" });

/** Compiles a schema. @param schema bundled (`bundleSchema`) and checked: no definition contains itself */
export function compileSchema(schema: JsonObject): SchemaCheck {
  // `ownProperties`: `__proto__` or `constructor` in a body is a name like any other.
  const options = { allErrors: true, verbose: true, ownProperties: true, discriminator: true, strict: false };
  // Ajv's optimization of the code would double the time to compile, and make a check (0.14 ms) faster by a tenth only.
  const code = { optimize: false, regExp: PATTERNS };
  const ajv = new Ajv2020({ ...options, code, validateSchema: false });
  addFormats.default(ajv, [...FORMATS] as Parameters<typeof addFormats.default>[1]);
  // Before the keywords are replaced, because the schema of schemas needs the original `items`.
  ajv.validateSchema(schema, true);
  ajv.addSchema(schema, MODEL);
  replaceItems(ajv, schema);
  replaceUniqueItems(ajv);
  const check = ajv.getSchema(MODEL)!;
  return (data) => (check(data) ? [] : unpack(check.errors ?? []));
}

/**
 * Replaces the keyword `items`. The code that Ajv generates for it copies all previous errors of a list for each
 * element with a `$ref` and an error: 10,000 bad elements take 1.5 s. This implementation reports one error for a list,
 * whose `params` contain the errors of its elements, and compiles the schema of the elements when it sees the first
 * one.
 */
function replaceItems(ajv: Ajv2020, root: JsonObject): void {
  const pointers = pointersOf(root);
  ajv.removeKeyword("items").addKeyword({
    keyword: "items",
    type: "array",
    schemaType: ["object", "boolean"],
    before: "uniqueItems",
    compile: (schema: Json, parentSchema) => {
      const first: number = parentSchema.prefixItems?.length ?? 0;
      if (typeof schema === "boolean") return checkLength(schema ? Number.POSITIVE_INFINITY : first, parentSchema);
      let check: ValidateFunction | undefined;
      const checkList: DataValidateFunction = (list: readonly Json[], context?: DataValidationCxt) => {
        const { instancePath = "", rootData = list, dynamicAnchors = {} } = context ?? {};
        const errors: ErrorObject[][] = [];
        for (let i = first; i < list.length; i++) {
          check ??= ajv.getSchema(`${MODEL}#${pointers.get(schema)}`)!;
          const place = { instancePath: `${instancePath}/${i}`, parentData: list, parentDataProperty: i };
          if (!check(list[i], { ...place, rootData, dynamicAnchors })) errors.push(check.errors ?? []);
        }
        checkList.errors = [{ keyword: ELEMENTS, params: { errors: errors.flat() } }];
        return errors.length === 0;
      };
      return checkList;
    },
  });
}

/** Implements `items: false` with Ajv's message: no elements beyond `prefixItems`. */
function checkLength(limit: number, parentSchema: object): DataValidateFunction {
  const message = `must NOT have more than ${limit} items`;
  const check: DataValidateFunction = (list: readonly Json[]) => {
    check.errors = [{ keyword: "items", message, params: { limit }, parentSchema }];
    return list.length <= limit;
  };
  return check;
}

/**
 * Replaces the keyword `uniqueItems`. Ajv compares each element with every other one: 10,000 objects take seconds. This
 * implementation reports the same two elements: the last repeated element and the earlier one that it repeats.
 */
function replaceUniqueItems(ajv: Ajv2020): void {
  ajv.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    compile: (isUnique: boolean, parentSchema) => {
      const check: DataValidateFunction = (list: readonly Json[]) => {
        const indices = new Map<string, number>();
        let repeated: { readonly i: number; readonly j: number } | undefined;
        for (const [i, element] of isUnique ? list.entries() : []) {
          const text = canonicalJson(element);
          const j = indices.get(text);
          if (j !== undefined) repeated = { i, j };
          indices.set(text, i);
        }
        if (repeated === undefined) return true;
        const message = `must NOT have duplicate items (items ## ${repeated.j} and ${repeated.i} are identical)`;
        check.errors = [{ keyword: "uniqueItems", message, params: repeated, parentSchema }];
        return false;
      };
      return check;
    },
  });
}

/** Replaces the errors of lists by the errors of their elements. */
function unpack(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  return errors.flatMap((error) => (error.keyword === ELEMENTS ? unpack(error.params.errors) : [error]));
}

/** Returns the place of each object inside a schema, as a JSON pointer in a URI. */
function pointersOf(root: JsonObject): ReadonlyMap<Json, string> {
  const pointers = new Map<Json, string>();
  const visit = (value: Json, pointer: string): void => {
    if (isObject(value)) pointers.set(value, pointer);
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      visit(inner, `${pointer}/${encodeURIComponent(escapePointer(name))}`);
    }
  };
  visit(root, "");
  return pointers;
}

/**
 * Removes the errors of the branches of `anyOf` and `oneOf`: the error that no branch fits is enough. Alternatives with
 * a choosing field (`discriminator`) are different: Ajv checks only the chosen one.
 *
 * @param errors in Ajv's order: the errors of branches come directly before the error of their keyword
 */
function withoutBranches(errors: readonly ErrorObject[], root: JsonObject): readonly ErrorObject[] {
  const isChoice = ({ keyword }: ErrorObject): boolean => keyword === "anyOf" || keyword === "oneOf";
  if (!errors.some(isChoice)) return errors;
  const reachable = new Map<unknown, ReadonlySet<unknown>>();
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (isChoice(error)) {
      const within = reachable.get(error.schema) ?? schemasBelow(error.schema as Json, root);
      reachable.set(error.schema, within);
      addAll(
        kept,
        takeWithin(kept, error.instancePath).filter(({ parentSchema }) => !within.has(parentSchema)),
      );
    }
    kept.push(error);
  }
  return kept;
}

/** Removes and returns the last errors of the list that concern a place or one below it. */
function takeWithin(errors: ErrorObject[], place: string): readonly ErrorObject[] {
  let from = errors.length;
  while (from > 0 && isWithin(errors[from - 1]!.instancePath, place)) from--;
  return errors.splice(from);
}

function isWithin(place: string, outer: string): boolean {
  return place === outer || place.startsWith(`${outer}/`);
}

/** Returns schemas and all schemas that they lead to. */
function schemasBelow(schemas: Json, root: JsonObject): ReadonlySet<unknown> {
  const reached = new Set<unknown>();
  const visit = (schema: Json | undefined): void => {
    if (!isObject(schema) || reached.has(schema)) return;
    reached.add(schema);
    if (typeof schema.$ref === "string") visit(resolveDefinition(root, schema.$ref));
    const { properties, additionalProperties, contains, not } = schema;
    const inner = isObject(properties) ? Object.values(properties) : [];
    for (const each of [...branchesOf(schema), ...itemSchemas(schema), ...inner]) visit(each);
    for (const each of [additionalProperties, contains, not]) visit(each);
  };
  for (const schema of Array.isArray(schemas) ? schemas : [schemas]) visit(schema as Json);
  return reached;
}
