/** Checks of the results of a record: declarations, proved against the schema and the quantities of a model. */
import type { DeclaredObject } from "../declarations/declared.js";
import { nearestNames } from "../nearest.js";
import { cleanNumber, parseAmount } from "../units/amounts.js";
import { unitOfExpression } from "../units/evaluate-expression.js";
import type { Expression } from "../units/expression.js";
import { parseQuantityExpression } from "../units/quantity-expressions.js";
import { areComparable, printUnit, type UnitProduct } from "../units/unit-product.js";
import { findUnit, type Units } from "../units/units.js";
import { compileDimensions } from "./compile-quantity.js";
import type { ResultList } from "./description.js";
import { readSentence, resolvePath, type Sentence, type SentenceScope } from "./sentence.js";
import type { Condition, NamedQuantity, ReferenceSite, ShortField } from "./types.js";
import type { Shape } from "./walk-schema.js";

/** A check of a model: what is computed for each group of results, or for each element of a list. */
export interface Check {
  readonly name: string;
  /** Path of the list whose elements are checked one by one. Absent: groups of results about the same objects. */
  readonly each?: string | undefined;
  /** Text if the values agree, or if there is nothing to compare them with. */
  readonly text: CheckText;
  /** Text if they differ, or if something is missing. Absent: `text`. */
  readonly differs?: CheckText | undefined;
  /** How the values are computed, for people. */
  readonly formula: string;
  readonly test: CheckTest;
}

/** Text of a check: words, symbols of quantities, and placeholders for values. */
export type CheckText = readonly (string | CheckSymbol | CheckPlace)[];

/** Declared symbol of a quantity, with `_` before its subscript. */
export interface CheckSymbol {
  readonly symbol: string;
}

/** Returns a symbol without the sign before its subscript. */
export const plainSymbol = (symbol: string): string => symbol.replaceAll("_", "");

/** Placeholder for a value in the text of a check. A count also has its noun in the singular and in the plural. */
interface CheckPlace {
  readonly place: string;
  readonly nouns?: { readonly one: string; readonly many: string } | undefined;
}

/** A kind of check with its parameters. */
export type CheckTest =
  /** Two values, which agree within their errors. `factor` or `within` (in canonical units) apply if one has none. */
  | {
      readonly kind: "compare";
      readonly value: readonly CheckSource[];
      readonly with: readonly CheckSource[];
      readonly dimensions: readonly string[];
      readonly factor?: number | undefined;
      readonly within?: number | undefined;
    }
  /** A value, or the range of several, which is inside of bounds or spans a number. */
  | {
      readonly kind: "range";
      readonly value: readonly CheckSource[];
      readonly dimensions: readonly string[];
      readonly between?: readonly [number, number] | undefined;
      readonly across?: number | undefined;
      /** Unit of the bounds and of the shown numbers. Absent: the canonical unit. */
      readonly unit?: string | undefined;
    }
  /** Numbers of one element, whose ratio is near one of small whole numbers. */
  | { readonly kind: "ratio"; readonly path: string; readonly where: Texts; readonly within: number }
  /** The number of different values, and how often each was measured. */
  | { readonly kind: "count"; readonly of: CheckValue }
  /** Values that a record states, by what they are called. */
  | { readonly kind: "present"; readonly places: ReadonlyMap<string, readonly PresentPlace[]> }
  /** A sentence about each element that has its values. */
  | { readonly kind: "sentence"; readonly sentence: Sentence };

type Texts = ReadonlyMap<string, string>;

/** An expression, and the places of the values of its names. */
export interface CheckSource {
  readonly expression: Expression;
  /** Names of quantities that results state. */
  readonly quantities: readonly NamedQuantity[];
  readonly values: readonly CheckValue[];
  readonly conditions: readonly Condition[];
}

/** Numbers at a path of a record. */
export interface CheckValue {
  readonly name: string;
  /** Path of the numbers; their unit and error are next to them. */
  readonly path: string;
  /** Path of the outermost list around them; "" if there is none. */
  readonly outer: string;
  /** Path of the innermost list around them; "" if there is none. */
  readonly inner: string;
  /**
   * Path, in the same element, of the reference to an object of the results. Absent: the numbers belong to no object.
   */
  readonly reference?: string | undefined;
  readonly dimensions: readonly string[];
  /** Texts that the element with the numbers must have: an element of `each`, or a result. */
  readonly where: Texts;
  /** Path of references. Only numbers of objects to which one of these references refers count. */
  readonly of?: string | undefined;
  /** Path of references. Numbers of objects to which one of these references refers do not count. */
  readonly notOf?: string | undefined;
  /** Lower bound, exclusive. */
  readonly above?: number | undefined;
}

