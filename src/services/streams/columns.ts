/** Results as tables: their columns and values. */
import { FIXED_NAMES } from "../../core/catalog/parameters.js";
import type { Leaf, Model, NamedQuantity, ShortField, Vocabulary } from "../../core/catalog/types.js";
import type { Result } from "../../core/citable/citable.js";
import { type DerivedQuantity, derivedQuantities, resultOf } from "../../core/citable/derived-quantities.js";
import { personNames } from "../../core/citable/record-people.js";
import { readNumberError } from "../../core/citable/record-results.js";
import { textAt, textsIn, valuesAt } from "../../core/citable/values-at.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { findUnit, type Unit, type Units } from "../../core/units/units.js";
import type { TableRequest } from "../api/searches.js";
import { badParameter } from "../input/issues.js";

/** A value of a body, as deposited, or derived from others. */
export interface StreamValue {
  readonly value: string | number;
  readonly unit?: string | undefined;
  readonly error?: Result["error"];
  /** Names of the quantities from which it is derived. Absent: it is deposited. */
  readonly from?: readonly string[] | undefined;
}

/** A column of a table. */
export interface StreamColumn {
  /** The requested name. */
  readonly name: string;
  readonly isQuantity: boolean;
  /** Whether the model has an error of the number. */
  readonly hasError: boolean;
  /** Whether a model derives the numbers of records that do not state them. */
  readonly mayBeDerived: boolean;
  /** The unit to which numbers are converted; absent: they are not converted. */
  readonly unit?: Unit | undefined;
}

/** A table of the records of one model, or of the terms of a vocabulary. */
export interface StreamTable {
  readonly columns: readonly StreamColumn[];
  /** Path of the list whose elements are the rows; absent: each body is a row. */
  readonly list?: string | undefined;
  readonly units: Units;
  /** Returns the values of a row for each column, usually one for each. */
  rowValues(body: Json, element?: Json): readonly (readonly StreamValue[])[];
  /** Returns the values of a row in one column. @param at index of the column */
  columnValues(at: number, body: Json, element?: Json): readonly StreamValue[];
}

/** A model, or a vocabulary in the same form. */
type Space = Pick<Model, "roots" | "leaves" | "elementPaths" | "fields" | "quantities" | "units">;

/** The places of the values of a column. */
interface Source {
  readonly paths: readonly string[];
  /** Takes only the elements of the list at the path that have certain texts. */
  readonly named?: NamedQuantity;
  readonly isQuantity: boolean;
  readonly hasError: boolean;
}

/** The source of each column; undefined if the space lacks the column. */
type Sources = readonly (Source | undefined)[];

const BASE = ["id", "model", "title", "created"];

/** Columns of every record apart from its fields: the number of the version. */
const FIXED: ReadonlyMap<string, string> = new Map([["version", "versions.index"]]);

/**
 * Builds the tables of the searched models, all with the same columns.
 * @throws PARAMETER_INVALID listing the available names
 */
export function recordTables(models: readonly Model[], request: TableRequest): ReadonlyMap<string, StreamTable> {
  const [first] = models;
  const lists = models.map((model) => findListPath(model, request.rows));
  if (request.rows !== undefined && lists.every((list) => list === undefined)) {
    const names = [...new Set(models.flatMap((model) => model.elementPaths.map((path) => shortPath(model, path))))];
    const message = `rows must be a list of the records, not "${request.rows}"; lists are ${names.join(", ")}.`;
    throw badParameter("rows", message, request.rows, names);
  }
  const columns = [...new Set(request.fields ?? defaultColumns(models, request.rows))];
  const sources = models.map((model, i) => columns.map((name) => columnSource(model, name, lists[i])));
  if (request.fields !== undefined) checkColumns(models, columns, sources);
  const units = first === undefined ? new Map() : readUnits(first.units, columns, request.units);
  const shown = columns.map((name, at) =>
    makeColumn(
      name,
      units,
      sources.map((ofModel) => ofModel[at]),
    ),
  );
  return new Map(
    models.map((model, i) => [
      model.name,
      makeTable(model, shown, { list: lists[i], sources: sources[i]!, derive: makeDerive(model) }),
    ]),
  );
}

