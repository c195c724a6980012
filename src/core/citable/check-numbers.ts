/** Numbers of a record that checks use: those that results state, and those at declared paths. */
import type { CheckSource, CheckValue } from "../catalog/compile-checks.js";
import type { Condition, Model, NamedQuantity } from "../catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../json.js";
import { evaluateQuantities, type QuantityValue, readQuantityValue } from "../units/quantity-expressions.js";
import { objectIdentity, readCondition } from "./derived-quantities.js";
import { type DepositedNumber, readNumberError } from "./record-results.js";
import { textAt, valuesAt } from "./values-at.js";

/** The objects of one run of a check. */
export interface CheckScope {
  /** Results of a group, or one element of a list. */
  readonly elements: readonly JsonObject[];
  /** Ids of the objects of the results. Absent: numbers of all objects count. */
  readonly objects?: ReadonlySet<Json> | undefined;
  readonly about: readonly string[];
  readonly stated: ReadonlyMap<string, readonly JsonObject[]>;
}

/** A number at a path of a record. */
interface Amount {
  readonly value: QuantityValue;
  /** The element of the outermost list around it. */
  readonly outer: Json;
}

type AmountOfObject = Amount & { readonly object: Json | undefined };

/** Values of an expression: one, or one for each result or amount. */
interface Evaluated {
  readonly values: readonly QuantityValue[];
  /** The result that states its first quantity. */
  readonly element: JsonObject | undefined;
  /** The number as deposited, if the expression is only the name of a quantity. */
  readonly deposited: DepositedNumber | undefined;
}

const COMBINATIONS_MAX = 1000;

/** Reads and evaluates the numbers of one record. */
export class CheckNumbers {
  readonly #keptIds = new Map<string, ReadonlySet<Json>>();
  readonly #kept = new Map<CheckValue, readonly AmountOfObject[]>();
  readonly #conditions = new Map<Condition, QuantityValue | undefined>();

  /** @param measured the part of the metadata without steps in which nothing is measured */
  constructor(
    private readonly metadata: JsonObject,
    private readonly measured: JsonObject,
    private readonly model: Model,
  ) {}

  /** Returns the values of the first expression that has values for all its names. */
  evaluate(
    sources: readonly CheckSource[],
    targets: readonly string[],
    scope: CheckScope,
  ): readonly Evaluated[] | undefined {
    const source = sources.find(({ quantities }) => quantities.every(({ name }) => scope.stated.has(name)));
    for (const each of source === undefined ? [] : sources.slice(sources.indexOf(source))) {
      const evaluated = this.#evaluateSource(each, targets, scope);
      if (evaluated !== undefined) return evaluated;
    }
    return undefined;
  }