/**
 * A place at which a value is required: a path, a path with a given text or number, or a list whose elements lack a
 * property.
 */
interface PresentPlace {
  readonly path: string;
  readonly equals?: string | undefined;
  readonly without?: string | undefined;
}

/** Parts of a model that checks use. */
export interface CheckParts {
  readonly fields: ReadonlyMap<string, ShortField>;
  /** Names of the fields of the model and of all its bases, also of those that the model removes. */
  readonly declaredNames: readonly string[];
  readonly references: readonly ReferenceSite[];
  /** Prefixes of paths that names may omit, with their dot. */
  readonly roots: readonly string[];
  readonly quantities: readonly NamedQuantity[];
  /** The list of results. Undefined: the model declares none. */
  readonly results: ResultList | undefined;
  readonly units: Units;
}

const KINDS = ["compare", "range", "ratio", "count", "present", "sentence"] as const;
type Kind = (typeof KINDS)[number];

/** Further keys of each kind, and the places that its texts may have. */
const KIND_KEYS: Readonly<Record<Kind, readonly string[]>> = {
  compare: ["with", "factor", "within", "values"],
  range: ["between", "across", "unit", "values"],
  ratio: ["where", "within"],
  count: ["values"],
  present: [],
  sentence: [],
};
const PLACES: Readonly<Record<Kind, readonly string[]>> = {
  compare: ["value", "with", "factor", "difference"],
  range: ["value"],
  ratio: ["value", "ratio"],
  count: ["count", "repeats"],
  present: ["missing"],
  sentence: [],
};
const COUNTED = ["count", "repeats"];
const COMMON_KEYS = ["each", "text", "differs", "formula"];

/** Compiles the checks of a model. Checks of quantities that the model lacks are left out. */
export function compileChecks(block: DeclaredObject | undefined, parts: CheckParts, shape: Shape): readonly Check[] {
  return (block?.members() ?? []).flatMap(({ name, object }) => {
    const kinds = KINDS.filter((each) => object.has(each));
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) {
      block!.note(name, `a check needs one of ${KINDS.join(", ")}`);
      return [];
    }
    return new CheckCompiler(object, kind, parts, shape).compile(name) ?? [];
  });
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

class CheckCompiler {
  readonly #each: string | undefined;
  readonly #scope: SentenceScope;
  #values: readonly CheckValue[] = [];

  constructor(
    private readonly object: DeclaredObject,
    private readonly kind: Kind,
    private readonly parts: CheckParts,
    private readonly shape: Shape,
  ) {
    object.allow([kind, ...COMMON_KEYS, ...KIND_KEYS[kind]]);
    this.#each = this.#readEach();
    this.#scope = { base: this.#each ?? parts.results?.path, roots: parts.roots };
  }

  /** Returns the check, or undefined if it is wrong or the model lacks its quantities. */
  compile(name: string): Check | undefined {
    this.#values = this.object.objects("values").flatMap((each) => this.#readValue(each.name, each.object) ?? []);
    const test = this.#readTest();
    const text = this.kind === "sentence" ? [] : this.#readText("text");
    const differs = this.object.has("differs") ? this.#readText("differs") : undefined;
    if (test === undefined) return undefined;
    const formula = this.#withSymbols(this.object.optionalText("formula") ?? this.#formulaOf(test));
    const words = formula.map((span) => (typeof span === "string" ? span : plainSymbol(span.symbol)));
    return { name, each: this.#each, text, differs, formula: words.join(""), test };
  }

  #readEach(): string | undefined {
    const name = this.object.optionalText("each");
    if (name === undefined) return undefined;
    const path = this.#pathOf("each", name, { base: undefined, roots: this.parts.roots });
    const isOuter = this.shape.elementPaths.every((each) => each === path || !`${path}.`.startsWith(`${each}.`));
    if (path === undefined || (this.shape.elementPaths.includes(path) && isOuter)) return path;
    this.object.note("each", `"${name}" is no list of objects outside of lists`);
    return undefined;
  }