/** Builds the table of a vocabulary. @throws PARAMETER_INVALID */
export function termTable(vocabulary: Vocabulary, request: TableRequest): StreamTable {
  const space: Space = {
    roots: ["props."],
    leaves: vocabulary.leaves,
    elementPaths: [],
    fields: new Map(),
    quantities: [],
    units: vocabulary.units,
  };
  const columns = request.fields ?? ["id", "title", "status", ...vocabulary.props.map(({ name }) => name)];
  const sources = columns.map((name) => columnSource(space, name, undefined));
  if (request.fields !== undefined) checkColumns([space], columns, [sources]);
  const units = readUnits(vocabulary.units, columns, request.units);
  const shown = columns.map((name, at) => makeColumn(name, units, [sources[at]]));
  return makeTable(space, shown, { list: undefined, sources, derive: () => [] });
}

/** Returns the default columns: the fields of hits and facets, or with `rows` the declared properties of elements. */
export function defaultColumns(models: readonly Model[], rows: string | undefined): readonly string[] {
  if (rows === undefined) {
    return [...BASE, ...models.flatMap(({ page }) => [...page.hit.map(({ name }) => name), ...page.facets])];
  }
  const elementColumns = models.flatMap((model) => {
    const list = findListPath(model, rows);
    return list === undefined ? [] : (model.page.tables.get(list) ?? elementFields(model, list));
  });
  return ["id", "model", "title", ...elementColumns];
}

/** Returns the names that are columns of records, or of the elements of a list. */
export function knownColumns(models: readonly Model[], names: readonly string[], rows: string | undefined) {
  const spaces = models.map((model) => ({ model, list: findListPath(model, rows) }));
  return names.filter((name) => spaces.some(({ model, list }) => columnSource(model, name, list)));
}

/** Returns the properties of a list's elements that have one value. */
export function elementFields({ leaves }: Pick<Space, "leaves">, list: string): readonly string[] {
  const below = [...leaves.keys()].filter((path) => path.startsWith(`${list}.`));
  return [...new Set(below.map((path) => path.slice(list.length + 1).split(".")[0]!))].filter((name) =>
    /^\w/.test(name),
  );
}

/** Checks the requested columns. @throws PARAMETER_INVALID if there are none, or no space has one of them */
function checkColumns(spaces: readonly Space[], columns: readonly string[], sources: readonly Sources[]): void {
  const unknown = columns.filter((_, at) => sources.every((ofSpace) => ofSpace[at] === undefined));
  if (unknown.length === 0 && columns.length > 0) return;
  const knownNames = spaces.flatMap((space) => [
    ...FIXED.keys(),
    ...space.fields.keys(),
    ...[...space.leaves.keys()].flatMap((path) => (path.includes("@") ? [] : shortPath(space, path))),
  ]);
  const [name = ""] = unknown;
  const nearest = nearestNames(name, new Set(knownNames), LIMITS.nearestMax);
  const hint = nearest.length === 0 ? "" : ` Did you mean ${nearest.map((each) => `"${each}"`).join(", ")}?`;
  throw badParameter("fields", `fields must be names or paths of fields; "${name}" is not one.${hint}`, name, [
    ...new Set(spaces.flatMap((space) => [...BASE, ...FIXED.keys(), ...space.fields.keys()])),
  ]);
}