  /**
   * Returns the values of an expression for each of the results that state its quantities: the first KD belongs to the
   * first rate. Undefined if a name has no value, or if the quantities are not stated equally often.
   */
  #evaluateSource(
    source: CheckSource,
    targets: readonly string[],
    scope: CheckScope,
  ): readonly Evaluated[] | undefined {
    const { expression, quantities, values, conditions } = source;
    const fixed = new Map<string, QuantityValue>();
    for (const condition of conditions) {
      const value = this.#readCondition(condition);
      if (value === undefined) return undefined;
      fixed.set(condition.name, value);
    }
    let rows: readonly ReadonlyMap<string, QuantityValue>[] = [fixed];
    for (const value of values) {
      const amounts = distinct(this.amountsOf(value, scope).map((each) => each.value));
      if (amounts.length === 0 || amounts.length * rows.length > COMBINATIONS_MAX) return undefined;
      rows = rows.flatMap((row) => amounts.map((each) => new Map(row).set(value.name, { ...each, error: each.error })));
    }
    const lists = quantities.map(({ name }) => scope.stated.get(name) ?? []);
    const length = lists[0]?.length ?? 1;
    if (length === 0 || lists.some((list) => list.length !== length)) return undefined;
    const isName = expression.root.kind === "name" && quantities.length === 1;
    return Array.from({ length }, (_, i): Evaluated => {
      const stated = quantities.map((quantity, k) => [quantity.name, this.#read(quantity, lists[k]![i]!)] as const);
      const element = lists[0]?.[i];
      if (stated.some(([, value]) => value === undefined)) return { values: [], element, deposited: undefined };
      const computed = rows.flatMap((row) => {
        const all = new Map([...row, ...(stated as readonly (readonly [string, QuantityValue])[])]);
        return evaluateQuantities(expression, all, targets, this.model.units) ?? [];
      });
      return { values: computed, element, deposited: isName ? depositedIn(element!, this.model) : undefined };
    });
  }

  #readCondition(condition: Condition): QuantityValue | undefined {
    if (!this.#conditions.has(condition)) {
      this.#conditions.set(condition, readCondition(condition, this.measured, this.model));
    }
    return this.#conditions.get(condition);
  }

  #read({ value, leaf, derivation }: NamedQuantity, element: JsonObject): QuantityValue | undefined {
    const read = readQuantityValue(element, value, leaf.quantity.dimensions, this.model.units);
    return read === undefined || read.number <= (derivation?.above ?? Number.NEGATIVE_INFINITY) ? undefined : read;
  }

  /** Returns the numbers of a name that are about the objects of a scope, and belong to its results. */
  amountsOf(value: CheckValue, { elements, objects }: CheckScope): readonly Amount[] {
    const [first] = elements;
    const base = this.#baseOf(value);
    if (base !== undefined) return elements.flatMap((element) => this.#readBelow(value, element, base));
    const amounts = this.#kept.get(value) ?? this.#readAll(value);
    this.#kept.set(value, amounts);
    const outer = first === undefined ? undefined : this.#measurementsOf(value.outer, elements);
    return amounts.filter((each) => {
      const isAbout = each.object === undefined || objects === undefined || objects.has(each.object);
      return isAbout && (outer === undefined || outer.has(objectIdentity(each.outer)));
    });
  }

  /** Returns the list of checked elements if the numbers of a name are below them. */
  #baseOf({ path }: CheckValue): string | undefined {
    const bases = this.model.page.checks.map(({ each }) => each);
    return [...bases, this.model.describe.results?.path].find((each) => each && path.startsWith(`${each}.`));
  }

  #readAll(value: CheckValue): readonly AmountOfObject[] {
    const body = { metadata: this.measured };
    const outers = value.outer === "" ? [body] : valuesAt(body, value.outer);
    return outers.flatMap((outer) => this.#readBelow(value, outer, value.outer, outer));
  }

  /** Returns the ids at a path of the record. */
  #idsAt(path: string): ReadonlySet<Json> {
    const ids = this.#keptIds.get(path) ?? new Set(valuesAt({ metadata: this.metadata }, path).map(objectIdentity));
    this.#keptIds.set(path, ids);
    return ids;
  }

  /** Reads the numbers of a name below a value at a path. */
  #readBelow(value: CheckValue, holder: Json, base: string, outer: Json = holder) {
    const { path, inner, reference, dimensions, where, above = Number.NEGATIVE_INFINITY, of, notOf } = value;
    if (isObject(holder) && !hasTexts(holder, where)) return [];
    const [allowed, excluded] = [of, notOf].map((at) => (at === undefined ? undefined : this.#idsAt(at)));
    const start = inner.length > base.length ? inner : base;
    const elements = start === base ? [holder] : valuesAt(holder, pathBelow(start, base));
    const dot = path.lastIndexOf(".");
    const [at, key] = [path.slice(0, dot), path.slice(dot + 1)];
    const notKnown = this.model.leaves.get(path)?.notKnown;
    return elements.flatMap((element) => {
      const [object] =
        reference === undefined ? [] : valuesAt(element, pathBelow(reference, start)).map(objectIdentity);
      if (allowed !== undefined && (object === undefined || !allowed.has(object))) return [];
      if (object !== undefined && excluded?.has(object)) return [];
      const holders = at === start ? [element] : valuesAt(element, pathBelow(at, start));
      return holders.flatMap((each) => {
        if (!isObject(each) || own(each, key) === notKnown) return [];
        const read = readQuantityValue(each, key, dimensions, this.model.units);
        return read === undefined || read.number <= above ? [] : [{ value: read, outer, object }];
      });
    });
  }

  /**
   * Returns the ids of the measurements to which the objects refer that also refer to the results: an analysis names
   * its measurements and its results. Undefined if there are none.
   */
  #measurementsOf(path: string, elements: readonly JsonObject[]): ReadonlySet<Json> | undefined {
    const { references, elementPaths, describe } = this.model;
    const results = new Set(elements.map(objectIdentity));
    const ids = references.flatMap((site) => {
      const list = elementPaths.find((each) => site.path.startsWith(`${each}.`));
      const other = references.find((each) => each.to === path && list && each.path.startsWith(`${list}.`));
      if (site.to !== describe.results?.path || list === undefined || other === undefined) return [];
      const analyses = valuesAt({ metadata: this.metadata }, list).filter((each) => {
        return valuesAt(each, pathBelow(site.path, list)).some((id) => results.has(objectIdentity(id)));
      });
      return analyses.flatMap((each) => valuesAt(each, pathBelow(other.path, list)).map(objectIdentity));
    });
    return ids.length === 0 ? undefined : new Set(ids);
  }
}

/** Returns the rest of a path after another path that contains it. */
export const pathBelow = (path: string, base: string): string => path.slice(base.length + 1);

/** Returns whether an element has some texts. */
export function hasTexts(element: JsonObject, where: ReadonlyMap<string, string>): boolean {
  return [...where].every(([key, text]) => own(element, key) === text);
}

function distinct(values: readonly QuantityValue[]): readonly QuantityValue[] {
  const byNumber = new Map(values.map((each) => [`${each.number} ${each.dimension}`, each]));
  return [...byNumber.values()];
}

function depositedIn(element: JsonObject, { describe }: Model): DepositedNumber {
  const { value, unit, error } = describe.results!;
  return {
    value: Number(own(element, value)),
    unit: textAt(element, unit),
    error: readNumberError(own(element, error)),
  };
}
