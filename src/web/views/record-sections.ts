import type { Section } from "../../core/catalog/description.js";
import { type Field, fieldsAlong } from "../../core/catalog/field-tree.js";
import type { Model } from "../../core/catalog/types.js";
import { valueLabel } from "../../core/citable/values-at.js";
import { escapePointer, isObject, type Json, type JsonObject, own } from "../../core/json.js";
import type { AsCited } from "../../core/record.js";
import { symbolsOf, type Vocabularies } from "../notation/names.js";
import type { Structures } from "./compounds.js";
import type { RowPages } from "./row-pages.js";
import { Item, type RecordContext, unknownField } from "./value-view.js";

/** Section of a record page. */
export interface SectionView {
  readonly name: string;
  readonly title: string;
  readonly items: readonly Item[];
  /** Declaration of the section. Absent: it has all values that no declared section has. */
  readonly declaration?: Section;
}

/** Returns the sections that a model declares, or one section for each part of its schema. */
function declaredSections(model: Model, root: Field): readonly Section[] {
  if (model.page.sections.length > 0) return model.page.sections;
  const fields = [...(root.shape?.fields ?? [])];
  return fields
    .filter(([, { shape, items }]) => shape !== undefined || items !== undefined)
    .map(([name, { title }]) => ({ name, title, paths: [`metadata.${name}`], referring: [] }));
}

interface RecordParts {
  /** Vocabularies of the catalog, which declare how terms are written. Default: none. */
  readonly vocabularies?: Vocabularies;
  /** Pictures of cited compounds. Default: none. */
  readonly structures?: Structures;
  /** Current terms in place of merged ones, by `compoundKey`. Default: none. */
  readonly successors?: RecordContext["successors"];
  /** Cited terms as they were when the record was published. Default: none. */
  readonly asCited?: readonly AsCited[];
  /** Metadata of the whole record, if long lists are shown in part. Default: the shown part. */
  readonly whole?: JsonObject;
  /** Full lengths of lists that are shown in part, by pointer. Default: none. */
  readonly listLengths?: ReadonlyMap<string, number>;
  /** Pages of these lists. Default: their first elements are shown. */
  readonly rows?: RowPages;
  /**
   * How values are written: in the sentences and words of the model, or as deposited. Default: each value by itself, in
   * the words of the model and with readable numbers.
   */
  readonly writing?: "words" | "deposited";
  /** Ids of HTML elements that the page has already. Items of one page share them. Default: none. */
  readonly anchorIds?: Set<string>;
}

/**
 * Returns the metadata of a record as an item with everything that shows its values.
 *
 * @param fields field tree of the model
 */
export function recordItem(
  metadata: JsonObject,
  model: Model,
  fields: Field,
  {
    vocabularies = new Map(),
    structures = new Map(),
    successors = new Map(),
    asCited = [],
    whole = metadata,
    listLengths = new Map(),
    rows,
    writing,
    anchorIds = new Set(),
  }: RecordParts,
): Item {
  const startOf = (pointer: string): number => {
    const length = listLengths.get(pointer);
    return length === undefined ? 0 : (rows?.firstShownIndex(pointer, length) ?? 0);
  };
  const anchors = anchorsOf(metadata, model, startOf);
  const anchorsOfWhole = whole === metadata ? anchors : anchorsOf(whole, model);
  const context: RecordContext = {
    units: model.units,
    symbols: symbolsOf(model),
    vocabularies,
    tables: model.page.tables,
    structures,
    successors,
    anchors,
    listLengths,
    rows,
    elsewhere: (key) => {
      const pointer = anchorsOfWhole.get(key);
      return pointer === undefined ? undefined : rows?.elsewhere(pointer, { metadata: whole });
    },
    citedAs: formerTerms(whole, asCited),
    sentences: writing === "words" ? model.page.sentences : new Map(),
    words: writing === "deposited" ? new Map() : model.page.words,
    isDeposited: writing === "deposited",
    anchorIds,
    whole,
    root: () => root,
  };
  const root = new Item(context, "metadata", "metadata", "/metadata", fields, metadata);
  return root;
}

/**
 * Returns the values of a record by section: the sections of the model, then a section with all other values. Empty
 * values and sections are omitted.
 *
 * @param root result of `recordItem`
 * @param rest name and title of the last section. Undefined: none
 */
export function sectionsOf(
  root: Item,
  model: Model,
  rest: Pick<SectionView, "name" | "title"> | undefined,
): readonly SectionView[] {
  const declared = declaredSections(model, root.field);
  const declaredPaths = PathTree.of(declared.flatMap(({ paths }) => paths));
  const sections = declared.map((declaration): SectionView => {
    const { name, title, paths } = declaration;
    const items = paths.flatMap((path) => {
      const wholeItem = itemAt(root, path);
      const value = wholeItem && withoutPaths(wholeItem.value, declaredPaths.at(path));
      if (wholeItem === undefined || value === undefined) return [];
      const item = wholeItem.with(value);
      return isContainer(path) && paths.length > 1 ? item.members : [item];
    });
    return { name, title, items, declaration };
  });
  const otherValues = rest && withoutPaths(root.value, declaredPaths.at(root.path));
  const lastSection = otherValues === undefined ? [] : [{ ...rest!, items: [root.with(otherValues)] }];
  return [...sections.filter(({ items }) => items.length > 0), ...lastSection];
}

