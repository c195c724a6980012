/**
 * Metadata that a model takes without a word: made from what its schema says, whatever the model. Required fields are
 * always there and others sometimes, alternatives follow their choosing field, terms are cited from given ids, and
 * references lead to parts of the same record, whose copied fields stand in them already.
 */
import fc from "fast-check";
import { type Alternative, type Field, fieldTree, type ObjectShape } from "../../src/core/catalog/field-tree.js";
import type { Model } from "../../src/core/catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../../src/core/json.js";
import { type Conditions, conditionsOf, holdConditions } from "./conditional-bounds.js";
import { settleReferences } from "./settle-references.js";
import { validValue } from "./valid-values.js";

/** More than this many items than it needs has no list. */
const MORE_ITEMS_MAX = 2;
/** One of so many records has an optional field, by its depth; the last one holds for all below. */
const ONE_OF = [2, 2, 2, 3, 4, 5];

interface Source {
  readonly idsOf: (vocabulary: string) => readonly string[];
  readonly conditions: Conditions;
  /** By path. */
  readonly expected: ReadonlyMap<string, string>;
}

/**
 * @param idsOf ids of the items that may be cited of a vocabulary; where it has none, nothing is cited, and what must
 *              cite one is not there
 */
export function validMetadata(
  model: Model,
  idsOf: (vocabulary: string) => readonly string[],
): fc.Arbitrary<JsonObject> {
  const tree = fieldTree(model.schema);
  const source = { idsOf, conditions: conditionsOf(model.schema), expected: model.expected };
  return objectOf(tree.shape!, "metadata", 0, source)
    .map((generated) => settleReferences(model, tree, generated))
    .filter((settled) => settled !== undefined);
}

function fieldValue(field: Field, path: string, depth: number, source: Source): fc.Arbitrary<Json> {
  const { term, reference, items, bounds, shape } = field;
  const expected = source.expected.get(path);
  if (expected !== undefined) return fc.constant(expected);
  if (term !== undefined) {
    const ids = source.idsOf(term.vocabulary);
    return ids.length === 0 ? fc.constant({}) : fc.constantFrom(...ids).map((id) => ({ id }));
  }
  if (reference !== undefined) return fc.nat(1_000).map((pick) => ({ pick }));
  if (items !== undefined) {
    const { minItems: minLength = 0, maxItems = Infinity } = bounds;
    const maxLength = Math.min(maxItems, minLength + MORE_ITEMS_MAX);
    const item = fieldValue(items, path, depth, source);
    return fc.uniqueArray(item, { minLength, maxLength, size: "max", selector: identityOf });
  }
  return shape === undefined ? validValue(field) : objectOf(shape, path, depth, source);
}

/** No two parts of one list have the same id. */
const identityOf = (value: Json): unknown => (isObject(value) ? (own(value, "id") ?? value) : Symbol());

function objectOf(shape: ObjectShape, path: string, depth: number, source: Source): fc.Arbitrary<JsonObject> {
  const conditions = source.conditions.get(path) ?? [];
  return entriesOf(shape, path, depth, source).map((entries) =>
    holdConditions(Object.fromEntries(entries), conditions),
  );
}

type Entries = readonly (readonly [string, Json])[];

/** Fields of all objects, then what the alternatives add: these have the last word. */
function entriesOf(shape: ObjectShape, path: string, depth: number, source: Source): fc.Arbitrary<Entries> {
  const fields = [...shape.fields].map(([name, field]) => {
    const value = fieldValue(field, `${path}.${name}`, depth + 1, source);
    const mayMiss = field.isRequired ? value : sometimes(value, depth);
    return mayMiss.map((made): Entries => (made === undefined ? [] : [[name, made]]));
  });
  const choices = shape.choices.map(({ by, alternatives }) =>
    fc.oneof(
      { withCrossShrink: true },
      ...alternatives.map((alternative) => chosen(by, alternative, path, depth, source)),
    ),
  );
  return fc.tuple(...fields, ...choices).map((parts) => parts.flat());
}

function chosen(
  by: string,
  { values, shape }: Alternative,
  path: string,
  depth: number,
  source: Source,
): fc.Arbitrary<Entries> {
  const word = fc.constantFrom(...values).map((value): Entries => [[by, value]]);
  return fc.tuple(word, entriesOf(shape, path, depth, source)).map((parts) => parts.flat());
}

function sometimes<T>(value: fc.Arbitrary<T>, depth: number): fc.Arbitrary<T | undefined> {
  const weight = ONE_OF[Math.min(depth, ONE_OF.length - 1)]! - 1;
  return fc.oneof(
    { withCrossShrink: true },
    { weight, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  );
}