/** Reads the requested units by column. @throws PARAMETER_INVALID for an unknown column or unit */
function readUnits(
  units: Units,
  columns: readonly string[],
  requested: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, Unit> {
  return new Map(
    Object.entries(requested).map(([name, text]) => {
      if (!columns.includes(name)) {
        const message = `unit.${name} converts the column "${name}", which is not there.`;
        throw badParameter(`unit.${name}`, message, text, columns);
      }
      const unit = findUnit(units, text);
      if (unit !== undefined) return [name, unit];
      throw badParameter(`unit.${name}`, `"${text}" is not a unit.`, text, [...units.units.keys()]);
    }),
  );
}

/** Builds a column. @param sources of all models: a column of quantities in one model is one in all of them */
function makeColumn(name: string, units: ReadonlyMap<string, Unit>, sources: Sources): StreamColumn {
  const unit = units.get(name);
  const isQuantity = sources.some((source) => source?.isQuantity === true);
  const hasError = sources.some((source) => source?.hasError === true);
  const mayBeDerived = sources.some((source) => source?.named?.derivation !== undefined);
  return { name, isQuantity, hasError, mayBeDerived, unit };
}

/** Returns the derived quantities of a body. */
type Derive = (body: Json) => readonly DerivedQuantity[];

/** Makes a function that derives the quantities of a record once for all rows of its lists. */
function makeDerive(model: Model): Derive {
  const derivedByBody = new WeakMap<JsonObject, readonly DerivedQuantity[]>();
  return (body) => {
    if (!isObject(body)) return [];
    const cached = derivedByBody.get(body);
    if (cached !== undefined) return cached;
    const metadata = own(body, "metadata");
    const derived = isObject(metadata) ? derivedQuantities(metadata, model) : [];
    derivedByBody.set(body, derived);
    return derived;
  };
}

interface TableParts {
  readonly list: string | undefined;
  readonly sources: Sources;
  readonly derive: Derive;
}

function makeTable(space: Space, columns: readonly StreamColumn[], { list, sources, derive }: TableParts): StreamTable {
  const { units } = space;
  const columnValues = (at: number, body: Json, element: Json | undefined): readonly StreamValue[] => {
    const source = sources[at];
    if (source === undefined) return [];
    const values = readSource(source, body, element, list);
    if (source.named?.derivation === undefined) return values;
    return [...values, ...derivedValues(source.named, derive(body), element, { list, units })];
  };
  const rowValues: StreamTable["rowValues"] = (body, element) =>
    sources.map((_, at) => columnValues(at, body, element));
  return { columns, list, units, rowValues, columnValues };
}

/** Returns the derived values of a quantity; for a row of its list, or of a list around it, those in the row. */
function derivedValues(
  { name, path }: NamedQuantity,
  derived: readonly DerivedQuantity[],
  row: Json | undefined,
  { list, units }: Pick<StreamTable, "list" | "units">,
): readonly StreamValue[] {
  const isInside = row !== undefined && list !== undefined && path.startsWith(`${list}.`);
  const elements = path === list ? [row] : isInside ? valuesAt(row, path.slice(list.length + 1)) : undefined;
  return derived.flatMap(({ name: each, element, value, from }) => {
    if (each !== name || elements?.includes(element) === false) return [];
    return [{ ...resultOf(value, units), from }];
  });
}

/** Returns the path of a list by its name. */
export function findListPath(
  space: Pick<Space, "roots" | "fields" | "elementPaths">,
  name: string | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  const field = space.fields.get(name.toLowerCase());
  const paths = [name, ...space.roots.map((root) => root + name), ...(field === undefined ? [] : [field.path])];
  return paths.find((path) => space.elementPaths.includes(path));
}

/** Returns a path without the prefix that a query may omit. */
function shortPath({ roots }: Space, path: string): string {
  const root = roots.filter((each) => path.startsWith(each)).sort((a, b) => b.length - a.length)[0] ?? "";
  return path.slice(root.length);
}

/**
 * Returns the source for a name: a fixed column, else a property of the rows' elements, else a field as in queries.
 * (The id of an element is available by its path: `results.id`.)
 */
function columnSource(space: Space, name: string, list: string | undefined): Source | undefined {
  const isFixed = list === undefined || FIXED_NAMES.includes(name);
  const inList = isFixed ? undefined : sourceAt(space, [`${list}.${name}`]);
  if (inList !== undefined) return inList;
  const short = name.toLowerCase();
  const field = space.fields.get(short) ?? [...space.fields.values()].find(({ aliases }) => aliases?.includes(short));
  const named = space.quantities.find((quantity) => quantity.name === field?.name);
  if (named !== undefined) {
    const hasError = hasPath(space.leaves, errorPath(`${named.path}.${named.value}`));
    return { paths: [named.path], named, isQuantity: true, hasError };
  }
  if (field !== undefined) return sourceAt(space, pathsOf(field), field.dimensions !== undefined);
  const fixed = FIXED.get(name);
  if (fixed !== undefined) return { paths: [fixed], isQuantity: false, hasError: false };
  return [name, ...space.roots.map((root) => root + name)].map((path) => sourceAt(space, [path])).find(Boolean);
}

const pathsOf = ({ path, morePaths = [] }: ShortField): readonly string[] => [path, ...morePaths];

function sourceAt({ leaves }: Space, paths: readonly string[], isQuantity = false): Source | undefined {
  const existing = paths.filter((path) => hasPath(leaves, path));
  if (existing.length === 0) return undefined;
  const hasUnit = (leaf: Leaf | undefined): boolean => leaf?.quantity !== undefined;
  return {
    paths: existing,
    isQuantity:
      isQuantity || existing.some((path) => hasUnit(leaves.get(path)) || hasUnit(leaves.get(`${path}.value`))),
    hasError: existing.some((path) => hasPath(leaves, errorPath(path)) || hasPath(leaves, errorPath(`${path}.value`))),
  };
}

/** Returns the path of the error of a number: its own path and `_error`. */
const errorPath = (path: string): string => `${path}_error`;

/** Paths above the leaves of a space. */
const PATHS_ABOVE = new WeakMap<Space["leaves"], ReadonlySet<string>>();

/** Returns whether a path is a leaf, or above one. */
function hasPath(leaves: Space["leaves"], path: string): boolean {
  if (leaves.has(path)) return true;
  const paths = PATHS_ABOVE.get(leaves) ?? pathsAbove(leaves);
  PATHS_ABOVE.set(leaves, paths);
  return paths.has(path);
}

function pathsAbove(leaves: Space["leaves"]): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const leaf of leaves.keys()) {
    if (leaf.includes("@")) continue;
    for (let dot = leaf.indexOf("."); dot >= 0; dot = leaf.indexOf(".", dot + 1)) paths.add(leaf.slice(0, dot));
  }
  return paths;
}

