import type { Field } from "../../core/catalog/field-tree.js";
import { listFields } from "../../core/catalog/list-fields.js";
import type { Model } from "../../core/catalog/types.js";
import { kindInWords } from "../../core/citable/record-results.js";
import type { Query } from "../../http/parameters/url-encoding.js";
import { shortPath } from "./hit-view.js";
import { BUILDER_PREFIX } from "./page-addresses.js";
import type { BuiltQuery, Comparison, FieldRow, QueryRow, RowJoin } from "./query-rows.js";

/** A field that rows of the builder can use. */
export interface FieldChoice {
  readonly name: string;
  readonly label: string;
  readonly comparisons: readonly Comparison[];
  /** Units of a number, the usual one first; `any` if the model does not restrict them. */
  readonly units: readonly string[] | "any";
  /** Allowed values of the field. Empty if the model does not restrict them. */
  readonly values: readonly string[];
}

/** A list whose elements a group of rows can describe. */
interface ListChoice {
  readonly name: string;
  readonly label: string;
  readonly fields: readonly FieldChoice[];
  readonly kinds: readonly KindChoice[];
}

/** A kind of list element that decides the units of its number: results with `type` "Change in enthalpy deltaH". */
interface KindChoice {
  /** Field with the kind. */
  readonly by: string;
  readonly kind: string;
  /** Field with the number. */
  readonly field: string;
  readonly units: readonly string[];
}

/** The fields and lists that rows of the builder can use. */
export interface BuilderChoices {
  readonly fields: readonly FieldChoice[];
  readonly lists: readonly ListChoice[];
}

const NUMBERS: readonly Comparison[] = ["<", "<=", ">", ">=", "between", "is", "exists"];
const TEXTS: readonly Comparison[] = ["is", "prefix", "exists"];
const TERMS: readonly Comparison[] = ["is", "within", "exists"];

/** Returns the fields and lists that rows can use for records of these models. */
export function builderChoices(models: readonly Model[], fieldsOf: (model: Model) => Field): BuilderChoices {
  const fields = listFields(models).flatMap((field): readonly FieldChoice[] => {
    const { id: name, type, dimensions = [], values = [] } = field;
    if (type === "object" || FIXED.has(name)) return [];
    const comparisons = type === "quantity" || type === "number" || type === "date" ? NUMBERS : TEXTS;
    const label = field.label === name.replaceAll("_", " ") ? quantityLabel(name, models) : field.label;
    const units = models.slice(0, 1).flatMap((model) => dimensionUnits(model, dimensions));
    const texts = values.filter((value) => typeof value === "string");
    return [{ name, label, comparisons: type === "term" ? TERMS : comparisons, units, values: texts }];
  });
  const lists = new Map(
    models.flatMap((model) => listChoices(model, fieldsOf(model)).map((list) => [list.name, list] as const)),
  );
  return { fields: fields.toSorted((a, b) => (a.label < b.label ? -1 : 1)), lists: [...lists.values()] };
}

/** Fields that every record has. The builder does not offer them. */
const FIXED: ReadonlySet<string> = new Set(["id", "state", "model", "created", "updated"]);

/** Returns a label for a quantity without one: the kind of its elements. `kon` is "Association rate constant kOn". */
function quantityLabel(name: string, models: readonly Model[]): string {
  const model = models.find(({ quantities }) => quantities.some((each) => each.name === name));
  const where = model?.quantities.find((each) => each.name === name)?.where;
  const kinds = model === undefined ? [] : [...(where?.values() ?? [])].map((kind) => kindInWords(kind, model));
  return kinds.length === 0 ? name.replaceAll("_", " ") : kinds.join(", ");
}

/** Maximum number of units of one dimension. */
const UNITS_MAX = 12;

/** Returns the units of all dimensions of a quantity. The canonical unit of the usual dimension comes first. */
function dimensionUnits({ units }: Model, dimensions: readonly string[]): readonly string[] {
  return dimensions.flatMap((dimension) => {
    const canonical = units.dimensions.get(dimension)?.canonical;
    const names = [...units.units.values()].flatMap((unit) => (unit.dimension === dimension ? [unit.name] : []));
    return [...new Set([...(canonical === undefined ? [] : [canonical]), ...names])].slice(0, UNITS_MAX);
  });
}

