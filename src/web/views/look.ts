import type { ListedField } from "../../core/answers/models.js";
import type { Field } from "../../core/catalog/field-tree.js";
import { fieldsAt, listFields } from "../../core/catalog/list-fields.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import { nearestNames } from "../../core/nearest.js";
import { findUnit, type Unit } from "../../core/units/units.js";
import { clip, WARNINGS_MAX, warnUnknownParameters } from "../../http/parameters/parameter-reader.js";
import type { Query } from "../../http/parameters/url-encoding.js";
import { defaultColumns, elementFields, findListPath, knownColumns } from "../../services/streams/columns.js";
import { kindText, symbolsOf } from "../notation/names.js";
import type { RichText } from "../notation/rich-text.js";
import type { NumberLook } from "../notation/unit-choice.js";
import { WORDS } from "../words/page-en.js";
import { shortPath } from "./hit-view.js";
import { AS_DEPOSITED, NUMBERS_PARAMETER, type Pairs, TREE_PARAMETER, UNIT_PREFIX } from "./page-addresses.js";

/** Presentation of a page of records: list or table, columns, rows and units. Read from the address of the page. */
export interface Look extends NumberLook {
  readonly view: "list" | "table";
  /** Columns of a table, in this order. */
  readonly columns: readonly string[];
  /** Name of the list whose elements are the rows. Undefined: each record is a row. */
  readonly rows: string | undefined;
  /** Whether only list elements that match the query are rows. */
  readonly isMatched: boolean;
  /** Warnings about ignored names and values. */
  readonly warnings: readonly Warning[];
}

const UNKNOWN = "UNKNOWN_PARAMETER";

/**
 * Reads the look of a page. Names that these models do not have are ignored, with a warning unless another model has
 * them: a remembered unit applies to all searches.
 * @param all the shown fields of all models
 */
export function readLook(query: Query, shown: ShownFields, all: ShownFields = shown): Look {
  const isTable = query.get("view")?.[0] === "table";
  const listName = isTable ? (query.get("rows")?.[0] ?? "") : "";
  const rows = shown.models.some((model) => findListPath(model, listName) !== undefined) ? listName : undefined;
  const columnNames = (query.get("cols") ?? []).flatMap((text) => text.split(",")).map((name) => name.trim());
  const names = isTable ? [...new Set(columnNames.filter((name) => name !== ""))] : [];
  const columns = knownColumns(shown.models, names, rows);
  const { units, warnings: unitWarnings } = readUnits(query, { shown, all, rows });
  // An address has room for thousands of names, and to find the nearest one takes time.
  const unknownColumns = names.filter((name) => !columns.includes(name)).slice(0, WARNINGS_MAX);
  const columnChoices = [...(rows === undefined ? [] : shown.columnsOf(rows).keys()), ...shown.fields.keys()];
  return {
    view: isTable ? "table" : "list",
    columns: columns.length > 0 ? columns : defaultTableColumns(shown, rows),
    rows,
    isMatched: rows !== undefined && query.get("matched")?.[0] === "true",
    units,
    isDeposited: query.get(NUMBERS_PARAMETER)?.[0] === AS_DEPOSITED,
    warnings: [
      ...noteUnknownChoice(query, "view", ["list", "table"]),
      ...noteUnknownChoice(query, NUMBERS_PARAMETER, [AS_DEPOSITED]),
      ...noteUnknownChoice(query, "matched", ["true", "false"]),
      ...noteUnknownChoice(query, TREE_PARAMETER, ["1"]),
      ...(rows !== undefined || !isTable ? [] : noteUnknownChoice(query, "rows", [...shown.lists.keys()])),
      ...unknownColumns.map((name) => warnChoice("cols", name, columnChoices)),
      ...unitWarnings,
    ],
  };
}

/**
 * Returns a warning for a value that a parameter of pages does not have, with the value that is probably meant, or else
 * with the possible values.
 */
export function noteUnknownChoice(query: Query, parameter: string, choices: readonly string[]): readonly Warning[] {
  const [text = ""] = query.get(parameter) ?? [];
  return text === "" || choices.includes(text) ? [] : [warnChoice(parameter, text, choices)];
}

/** Maximum number of values that a warning lists. The menus of the page list all. */
const CHOICES_LISTED = 12;