/** Returns the cited terms whose title or id has changed since, as they were cited, by pointer in the body. */
function formerTerms(metadata: JsonObject, asCited: readonly AsCited[]): ReadonlyMap<string, JsonObject> {
  const terms = new Map<string, JsonObject>();
  for (const { field, term } of asCited) {
    const steps = field.split(".");
    const present = steps.reduce((value: Json | undefined, step) => valueIn(value, step), { metadata });
    if (!isObject(present)) continue;
    const [now, then] = [present, term].map((each) => ({ id: own(each, "id"), title: valueLabel(each) }));
    const isSame = now?.title === then?.title && now?.id === then?.id;
    if (!isSame) terms.set(steps.map((step) => `/${escapePointer(step)}`).join(""), term);
  }
  return terms;
}

const valueIn = (value: Json | undefined, step: string): Json | undefined =>
  Array.isArray(value) ? value[Number(step)] : isObject(value) ? own(value, step) : undefined;

/** Returns whether a path is a whole part of the metadata. The section shows its members without the part itself. */
const isContainer = (path: string): boolean => path.split(".").length === 2;

/** Returns the value at a path outside of lists. */
function itemAt(root: Item, path: string): Item | undefined {
  const [first, ...steps] = path.split(".");
  let value: Json | undefined = root.value;
  for (const step of steps) value = isObject(value) ? own(value, step) : undefined;
  if (value === undefined || value === null) return undefined;
  const name = steps.at(-1) ?? first!;
  const fields = fieldsAlong(root.field, root.value, steps);
  const field = fields.length > steps.length ? fields.at(-1)! : unknownField(name);
  return new Item(root.context, path, name, `/${[first!, ...steps].map(escapePointer).join("/")}`, field, value);
}

/** Trie of paths. Its edges are the steps of the paths. */
class PathTree {
  readonly #below = new Map<string, PathTree>();
  /** Whether a path ends at this node. */
  isEnd = false;

  static of(paths: readonly string[]): PathTree {
    const root = new PathTree();
    for (const path of paths) {
      let here: PathTree = root;
      for (const step of path.split(".")) {
        const next: PathTree = here.#below.get(step) ?? new PathTree();
        here.#below.set(step, next);
        here = next;
      }
      here.isEnd = true;
    }
    return root;
  }

  below(step: string): PathTree | undefined {
    return this.#below.get(step);
  }

  at(path: string): PathTree | undefined {
    return path.split(".").reduce((here: PathTree | undefined, step) => here?.below(step), this);
  }
}

/** Removes the values at some paths and all empty values. Returns undefined if nothing remains. */
function withoutPaths(value: Json, paths: PathTree | undefined): Json | undefined {
  if (Array.isArray(value)) {
    const elements = value.map((each) => withoutPaths(each, paths));
    if (elements.length > 0 && elements.every((each, i) => each === value[i])) return value;
    const present = elements.filter((each) => each !== undefined);
    return present.length === 0 ? undefined : present;
  }
  if (!isObject(value)) return value === null || value === "" ? undefined : value;
  let isWhole = true;
  const members: [name: string, value: Json][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const below = paths?.below(name);
    const remainder = below?.isEnd === true ? undefined : withoutPaths(inner, below);
    if (remainder !== inner) isWhole = false;
    if (remainder !== undefined) members.push([name, remainder]);
  }
  if (members.length === 0) return undefined;
  return isWhole ? value : Object.fromEntries(members);
}

/**
 * Returns the pointers of the objects that other values of a record refer to, by path of the list and id.
 *
 * @param startOf returns the index of the first element of a list, by its pointer, if the metadata is part of a record
 */
export function anchorsOf(
  metadata: JsonObject,
  model: Model,
  startOf: (pointer: string) => number = () => 0,
): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  const collect = (value: Json, pointer: string, path: string, steps: readonly string[]): void => {
    if (Array.isArray(value)) {
      const start = startOf(pointer);
      for (const [i, each] of value.entries()) collect(each, `${pointer}/${start + i}`, path, steps);
      return;
    }
    if (!isObject(value)) return;
    const [step, ...rest] = steps;
    if (step === undefined) {
      const id = own(value, "id");
      if (typeof id === "string") anchors.set(`${path} ${id}`, pointer);
      return;
    }
    const inner = own(value, step);
    if (inner !== undefined) collect(inner, `${pointer}/${escapePointer(step)}`, path, rest);
  };
  for (const to of new Set(model.references.map((site) => site.to))) collect({ metadata }, "", to, to.split("."));
  return anchors;
}