/** Returns the kinds of elements of a list that decide the dimension of their number. */
function kindsOf(model: Model, path: string): readonly KindChoice[] {
  return model.quantities.flatMap(({ path: list, where, value, leaf }): readonly KindChoice[] => {
    const [condition, ...others] = where ?? [];
    if (list !== path || condition === undefined || others.length > 0) return [];
    const [by, kind] = condition;
    return [{ by, kind, field: value, units: dimensionUnits(model, leaf.quantity.dimensions) }];
  });
}

/** Returns the choice for a row in a group. If another row of the group names a kind, it has the units of this kind. */
export function choiceIn(list: ListChoice, row: FieldRow, rows: readonly FieldRow[]): FieldChoice {
  const choice = choiceOf(list.fields, row);
  const units = list.kinds
    .filter(({ field }) => field === row.field)
    .filter(({ by, kind }) => rows.some((other) => other.field === by && isNamedBy(kind, other)))
    .flatMap((each) => each.units);
  return units.length === 0 ? choice : { ...choice, units: [...new Set(units)] };
}

/** Returns whether the words of a row name this kind. Some of its words are enough: `enthalpy`. */
function isNamedBy(kind: string, { comparison, value }: FieldRow): boolean {
  const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = wordsIn(value);
  if (words.length === 0) return false;
  const kindWords = wordsIn(kind);
  if (comparison === "prefix") return kindWords.some((word) => words.every((each) => word.startsWith(each)));
  return comparison === "is" && words.every((word) => kindWords.includes(word));
}

/** Returns the choice for a row. For an unknown field, makes a choice that accepts the row as it is. */
export function choiceOf(fields: readonly FieldChoice[], { field: name, comparison }: FieldRow): FieldChoice {
  const choice = fields.find((each) => each.name === name);
  return choice ?? { name, label: name, comparisons: [comparison], units: "any", values: [] };
}

/** Returns the lists at the top level of a part of the record, with the simple fields of their elements. */
function listChoices(model: Model, root: Field): readonly ListChoice[] {
  return model.elementPaths.flatMap((path) => {
    const field = path
      .split(".")
      .slice(1)
      .reduce<Field | undefined>((at, step) => (at?.items ?? at)?.shape?.fields.get(step), root);
    const name = shortPath(path, model.roots);
    if (field === undefined || name.includes(".")) return [];
    const fields = [...model.leaves.values()].flatMap((leaf): readonly FieldChoice[] => {
      const inner = leaf.path.slice(path.length + 1);
      if (leaf.elementPath !== path || inner.includes(".") || inner === "id" || inner === "unit") return [];
      const innerField = (field.items ?? field).shape?.fields.get(inner);
      const isNumber = leaf.type === "number" || leaf.type === "date" || leaf.quantity !== undefined;
      const units =
        leaf.quantity?.dimensions.length === 0 ? "any" : dimensionUnits(model, leaf.quantity?.dimensions ?? []);
      const values = (innerField?.allowed ?? []).filter((value) => typeof value === "string");
      const label = innerField?.title ?? inner;
      return [{ name: inner, label, comparisons: isNumber ? NUMBERS : TEXTS, units, values }];
    });
    const kinds = kindsOf(model, path);
    return fields.length < 2 ? [] : [{ name, label: field.title.toLowerCase(), fields, kinds }];
  });
}

/** Value of the button that leaves the builder and shows the hits. */
export const SHOW_BUTTON = "show";

/** Returns whether the reader pressed the button that shows the hits. */
export const isShowPressed = (query: Query): boolean => query.get(`${BUILDER_PREFIX}do`)?.[0] === SHOW_BUTTON;

/** Returns the rows in the parameters of the builder, changed by the pressed button. Undefined without a builder. */
export function readBuilder(query: Query, choices: BuilderChoices): BuiltQuery | undefined {
  const join = query.get(`${BUILDER_PREFIX}join`)?.[0];
  if (join === undefined) return undefined;
  const rows = fitRows(readRows(query), choices);
  const [action = "", subject = ""] = (query.get(`${BUILDER_PREFIX}do`)?.[0] ?? "").split(/:(.*)/s);
  return { join: isJoin(join) ? join : "all", rows: changeRows(rows, { action, subject }, choices) };
}

const isJoin = (text: string): text is RowJoin => text === "all" || text === "any" || text === "none";