function warnChoice(parameter: string, text: string, choices: readonly string[]): Warning {
  const [nearest] = nearestNames(text, choices, 1);
  const listed = [...choices.slice(0, CHOICES_LISTED), ...(choices.length > CHOICES_LISTED ? ["…"] : [])];
  return { code: UNKNOWN, message: WORDS.search.noChoice(parameter, clip(text), nearest, listed), parameter };
}

/** Returns the default columns of a CSV export without id and model. The link to the record shows both. */
function defaultTableColumns({ models, columns }: ShownFields, rows: string | undefined): readonly string[] {
  if (rows === undefined) return columns;
  const first = models.length === 1 ? ["title"] : ["title", "model"];
  const elementColumns = defaultColumns(models, rows).filter((name) => name !== "id" && name !== "model");
  return [...new Set([...first, ...elementColumns])];
}

interface UnitPlace {
  readonly shown: ShownFields;
  readonly all: ShownFields;
  readonly rows: string | undefined;
}

/** Reads the units of fields. Returns a warning for each field or unit that does not exist. */
function readUnits(query: Query, { shown, all, rows }: UnitPlace) {
  const units = new Map<string, Unit>();
  const warnings: Warning[] = [];
  const unknown = new Map<string, readonly string[]>();
  const columns = [...all.fields.values()].flatMap(({ id, dimensions = [] }) =>
    dimensions.length === 0 ? [] : [UNIT_PREFIX + id],
  );
  const declared = [...(shown.models[0]?.units.units.keys() ?? [])];
  for (const [parameter, [text = ""]] of query) {
    if (!parameter.startsWith(UNIT_PREFIX) || text === "") continue;
    const name = parameter.slice(UNIT_PREFIX.length);
    const unit = findUnit(shown.models[0]!.units, text);
    if (knownColumns(shown.models, [name], rows).length === 0) {
      if (!all.fields.has(name)) unknown.set(parameter, [text]);
      continue;
    }
    const allowed = fieldUnits(shown, name);
    if (unit !== undefined && (allowed.length === 0 || allowed.includes(unit))) units.set(name, unit);
    else if (warnings.length < WARNINGS_MAX) {
      const names = allowed.map((each) => each.name);
      warnings.push(warnChoice(parameter, text, names.length === 0 ? declared : names));
    }
  }
  return { units, warnings: [...warnUnknownParameters(unknown, columns), ...warnings] };
}

/** Returns the look as parameters of a CSV export: the id and the shown columns. A list view has no columns. */
export function tableParameters({ view, columns, rows, isMatched, units }: Look, { models }: ShownFields): Pairs {
  const shown = view === "table" ? ["id", ...columns] : defaultColumns(models, undefined);
  return [
    ...(view === "table" ? [["fields", shown.join(",")] as const] : []),
    ...(rows === undefined ? [] : [["rows", rows] as const]),
    ...(isMatched ? [["matched", "true"] as const] : []),
    ...[...units].flatMap(([name, unit]) => (shown.includes(name) ? [[UNIT_PREFIX + name, unit.name] as const] : [])),
  ];
}

/** Fields of some models that a page can show as columns or convert to other units. */
export interface ShownFields {
  readonly models: readonly Model[];
  /** Fields by name: the default columns first, then the other fields in the order of their declaration. */
  readonly fields: ReadonlyMap<string, ListedField>;
  /** Default columns. Several models share only the columns that all of them have. */
  readonly columns: readonly string[];
  /** Labels of the lists whose elements can be rows, by name. */
  readonly lists: ReadonlyMap<string, string>;
  /** Returns the labels of the columns for elements of a list, by name. */
  columnsOf(list: string): ReadonlyMap<string, string>;
  /** Returns the declared symbol of a quantity. */
  symbolOf(name: string): string | undefined;
  /** Writes a deposited text at one of some paths in the words of the models. Undefined if they declare none. */
  wordsAt(paths: readonly string[], text: string): RichText | undefined;
  /** Returns the title of the schema at a path. */
  titleOf(model: Model, path: string): string | undefined;
}

/** Returns the shown fields of a model, by its name. Undefined selects all models. */
export type FindShownFields = (model: string | undefined) => ShownFields;

const FIXED_LABELS: Readonly<Record<string, string>> = WORDS.search.fixedFields;

