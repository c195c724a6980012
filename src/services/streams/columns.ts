/** Results as tables: which columns there are, and what stands in them. */
import { FIXED_NAMES } from "../../core/catalog/parameters.js";
import type { Leaf, Model, NamedQuantity, ShortField, Vocabulary } from "../../core/catalog/types.js";
import { findUnit } from "../../core/catalog/unit-spelling.js";
import type { Unit, Units } from "../../core/catalog/unit-types.js";
import type { Result } from "../../core/citable/citable.js";
import { personNames } from "../../core/citable/record-people.js";
import { errorOf } from "../../core/citable/record-results.js";
import { textAt, textsIn, valuesAt } from "../../core/citable/values-at.js";
import { isObject, type Json, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import type { TableWanted } from "../api/stream-services.js";
import { badParameter } from "../input/issues.js";

/** A value of a body as it was deposited. */
export interface Value {
  readonly value: string | number;
  readonly unit?: string | undefined;
  readonly error?: Result["error"];
}

export interface Column {
  /** As it was asked for. */
  readonly name: string;
  readonly isQuantity: boolean;
  /** Whether the model has an error beside the number. */
  readonly hasError: boolean;
  /** What its numbers are wanted in; absent: as they stand. */
  readonly unit?: Unit;
}

/** A table of the records of one model, or of the items of a vocabulary. */
export interface Table {
  readonly columns: readonly Column[];
  /** Path of the list whose elements are the rows; absent: a body is a row. */
  readonly list?: string;
  readonly units: Units;
  /** The values of one row by column; most often one of each. */
  valuesOf(body: Json, element?: Json): readonly (readonly Value[])[];
}

/** What has bodies of one kind. */
type Space = Pick<Model, "roots" | "leaves" | "elementPaths" | "fields" | "quantities" | "units">;

/** Where the values of a column stand. */
interface Source {
  readonly paths: readonly string[];
  /** Only elements of the list at the path whose texts say so. */
  readonly named?: NamedQuantity;
  readonly isQuantity: boolean;
  readonly hasError: boolean;
}

/** Of each column; undefined: the space does not have it. */
type Sources = readonly (Source | undefined)[];

const BASE = ["id", "model", "title", "created"];

/** Columns of what every record has beside its fields: number of the version. */
const FIXED: ReadonlyMap<string, string> = new Map([["version", "versions.index"]]);

/**
 * The tables of the models that are searched, all with the same columns.
 * @throws PARAMETER_INVALID, which names what there is
 */
export function recordTables(models: readonly Model[], request: TableWanted): ReadonlyMap<string, Table> {
  const [first] = models;
  const lists = models.map((model) => listOf(model, request.rows));
  if (request.rows !== undefined && lists.every((list) => list === undefined)) {
    const known = [...new Set(models.flatMap((model) => model.elementPaths.map((path) => shortPath(model, path))))];
    const message = `rows must be a list of the records, not "${request.rows}"; lists are ${known.join(", ")}.`;
    throw badParameter("rows", message, request.rows, known);
  }
  const columns = [...new Set(request.fields ?? defaultColumns(models, request.rows))];
  const sources = models.map((model, i) => columns.map((name) => sourceOf(model, name, lists[i])));
  if (request.fields !== undefined) checkColumns(models, columns, sources);
  const units = first === undefined ? new Map() : readUnits(first.units, columns, request.units);
  const shown = columns.map((name, at) =>
    columnOf(
      name,
      units,
      sources.map((ofModel) => ofModel[at]),
    ),
  );
  return new Map(
    models.map((model, i) => [model.name, makeTable(model, shown, { list: lists[i], sources: sources[i]! })]),
  );
}

/** @throws PARAMETER_INVALID */
export function termTable(vocabulary: Vocabulary, request: TableWanted): Table {
  const space: Space = {
    ...{ roots: ["props."], leaves: vocabulary.leaves, elementPaths: [], fields: new Map(), quantities: [] },
    units: vocabulary.units,
  };
  const columns = request.fields ?? ["id", "title", "status", ...vocabulary.props.map(({ name }) => name)];
  const sources = columns.map((name) => sourceOf(space, name, undefined));
  if (request.fields !== undefined) checkColumns([space], columns, [sources]);
  const units = readUnits(vocabulary.units, columns, request.units);
  const shown = columns.map((name, at) => columnOf(name, units, [sources[at]]));
  return makeTable(space, shown, { list: undefined, sources });
}

/** What a list of hits shows, and what is filtered by first; with rows the declared properties of their elements. */
export function defaultColumns(models: readonly Model[], rows: string | undefined): readonly string[] {
  if (rows === undefined) {
    return [...BASE, ...models.flatMap(({ page }) => [...page.hit.map(({ name }) => name), ...page.facets])];
  }
  const ofElements = models.flatMap((model) => {
    const list = listOf(model, rows);
    return list === undefined ? [] : (model.page.tables.get(list) ?? elementFields(model, list));
  });
  return ["id", "model", "title", ...ofElements];
}

/** Those of some names that are columns, of records or of the elements of a list. */
export function knownColumns(models: readonly Model[], names: readonly string[], rows: string | undefined) {
  const spaces = models.map((model) => ({ model, list: listOf(model, rows) }));
  return names.filter((name) => spaces.some(({ model, list }) => sourceOf(model, name, list)));
}

/** Properties of the elements of a list that hold one value. */
export function elementFields({ leaves }: Pick<Space, "leaves">, list: string): readonly string[] {
  const below = [...leaves.keys()].filter((path) => path.startsWith(`${list}.`));
  return [...new Set(below.map((path) => path.slice(list.length + 1).split(".")[0]!))].filter((name) =>
    /^\w/.test(name),
  );
}

/** @throws PARAMETER_INVALID where there is no column, or one that no space has */
function checkColumns(spaces: readonly Space[], columns: readonly string[], sources: readonly Sources[]): void {
  const unknown = columns.filter((_, at) => sources.every((ofSpace) => ofSpace[at] === undefined));
  if (unknown.length === 0 && columns.length > 0) return;
  const known = spaces.flatMap((space) => [
    ...FIXED.keys(),
    ...space.fields.keys(),
    ...[...space.leaves.keys()].flatMap((path) => (path.includes("@") ? [] : shortPath(space, path))),
  ]);
  const [name = ""] = unknown;
  const nearest = nearestNames(name, new Set(known), LIMITS.nearestMax);
  const hint = nearest.length === 0 ? "" : ` Did you mean ${nearest.map((each) => `"${each}"`).join(", ")}?`;
  throw badParameter("fields", `fields must be names or paths of fields; "${name}" is none.${hint}`, name, [
    ...new Set(spaces.flatMap((space) => [...BASE, ...FIXED.keys(), ...space.fields.keys()])),
  ]);
}

/** @throws PARAMETER_INVALID for a column that is not there, and for what is no unit */
function readUnits(
  units: Units,
  columns: readonly string[],
  wanted: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, Unit> {
  return new Map(
    Object.entries(wanted).map(([name, text]) => {
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

/** @param sources of all that are in one table: a column of quantities in one model is one in all */
function columnOf(name: string, units: ReadonlyMap<string, Unit>, sources: Sources): Column {
  const unit = units.get(name);
  const isQuantity = sources.some((source) => source?.isQuantity === true);
  const hasError = sources.some((source) => source?.hasError === true);
  return { name, isQuantity, hasError, ...(unit === undefined ? {} : { unit }) };
}

interface TableParts {
  readonly list: string | undefined;
  readonly sources: Sources;
}

function makeTable(space: Space, columns: readonly Column[], { list, sources }: TableParts): Table {
  return {
    columns,
    ...(list === undefined ? {} : { list }),
    units: space.units,
    valuesOf: (body, element) =>
      sources.map((source) => (source === undefined ? [] : readSource(source, body, element, list))),
  };
}

/** The path of a list by its name. */
export function listOf(
  space: Pick<Space, "roots" | "fields" | "elementPaths">,
  name: string | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  const field = space.fields.get(name.toLowerCase());
  const paths = [name, ...space.roots.map((root) => root + name), ...(field === undefined ? [] : [field.path])];
  return paths.find((path) => space.elementPaths.includes(path));
}

/** Without the beginning that a query may leave out. */
function shortPath({ roots }: Space, path: string): string {
  const root = roots.filter((each) => path.startsWith(each)).sort((a, b) => b.length - a.length)[0] ?? "";
  return path.slice(root.length);
}

/**
 * What a name stands for: what every record has; else what stands in the list of the rows; else as in queries. (The id
 * of an element is there by its path: `results.id`.)
 */
function sourceOf(space: Space, name: string, list: string | undefined): Source | undefined {
  const isFixed = list === undefined || FIXED_NAMES.includes(name);
  const inList = isFixed ? undefined : sourceAt(space, [`${list}.${name}`]);
  if (inList !== undefined) return inList;
  const short = name.toLowerCase();
  const field = space.fields.get(short) ?? [...space.fields.values()].find(({ aliases }) => aliases?.includes(short));
  const named = space.quantities.find((quantity) => quantity.name === field?.name);
  if (named !== undefined) {
    const hasError = isThere(space.leaves, errorPath(`${named.path}.${named.value}`));
    return { paths: [named.path], named, isQuantity: true, hasError };
  }
  if (field !== undefined) return sourceAt(space, pathsOf(field), field.dimensions !== undefined);
  const fixed = FIXED.get(name);
  if (fixed !== undefined) return { paths: [fixed], isQuantity: false, hasError: false };
  return [name, ...space.roots.map((root) => root + name)].map((path) => sourceAt(space, [path])).find(Boolean);
}

const pathsOf = ({ path, morePaths = [] }: ShortField): readonly string[] => [path, ...morePaths];

function sourceAt({ leaves }: Space, paths: readonly string[], isQuantity = false): Source | undefined {
  const known = paths.filter((path) => isThere(leaves, path));
  if (known.length === 0) return undefined;
  const hasUnit = (leaf: Leaf | undefined): boolean => leaf?.quantity !== undefined;
  return {
    paths: known,
    isQuantity: isQuantity || known.some((path) => hasUnit(leaves.get(path)) || hasUnit(leaves.get(`${path}.value`))),
    hasError: known.some((path) => isThere(leaves, errorPath(path)) || isThere(leaves, errorPath(`${path}.value`))),
  };
}

/** Returns the path of the error of a number: its own path and `_error`. */
const errorPath = (path: string): string => `${path}_error`;

/** Is a path one of the leaves, or above one? */
function isThere(leaves: Space["leaves"], path: string): boolean {
  if (leaves.has(path)) return true;
  for (const leaf of leaves.keys()) if (leaf.startsWith(`${path}.`) && !leaf.includes("@")) return true;
  return false;
}

/** The values of a source in a body; of what stands in the list of the rows, those of one element. */
function readSource({ paths, named, isQuantity }: Source, body: Json, element: Json | undefined, list = "") {
  return paths.flatMap((path): readonly Value[] => {
    const isInside = element !== undefined && (path === list || path.startsWith(`${list}.`));
    const rest = isInside ? path.slice(list.length + 1) : path;
    const at = (steps: string): readonly Json[] => {
      if (!isInside) return valuesAt(body, steps);
      return steps === "" ? [element] : valuesAt(element, steps);
    };
    if (named !== undefined)
      return at(rest).flatMap((each) => (isNamed(each, named) ? numberIn(each, named.value) : []));
    if (!isQuantity) return at(rest).flatMap(textsOf);
    const [last = "", ...above] = rest.split(".").reverse();
    const holders = above.length === 0 && isInside ? [element] : at(above.reverse().join("."));
    const beside = last === "" ? [] : holders.flatMap((holder) => numberIn(holder, last));
    return beside.length > 0 ? beside : at(rest).flatMap((each) => numberIn(each, "value"));
  });
}

function isNamed(element: Json, { where }: NamedQuantity): boolean {
  return [...where].every(([name, text]) => textAt(element, name) === text);
}

/** Returns a number with the unit and the error beside it. */
function numberIn(holder: Json, name: string): readonly Value[] {
  const value = isObject(holder) ? own(holder, name) : undefined;
  if (!isObject(holder) || typeof value !== "number") return [];
  return [{ value, unit: textAt(holder, "unit"), error: errorOf(own(holder, errorPath(name))) }];
}

/** Returns the texts for a value: names of people, a label, or the texts in an object without a label. */
function textsOf(value: Json): readonly Value[] {
  if (typeof value === "number") return [{ value }];
  if (typeof value === "boolean") return [{ value: String(value) }];
  const names = personNames(value);
  return (names.length > 0 ? names : textsIn(value)).map((text) => ({ value: text }));
}