/** Reads rows by their numbers: `b.0.field` is a row, `b.0.1.field` is the second row of a group. */
function readRows(query: Query): readonly QueryRow[] {
  const textAt = (at: string, name: string): string => query.get(`${BUILDER_PREFIX}${at}.${name}`)?.[0] ?? "";
  const hasField = (at: string, name: string): boolean => query.has(`${BUILDER_PREFIX}${at}.${name}`);
  const fieldAt = (at: string): FieldRow => ({
    field: textAt(at, "field"),
    comparison: textAt(at, "is") as Comparison,
    value: textAt(at, "value"),
    unit: textAt(at, "unit"),
    to: textAt(at, "to"),
    offered: textAt(at, "offered"),
  });
  const rows: QueryRow[] = [];
  for (let i = 0; i < ROWS_MAX; i++) {
    if (hasField(`${i}`, "list")) {
      const inner: FieldRow[] = [];
      for (let j = 0; j < ROWS_MAX && hasField(`${i}.${j}`, "field"); j++) inner.push(fieldAt(`${i}.${j}`));
      rows.push({ list: textAt(`${i}`, "list"), rows: inner });
    } else if (hasField(`${i}`, "field")) rows.push(fieldAt(`${i}`));
    else if (hasField(`${i}`, "kind")) rows.push({ text: textAt(`${i}`, "text") });
    else break;
  }
  return rows;
}

/** Maximum number of rows, limited by the length of an address. */
const ROWS_MAX = 40;

/** Action of a button. */
interface Change {
  readonly action: string;
  /** Name of a list, or number of a row: `2`, `2.0`. */
  readonly subject: string;
}

/** Adds or removes a row or a group, as a button demands. */
function changeRows(
  rows: readonly QueryRow[],
  { action, subject }: Change,
  choices: BuilderChoices,
): readonly QueryRow[] {
  const { fields, lists } = choices;
  const [at, inner] = subject.split(".").map(Number);
  const list = lists.find(({ name }) => name === subject);
  if (action === "field") return [...rows, emptyRow(fields)];
  if (action === "text") return [...rows, { text: "" }];
  if (action === "list" && list !== undefined) return [...rows, { list: list.name, rows: [emptyRow(list.fields)] }];
  return rows.flatMap((row, i): readonly QueryRow[] => {
    if (i !== at || (action !== "more" && action !== "less")) return [row];
    if (!("list" in row)) return action === "less" ? [] : [row];
    const listFields = lists.find(({ name }) => name === row.list)?.fields ?? [];
    const innerRows = action === "more" ? [...row.rows, emptyRow(listFields)] : row.rows.filter((_, j) => j !== inner);
    const isRemoved = innerRows.length === 0 || (action === "less" && inner === undefined);
    return isRemoved ? [] : [{ list: row.list, rows: innerRows }];
  });
}

/** Returns the initial state of the builder: an empty row with the first field. */
export const firstRows = ({ fields }: BuilderChoices): BuiltQuery => ({ join: "all", rows: [emptyRow(fields)] });

function emptyRow([first]: readonly FieldChoice[]): FieldRow {
  const { name = "", comparisons = TEXTS, units = [] } = first ?? {};
  return { field: name, comparison: comparisons[0]!, value: "", unit: units === "any" ? "" : (units[0] ?? ""), to: "" };
}

/** Removes comparisons, values and units from rows that their fields do not allow. */
function fitRows(rows: readonly QueryRow[], { fields, lists }: BuilderChoices): readonly QueryRow[] {
  return rows.map((row): QueryRow => {
    if ("field" in row) return fitRow(row, choiceOf(fields, row));
    if (!("list" in row)) return row;
    const list = lists.find(({ name }) => name === row.list);
    return list === undefined
      ? row
      : { ...row, rows: row.rows.map((each) => fitRow(each, choiceIn(list, each, row.rows))) };
  });
}

/** Fits a row to its field. Keeps an unknown unit if the form has offered the same units before. */
function fitRow({ offered, ...row }: FieldRow, { comparisons, units }: FieldChoice): FieldRow {
  const comparison = comparisons.includes(row.comparison) ? row.comparison : comparisons[0]!;
  const isKept = units === "any" || units.includes(row.unit) || (row.unit !== "" && offered === units[0]);
  return { ...row, comparison, unit: isKept ? row.unit : (units[0] ?? "") };
}