  #readTest(): CheckTest | undefined {
    switch (this.kind) {
      case "compare":
        return this.#readCompare();
      case "range":
        return this.#readRange();
      case "ratio": {
        const path = this.#pathOf("ratio", this.object.text("ratio"), this.#scope);
        const where = this.object.textMap("where");
        return path === undefined
          ? undefined
          : { kind: "ratio", path, where, within: this.object.number("within") ?? 0.15 };
      }
      case "count": {
        const name = this.object.text("count");
        const of = this.#values.find((each) => each.name === name);
        if (of === undefined) this.object.note("count", `"values" has no "${name}"`);
        return of && { kind: "count", of };
      }
      case "present": {
        const places = new Map<string, readonly PresentPlace[]>();
        for (const [label, text] of this.object.textMap("present")) places.set(label, this.#readPlaces(text));
        return { kind: "present", places };
      }
      case "sentence": {
        const note = (reason: string): void => this.object.note("sentence", reason);
        const sentence = readSentence(this.object.text("sentence"), this.#scope, this.shape, note);
        return { kind: "sentence", sentence };
      }
    }
  }

  #readCompare(): CheckTest | undefined {
    const [value, other] = [this.#readSources("compare"), this.#readSources("with")];
    const unit = this.#unitOf(other[0]);
    const dimensions = unit === undefined ? [] : this.#dimensionsOf(other, unit);
    const mismatch = [...value, ...other].find((each) => unit && !areComparable(this.#unitOf(each) ?? unit, unit));
    if (unit !== undefined && mismatch !== undefined) {
      const { text } = mismatch.expression;
      const units = `"${text}" is in ${printUnit(this.#unitOf(mismatch)!)}`;
      this.object.note("compare", `${units}, and "${other[0]!.expression.text}" in ${printUnit(unit)}`);
      return undefined;
    }
    const [factor, within] = [this.object.number("factor"), this.#readWithin(dimensions)];
    if ((factor === undefined) === (within === undefined)) {
      this.object.note("compare", 'a comparison needs a "factor" or "within": its tolerance without errors');
    }
    if (factor !== undefined && factor <= 1) this.object.note("factor", '"factor" must be above 1');
    if (value.length === 0 || other.length === 0) return undefined;
    return { kind: "compare", value, with: other, dimensions, factor, within };
  }

  /** Reads a difference: `2 kJ/mol`, or a number in the canonical unit. */
  #readWithin([dimension]: readonly string[]): number | undefined {
    if (typeof this.object.raw("within") !== "string") return this.object.number("within");
    const text = this.object.text("within");
    const amount = parseAmount(text);
    const unit = amount && findUnit(this.parts.units, amount.unit);
    if (unit !== undefined && unit.dimension === dimension) return cleanNumber(amount!.number * unit.factor);
    if (dimension !== undefined) this.object.note("within", `"${text}" is not a number with a unit of ${dimension}`);
    return 0;
  }

  #readRange(): CheckTest | undefined {
    const value = this.#readSources("range");
    const unitProduct = this.#unitOf(value[0]);
    if (value.length === 0 || unitProduct === undefined) return undefined;
    const mismatch = value.find((each) => !areComparable(this.#unitOf(each) ?? unitProduct, unitProduct));
    if (mismatch !== undefined) this.object.note("range", `"${mismatch.expression.text}" has another unit`);
    const dimensions = this.#dimensionsOf(value, unitProduct);
    const unit = this.object.optionalText("unit");
    if (unit !== undefined && !dimensions.includes(findUnit(this.parts.units, unit)?.dimension ?? "")) {
      this.object.note("unit", `the range is in ${printUnit(unitProduct)}, and "${unit}" is no unit of it`);
    }
    return { kind: "range", value, dimensions, unit, across: this.object.number("across"), between: this.#bounds() };
  }

  #bounds(): readonly [number, number] | undefined {
    if (!this.object.has("between")) return undefined;
    const bounds = this.object.raw("between");
    const [low, high] = Array.isArray(bounds) ? (bounds as readonly unknown[]) : [];
    if (typeof low === "number" && typeof high === "number" && low < high) return [low, high];
    this.object.note("between", '"between" must be two numbers, the smaller one first: [1, 1000]');
    return undefined;
  }

  /** Returns the dimensions that a value may have: those of names that stand alone, then all with the same unit. */
  #dimensionsOf(sources: readonly CheckSource[], unit: UnitProduct): readonly string[] {
    const { products } = this.parts.units;
    const single = sources.flatMap(({ expression, quantities }) =>
      expression.root.kind === "name" ? quantities.flatMap(({ leaf }) => leaf.quantity.dimensions) : [],
    );
    const same = [...products.keys()].filter((name) => areComparable(products.get(name)!, unit));
    return [...new Set([...single, ...same])];
  }

  /** Reads expressions. Those with a declared name that the model lacks are left out. */
  #readSources(key: string): readonly CheckSource[] {
    const texts = this.object.textOrTexts(key) ?? [];
    if (texts.length === 0) this.object.note(key, `"${key}" needs an expression, such as "koff / kon"`);
    return texts.flatMap((text) => {
      const source = this.#readSource(text);
      if (typeof source !== "string") return source ?? [];
      this.object.note(key, `"${text}": ${source}`);
      return [];
    });
  }

  #readSource(text: string): CheckSource | string | undefined {
    const { units, fields, declaredNames, quantities, results } = this.parts;
    const parsed = parseQuantityExpression(text, units);
    if ("mistake" in parsed) return parsed.mistake;
    const { expression } = parsed;
    const { names } = expression;
    const isOwn = (name: string): boolean => this.#values.some((each) => each.name === name);
    const others = names.filter((name) => !isOwn(name));
    const known = [...this.#values.map(({ name }) => name), ...declaredNames];
    const unknown = others.find((name) => !declaredNames.includes(name));
    if (unknown !== undefined) {
      const [near] = nearestNames(unknown, known, 1);
      return `there is no quantity "${unknown}"${near === undefined ? "" : `; did you mean "${near}"?`}`;
    }
    if (others.some((name) => !fields.has(name))) return undefined;
    const stated = quantities.filter((each) => each.where && others.includes(each.name));
    const misplaced = stated.find(({ path }) => this.#each !== undefined || path !== results?.path);
    if (misplaced !== undefined) return `"${misplaced.name}" is not a quantity of ${this.#each ?? "the results"}`;
    const rest = others.filter((name) => !stated.some((each) => each.name === name));
    const plain = rest.find((name) => {
      return fields.get(name)!.dimensions === undefined || quantities.some((each) => each.name === name);
    });
    if (plain !== undefined) return `"${plain}" is not a quantity that results or the whole record state`;
    const conditions = rest.map((name) => {
      const { path, morePaths = [], dimensions = [] } = fields.get(name)!;
      return { name, paths: [path, ...morePaths], dimensions };
    });
    const source = {
      expression,
      quantities: stated,
      values: this.#values.filter(({ name }) => names.includes(name)),
      conditions,
    };
    const unit = this.#unitOrMistake(source);
    return typeof unit === "string" ? unit : source;
  }

  #unitOrMistake({ expression, quantities, values, conditions }: CheckSource): UnitProduct | string {
    const { products } = this.parts.units;
    const usual = [
      ...quantities.map(({ name, leaf }) => [name, leaf.quantity.dimensions] as const),
      ...[...values, ...conditions].map(({ name, dimensions }) => [name, dimensions] as const),
    ];
    const units = usual.flatMap(([name, [dimension = ""]]) => {
      const product = products.get(dimension);
      return product === undefined ? [] : [[name, product] as const];
    });
    const result = unitOfExpression(expression, new Map(units));
    return "mistake" in result ? result.mistake : result.unit;
  }

  #unitOf(source: CheckSource | undefined): UnitProduct | undefined {
    const unit = source && this.#unitOrMistake(source);
    return typeof unit === "string" ? undefined : unit;
  }

  #readValue(name: string, object: DeclaredObject): CheckValue | undefined {
    object.allow(["path", "quantity", "where", "of", "not_of", "above"]);
    const path = this.#pathOf("path", object.text("path"), this.#scope, object);
    const dimensions = compileDimensions(object, this.parts.units);
    if (dimensions === undefined) object.note("quantity", `"${name}" needs a "quantity"`);
    const referencesAt = (key: "of" | "not_of"): string | undefined => {
      const name = object.optionalText(key);
      return name === undefined ? undefined : this.#pathOf(key, name, { ...this.#scope, base: undefined }, object);
    };
    const [of, notOf] = [referencesAt("of"), referencesAt("not_of")];
    if (path === undefined || dimensions === undefined) return undefined;
    const number = [path, `${path}.value`].find((each) => this.shape.leaves.get(each)?.type === "number");
    if (number === undefined) {
      object.note("path", `there is no number at "${path}" or right below it`);
      return undefined;
    }
    const lists = this.shape.elementPaths.filter((each) => number.startsWith(`${each}.`));
    const inner = lists.at(-1) ?? "";
    const { references, results } = this.parts;
    const objects = results && references.find((each) => each.path === `${results.path}.${results.of}`)?.to;
    const site = references.find((each) => each.to === objects && each.path.startsWith(`${inner}.`) && inner !== "");
    return {
      name,
      path: number,
      outer: lists[0] ?? "",
      inner,
      reference: site?.path,
      dimensions,
      where: object.textMap("where"),
      of,
      notOf,
      above: object.number("above"),
    };
  }

