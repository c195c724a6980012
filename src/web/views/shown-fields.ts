import type { Field } from "../../core/catalog/field-tree.js";
import { fieldsAt, type ListedField, listFields } from "../../core/catalog/list-fields.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import type { Unit } from "../../core/catalog/units.js";
import { elementFields, listOf } from "../../services/streams/columns.js";
import { WORDS } from "../words/page-en.js";
import { shortPath } from "./hit-view.js";

/** What a page of some models can show as columns, and convert. */
export interface ShownFields {
  readonly models: readonly Model[];
  /** By name: first the columns that a table has where none are chosen, then the others as they are declared. */
  readonly fields: ReadonlyMap<string, ListedField>;
  /** Columns where none are chosen: of several models those that all of them have. */
  readonly columns: readonly string[];
  /** Lists whose elements can be the rows, by name. */
  readonly lists: ReadonlyMap<string, string>;
  /** Columns of the elements of a list, by name, each with its label. */
  columnsOf(list: string): ReadonlyMap<string, string>;
  /** What the schema calls what stands at a path. */
  titleOf(model: Model, path: string): string | undefined;
}

/** @param model name of a model of the catalog; undefined for all of them */
export type FindShownFields = (model: string | undefined) => ShownFields;

const FIXED: Readonly<Record<string, string>> = WORDS.search.fixedFields;

/** Published records are all there is on a page of a search. */
const NOT_SHOWN: ReadonlySet<string> = new Set(["state"]);

/** Finds those of each scope once. @param treeOf what a model holds, as a tree of fields */
export function makeShownFields({ models }: Pick<Catalog, "models">, treeOf: (model: Model) => Field): FindShownFields {
  const titleOf: TitleOf = (model, path) => fieldsAt(treeOf(model), path)[0]?.title;
  const known = new Map<string | undefined, ShownFields>();
  return (model) => {
    const searched = [...models.values()].filter(({ name }) => model === undefined || name === model);
    const made = known.get(model) ?? fieldsOf(searched, titleOf);
    known.set(model, made);
    return made;
  };
}

type TitleOf = ShownFields["titleOf"];

function fieldsOf(models: readonly Model[], titleOf: TitleOf): ShownFields {
  const listed = listFields(models).filter(({ id }) => !NOT_SHOWN.has(id));
  const [first, ...others] = models.map(({ page }) => page.columns);
  const shared = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
  const columns = models.length === 1 ? shared : shared.toSpliced(1, 0, "model");
  const inOrder = [...columns.flatMap((name) => listed.find(({ id }) => id === name) ?? []), ...listed];
  const ofElements = new Map<string, ReadonlyMap<string, string>>();
  return {
    ...{ models, columns, titleOf },
    fields: new Map(inOrder.map((field) => [field.id, { ...field, label: FIXED[field.id] ?? field.label }])),
    lists: listsOf(models, titleOf),
    columnsOf(list) {
      const made = ofElements.get(list) ?? elementColumns(models, list, titleOf);
      ofElements.set(list, made);
      return made;
    },
  };
}

/** Lists that a record's page shows as such: tables, and sections that are one list. */
function listsOf(models: readonly Model[], titleOf: TitleOf): ReadonlyMap<string, string> {
  const all = models.flatMap((model) => {
    const { page, elementPaths, roots } = model;
    const paths = [...page.sections.flatMap(({ paths: shown }) => shown), ...page.tables.keys()];
    return paths
      .filter((path) => elementPaths.includes(path))
      .map((path) => [shortPath(path, roots), titleOf(model, path) ?? lastStep(path)] as const);
  });
  return new Map(all);
}

/** Each name once, with the label of the first model that has it. */
function elementColumns(models: readonly Model[], name: string, titleOf: TitleOf): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const model of models) {
    const list = listOf(model, name);
    for (const field of list === undefined ? [] : elementFields(model, list)) {
      if (!labels.has(field)) labels.set(field, titleOf(model, `${list}.${field}`) ?? field);
    }
  }
  return labels;
}

const lastStep = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** The label of a column: of a path what the schema says. */
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

/** The units that the numbers of a field can be shown in: those of its usual dimension. */
export function unitsOf({ fields, models }: ShownFields, name: string): readonly Unit[] {
  const [usual] = fields.get(name)?.dimensions ?? [];
  const units = [...(models[0]?.units.units.values() ?? [])];
  return units.filter(({ dimension }) => dimension === usual);
}