/** Returns the values of a source in a body; for a property of the rows, the values of one element. */
function readSource({ paths, named, isQuantity }: Source, body: Json, element: Json | undefined, list = "") {
  return paths.flatMap((path): readonly StreamValue[] => {
    const isInside = element !== undefined && (path === list || path.startsWith(`${list}.`));
    const rest = isInside ? path.slice(list.length + 1) : path;
    const at = (steps: string): readonly Json[] => {
      if (!isInside) return valuesAt(body, steps);
      return steps === "" ? [element] : valuesAt(element, steps);
    };
    if (named !== undefined)
      return at(rest).flatMap((each) => (isNamed(each, named) ? numberIn(each, named.value) : []));
    if (!isQuantity) return at(rest).flatMap(cellTexts);
    const [last = "", ...above] = rest.split(".").reverse();
    const holders = above.length === 0 && isInside ? [element] : at(above.reverse().join("."));
    const numbers = last === "" ? [] : holders.flatMap((holder) => numberIn(holder, last));
    return numbers.length > 0 ? numbers : at(rest).flatMap((each) => numberIn(each, "value"));
  });
}

function isNamed(element: Json, { where }: NamedQuantity): boolean {
  return where !== undefined && [...where].every(([name, text]) => textAt(element, name) === text);
}

/** Returns a number with its unit and error, which are other properties of the same object. */
function numberIn(holder: Json, name: string): readonly StreamValue[] {
  const value = isObject(holder) ? own(holder, name) : undefined;
  if (!isObject(holder) || typeof value !== "number") return [];
  return [{ value, unit: textAt(holder, "unit"), error: readNumberError(own(holder, errorPath(name))) }];
}

/** Returns the texts for a value: names of people, a label, or the texts in an object without a label. */
function cellTexts(value: Json): readonly StreamValue[] {
  if (typeof value === "number") return [{ value }];
  if (typeof value === "boolean") return [{ value: String(value) }];
  const names = personNames(value);
  return (names.length > 0 ? names : textsIn(value)).map((text) => ({ value: text }));
}