  /** Reads `a.b`, `a.b = 0` or `a.b without c`, and several of them with `or` between them. */
  #readPlaces(text: string): readonly PresentPlace[] {
    return text.split(" or ").flatMap((part): readonly PresentPlace[] => {
      const [, name, equals, without] = /^([\w.]+)(?: = (.+)| without (\w+))?$/.exec(part.trim()) ?? [];
      if (name === undefined) this.object.note("present", `"${part}" must be like a.b, a.b = 0, or a.b without c`);
      const path = name === undefined ? undefined : this.#pathOf("present", name, { ...this.#scope, base: this.#each });
      if (path !== undefined && without !== undefined) this.#pathOf("present", `${path}.${without}`, this.#scope);
      return path === undefined ? [] : [{ path, equals, without }];
    });
  }

  #pathOf(key: string, name: string, scope: SentenceScope, object = this.object): string | undefined {
    return resolvePath(name, scope, this.shape, (reason) => object.note(key, reason));
  }

  #readText(key: string): CheckText {
    const text = this.object.text(key);
    const known = [...PLACES[this.kind], ...(this.#each === undefined ? [] : ["name"])];
    return text.split(/\{([^{}]*)\}/).flatMap((part, i): CheckText => {
      if (i % 2 === 0) return this.#withSymbols(part);
      const [, place = part, one, many] = /^(\w+)(?: ([^/]+)\/([^/]+))?$/.exec(part) ?? [];
      const isCounted = COUNTED.includes(place);
      if (!known.includes(place)) this.object.note(key, `there is no {${place}} here; known are ${known.join(", ")}`);
      else if (isCounted !== (one !== undefined)) {
        this.object.note(key, isCounted ? `{${place}} needs two nouns: {${place} sample/samples}` : `{${place}} alone`);
      }
      return [{ place, nouns: one === undefined || many === undefined ? undefined : { one, many } }];
    });
  }

  /** Splits a text at the symbols of quantities, and at letters between stars: `*T*ΔS`. */
  #withSymbols(text: string): readonly (string | CheckSymbol)[] {
    const symbols = [...this.parts.fields.values()].flatMap(({ symbol }) => symbol ?? []);
    const longestFirst = symbols.toSorted((a, b) => b.length - a.length).map((each) => escapePattern(each));
    const spans = text.split(new RegExp(`(${["\\*\\p{L}\\*", ...longestFirst].join("|")})`, "u"));
    return spans.flatMap((span, i) => (span === "" ? [] : [i % 2 === 0 ? span : { symbol: span.replaceAll("*", "") }]));
  }

  /** Returns the first expressions, or else the names of what is checked, with symbols. */
  #formulaOf(test: CheckTest): string {
    if (test.kind === "present") return [...test.places.keys()].join(", ");
    if (test.kind === "count") return test.of.name;
    if (test.kind !== "compare" && test.kind !== "range") return this.object.text(test.kind);
    const written = ({ expression }: CheckSource): string =>
      expression.text.replaceAll(/[\p{L}_]\w*/gu, (word) => {
        return this.parts.fields.get(word)?.symbol ?? word.replaceAll("_", " ");
      });
    const value = written(test.value[0]!);
    return test.kind === "range" ? value : `${written(test.with[0]!)} = ${value}`;
  }
}
