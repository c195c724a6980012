import type { Condition, Derivation, DerivationSource, Model, NamedLeaf, NamedQuantity } from "../catalog/types.js";
import { groupBy } from "../collections.js";
import { isObject, type Json, type JsonObject, own } from "../json.js";
import { evaluateQuantities, type QuantityValue, readQuantityValue } from "../units/quantity-expressions.js";
import type { Units } from "../units/units.js";
import type { Result } from "./citable.js";
import { measuredPart } from "./describe-record.js";
import { valuesAt } from "./values-at.js";

/** A quantity that a record does not state, computed from quantities that it states. */
export interface DerivedQuantity {
  /** Name of the quantity. */
  readonly name: string;
  /** The leaf of its derived values. */
  readonly leaf: NamedLeaf;
  readonly value: QuantityValue;
  /** Names of the quantities from which it is computed. */
  readonly from: readonly string[];
  /** The element of the list that states the first of them. */
  readonly element: JsonObject;
}

/**
 * Computes the derived quantities of a record. Elements of the list of results that are about the same objects are one
 * group; the elements of any other list are one group together. A group has no derived value of a quantity that one of
 * its elements states. An expression with one quantity has a value for each element that states it; one with several
 * has a value only if the group states each of them once.
 *
 * @param metadata value at the path `metadata` of the record
 */
export function derivedQuantities(metadata: JsonObject, model: Model): readonly DerivedQuantity[] {
  const record = new DerivingRecord(metadata, model);
  return quantitiesByList(model).flatMap(([path, quantities]) => {
    const elements = valuesAt({ metadata }, path).filter(isObject);
    return groupElements(elements, path, model).flatMap((group) => record.derive(group, quantities));
  });
}

/** Returns a value as a result would state it: in the canonical unit. */
export function resultOf({ number, dimension, error }: QuantityValue, units: Units) {
  const unit = units.dimensions.get(dimension)!.canonical;
  return { value: number, unit, error: error && { ...error, isRelative: false } } satisfies Partial<Result>;
}

/** Returns the inputs of the derived quantities of a model for the signature of an index. Undefined if it has none. */
export function derivationInputs({ quantities, describe: { results, measured } }: Model): Json | undefined {
  const derived = quantities.flatMap(({ path, name, derivation }) => {
    if (derivation === undefined) return [];
    const { sources, above = null, leaf } = derivation;
    return [{ path, name, above, dimensions: leaf.quantity.dimensions, sources: sources.map(sourceInputs) }];
  });
  if (derived.length === 0) return undefined;
  return JSON.parse(JSON.stringify({ derived, results, measured })) as Json;
}

const sourceInputs = ({ expression, conditions }: DerivationSource) => ({ expression: expression.text, conditions });

const BY_LIST = new WeakMap<Model, readonly (readonly [string, readonly NamedQuantity[]])[]>();

/** Returns the named quantities of the lists of a model in which some are derived, by the path of the list. */
function quantitiesByList(model: Model): readonly (readonly [string, readonly NamedQuantity[]])[] {
  const cached = BY_LIST.get(model);
  if (cached !== undefined) return cached;
  const paths = new Set(model.quantities.flatMap(({ path, derivation }) => (derivation === undefined ? [] : [path])));
  const byList = Array.from(paths, (list) => [list, model.quantities.filter(({ path }) => path === list)] as const);
  BY_LIST.set(model, byList);
  return byList;
}

/** Groups the elements of a list of results by the ids of the objects that they are about, in any order. */
export function groupElements(
  elements: readonly JsonObject[],
  path: string,
  { describe: { results } }: Model,
): readonly (readonly JsonObject[])[] {
  if (results?.path !== path) return [elements];
  const groupKey = (element: JsonObject): string =>
    JSON.stringify(valuesAt(element, results.of).map(objectIdentity).sort());
  return [...groupBy(elements, groupKey).values()];
}

/** Returns the id of an object or of a reference to it, or its text if it has none; any other value as it is. */
export const objectIdentity = (value: Json): Json =>
  isObject(value) ? (own(value, "id") ?? JSON.stringify(value)) : value;

/** Elements of a group by the name of the quantity that they state. */
type StatedElements = ReadonlyMap<string, readonly JsonObject[]>;

/** A record whose conditions are read when the first quantity needs them. */
class DerivingRecord {
  #conditions: JsonObject | undefined;

  constructor(
    private readonly metadata: JsonObject,
    private readonly model: Model,
  ) {}

  derive(elements: readonly JsonObject[], quantities: readonly NamedQuantity[]): readonly DerivedQuantity[] {
    const stated = statedElements(elements, quantities, this.model);
    if (stated.size === 0) return [];
    return quantities.flatMap(({ name, leaf, derivation }) => {
      if (derivation === undefined || stated.has(name)) return [];
      return this.#deriveQuantity({ name, derivation, targets: leaf.quantity.dimensions }, stated, quantities);
    });
  }