/** Fields without a column: all records of a search page have the same state. */
const HIDDEN: ReadonlySet<string> = new Set(["state"]);

/** Returns a look-up that computes the fields of each scope once. @param treeOf returns the field tree of a model */
export function makeShownFields({ models }: Pick<Catalog, "models">, treeOf: (model: Model) => Field): FindShownFields {
  const titleOf: TitleOf = (model, path) => fieldsAt(treeOf(model), path)[0]?.title;
  const fieldsByModel = new Map<string | undefined, ShownFields>();
  return (model) => {
    const searchedModels = [...models.values()].filter(({ name }) => model === undefined || name === model);
    const shown = fieldsByModel.get(model) ?? collectFields(searchedModels, titleOf);
    fieldsByModel.set(model, shown);
    return shown;
  };
}

type TitleOf = ShownFields["titleOf"];

function collectFields(models: readonly Model[], titleOf: TitleOf): ShownFields {
  const listed = listFields(models).filter(({ id }) => !HIDDEN.has(id));
  const [first, ...rest] = models.map(({ page }) => page.columns);
  const shared = (first ?? []).filter((name) => rest.every((names) => names.includes(name)));
  const columns = models.length === 1 ? shared : shared.toSpliced(1, 0, "model");
  const inOrder = [...columns.flatMap((name) => listed.find(({ id }) => id === name) ?? []), ...listed];
  const columnsByList = new Map<string, ReadonlyMap<string, string>>();
  return {
    models,
    columns,
    titleOf,
    symbolOf: (name) => models.map(({ fields }) => fields.get(name)?.symbol).find(Boolean),
    wordsAt: (paths, text) => wordsAt(models, paths, text),
    fields: new Map(inOrder.map((field) => [field.id, { ...field, label: FIXED_LABELS[field.id] ?? field.label }])),
    lists: listLabels(models, titleOf),
    columnsOf(list) {
      const labels = columnsByList.get(list) ?? elementColumns(models, list, titleOf);
      columnsByList.set(list, labels);
      return labels;
    },
  };
}

function wordsAt(models: readonly Model[], paths: readonly string[], text: string): RichText | undefined {
  for (const model of models) {
    const words = paths.map((path) => model.page.words.get(path)?.get(text)).find(Boolean);
    if (words !== undefined) return kindText(text, symbolsOf(model), words);
  }
}

/** Returns the labels of the lists that a record page shows as tables or as whole sections, by name. */
function listLabels(models: readonly Model[], titleOf: TitleOf): ReadonlyMap<string, string> {
  const labels = models.flatMap((model) => {
    const { page, elementPaths, roots } = model;
    const paths = [...page.sections.flatMap(({ paths: shown }) => shown), ...page.tables.keys()];
    return paths
      .filter((path) => elementPaths.includes(path))
      .map((path) => [shortPath(path, roots), titleOf(model, path) ?? lastStep(path)] as const);
  });
  return new Map(labels);
}

/** Returns the columns for elements of a list. A column has the label of the first model that has it. */
function elementColumns(models: readonly Model[], name: string, titleOf: TitleOf): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const model of models) {
    const list = findListPath(model, name);
    for (const field of list === undefined ? [] : elementFields(model, list)) {
      if (!labels.has(field)) labels.set(field, titleOf(model, `${list}.${field}`) ?? field);
    }
  }
  return labels;
}

const lastStep = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** Returns the label of a column. The label of a path is its title in the schema. */
export function labelOfColumn(
  { fields, columnsOf, models, titleOf }: ShownFields,
  name: string,
  rows: string | undefined,
): string {
  const label = (rows === undefined ? undefined : columnsOf(rows).get(name)) ?? fields.get(name)?.label;
  if (label !== undefined) return label;
  const paths = (model: Model) => [name, ...model.roots.map((root) => root + name)];
  const titles = models.flatMap((model) => paths(model).flatMap((path) => titleOf(model, path) ?? []));
  return titles[0] ?? name;
}

/** Returns the units in which a page can show a field: those of the field's main dimension. */
export function fieldUnits({ fields, models }: ShownFields, name: string): readonly Unit[] {
  const [mainDimension] = fields.get(name)?.dimensions ?? [];
  const units = [...(models[0]?.units.units.values() ?? [])];
  return units.filter(({ dimension }) => dimension === mainDimension);
}