  #deriveQuantity(
    { name, derivation, targets }: { name: string; derivation: Derivation; targets: readonly string[] },
    stated: StatedElements,
    quantities: readonly NamedQuantity[],
  ): readonly DerivedQuantity[] {
    for (const source of derivation.sources) {
      const from = source.expression.names.filter((each) => stated.has(each));
      if (from.length + source.conditions.length < source.expression.names.length) continue;
      const conditions = this.#conditionValues(source);
      if (conditions === undefined) continue;
      return elementSets(from, stated).flatMap((elements) => {
        const values = new Map(conditions);
        for (const [i, element] of elements.entries()) {
          const { value, leaf } = quantities.find((each) => each.name === from[i])!;
          const read = readQuantityValue(element, value, leaf.quantity.dimensions, this.model.units);
          if (read === undefined) return [];
          values.set(from[i]!, read);
        }
        const value = evaluateQuantities(source.expression, values, targets, this.model.units);
        if (value === undefined || value.number <= (derivation.above ?? Number.NEGATIVE_INFINITY)) return [];
        return [{ name, leaf: derivation.leaf, value, from: source.expression.names, element: elements[0]! }];
      });
    }
    return [];
  }

  /** Returns the values of the conditions of an expression. Undefined if one is missing or has several values. */
  #conditionValues({ conditions }: DerivationSource): ReadonlyMap<string, QuantityValue> | undefined {
    const values = new Map<string, QuantityValue>();
    for (const condition of conditions) {
      this.#conditions ??= measuredPart(this.metadata, this.model);
      const value = readCondition(condition, this.#conditions, this.model);
      if (value === undefined) return undefined;
      values.set(condition.name, value);
    }
    return values;
  }
}

/**
 * Returns the value of a condition. Undefined if it is missing or has several values.
 *
 * @param metadata the measured part of a record
 */
export function readCondition(
  { paths, dimensions }: Condition,
  metadata: JsonObject,
  model: Model,
): QuantityValue | undefined {
  const amounts = paths.flatMap((path) => amountsAt({ metadata }, path, model));
  const read = amounts.map(([holder, key]) => readQuantityValue(holder, key, dimensions, model.units));
  const [first, ...others] = read;
  const isOne = others.every((each) => each?.number === first?.number && each?.dimension === first?.dimension);
  if (first === undefined || !isOne) return undefined;
  // A condition without an error counts as exact: its error is small against those of results.
  return { ...first, error: first.error ?? EXACT };
}

const EXACT = { lower: 0, upper: 0 };

/** Returns the objects with the numbers at a path, and their keys: the path is that of a number or of its object. */
function amountsAt(
  body: Json,
  path: string,
  { leaves }: Model,
): readonly (readonly [holder: JsonObject, key: string])[] {
  const at = leaves.has(path) ? path : `${path}.value`;
  const dot = at.lastIndexOf(".");
  const key = at.slice(dot + 1);
  return valuesAt(body, at.slice(0, dot)).flatMap((holder) => {
    const number = isObject(holder) ? own(holder, key) : undefined;
    const isKnown = number !== undefined && number !== null && number !== leaves.get(at)?.notKnown;
    return isObject(holder) && isKnown ? [[holder, key] as const] : [];
  });
}

/** Returns the elements of a group that state a quantity, by its name. */
export function statedElements(
  elements: readonly JsonObject[],
  quantities: readonly NamedQuantity[],
  model: Model,
): StatedElements {
  const stated = new Map<string, JsonObject[]>();
  for (const element of elements) {
    for (const quantity of quantities) {
      if (!statesQuantity(element, quantity, model)) continue;
      const others = stated.get(quantity.name);
      if (others === undefined) stated.set(quantity.name, [element]);
      else others.push(element);
    }
  }
  return stated;
}

/** Returns whether an element of the list of a quantity states it: it has the texts of `where`, and a known number. */
export function statesQuantity(
  element: JsonObject,
  { path, where, value }: NamedQuantity,
  { leaves }: Pick<Model, "leaves">,
): boolean {
  if (where === undefined) return false;
  for (const [key, text] of where) if (own(element, key) !== text) return false;
  const number = own(element, value);
  return typeof number === "number" && number !== leaves.get(`${path}.${value}`)?.notKnown;
}

/** Returns the elements that an expression is computed from, one for each name, for each value that it has. */
function elementSets(names: readonly string[], stated: StatedElements): readonly (readonly JsonObject[])[] {
  const lists = names.map((name) => stated.get(name)!);
  if (lists.length === 1) return lists[0]!.map((element) => [element]);
  return lists.every((list) => list.length === 1) ? [lists.map((list) => list[0]!)] : [];
}
