/** What a value of a record is for its readers, whatever the model calls it. */
import type { Model } from "../../core/catalog/types.js";
import { errorOf, writeResult } from "../../core/citable/record-results.js";
import { labelOf } from "../../core/citable/values-at.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { compoundKey, type Picture, type Structures } from "./compounds.js";
import { withPowers } from "./powers.js";
import { elementsOf, type Item, membersOf } from "./record-sections.js";

/** What drawing a record needs beside its values. */
export interface RecordContext {
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** Vocabularies by the path of the places that cite their terms. */
  readonly terms: ReadonlyMap<string, string>;
  /** Paths of the lists that are referred to, by the path of the places that refer. */
  readonly references: ReadonlyMap<string, string>;
  /** `anchorsOf` */
  readonly anchors: ReadonlyMap<string, string>;
  /** Where the pictures of cited terms are. */
  readonly structures: Structures;
}

export function contextOf(
  model: Model,
  anchors: ReadonlyMap<string, string>,
  structures: Structures = new Map(),
): RecordContext {
  return {
    tables: model.page.tables,
    terms: new Map(model.termSites.map(({ path, vocabulary }) => [path, vocabulary])),
    references: new Map(model.references.map(({ path, to }) => [path, to])),
    anchors,
    structures,
  };
}

export type Drawn =
  | { readonly kind: "scalar"; readonly text: string; readonly isKnown: boolean }
  | {
      readonly kind: "term";
      readonly vocabulary: string;
      readonly id: string;
      readonly title: string;
      readonly more: string;
    }
  | { readonly kind: "reference"; readonly text: string; readonly anchor: string | undefined }
  | { readonly kind: "quantity"; readonly text: string }
  | { readonly kind: "person"; readonly person: JsonObject }
  | { readonly kind: "list" }
  | { readonly kind: "object" };

export interface Words {
  readonly notKnown: string;
  readonly yes: string;
  readonly no: string;
}

export function drawn({ path, field, value }: Item, context: RecordContext, words: Words): Drawn {
  if (Array.isArray(value)) return { kind: "list" };
  if (!isObject(value)) {
    const isKnown = field.notKnown === undefined || value !== field.notKnown;
    const text = typeof value === "boolean" ? (value ? words.yes : words.no) : String(value);
    return { kind: "scalar", text: isKnown ? text : words.notKnown, isKnown };
  }
  const id = own(value, "id");
  const vocabulary = context.terms.get(path);
  if (vocabulary !== undefined && typeof id === "string") {
    return { kind: "term", vocabulary, id, title: labelOf(value) ?? id, more: propsOf(value) };
  }
  const to = context.references.get(path);
  if (to !== undefined && typeof id === "string") {
    return { kind: "reference", text: labelOf(value) ?? id, anchor: context.anchors.get(`${to} ${id}`) };
  }
  if (typeof own(value, "family_name") === "string") return { kind: "person", person: value };
  const text = quantityText(value);
  if (text !== undefined && Object.keys(value).every((name) => QUANTITY.has(name))) return { kind: "quantity", text };
  return { kind: "object" };
}

/** Members that make up a number with its unit. */
export const QUANTITY: ReadonlySet<string> = new Set(["value", "unit", "value_error"]);

/** The number that an object holds, as deposited, with its error and unit. */
export function quantityText(value: JsonObject): string | undefined {
  const number = own(value, "value");
  const unit = own(value, "unit");
  if (typeof number !== "number" || typeof unit !== "string") return undefined;
  const error = errorOf(own(value, "value_error"));
  const text = writeResult({ kind: "", value: number, unit, ...(error === undefined ? {} : { error }), of: [] });
  return text && withPowers(text);
}

/** What was copied from a term beside its title. */
function propsOf(term: JsonObject): string {
  const texts = Object.entries(term)
    .filter(([name]) => name !== "id" && name !== "title" && !name.startsWith("@"))
    .flatMap(([, value]) => [value].flat() as Json[])
    .flatMap((value) => labelOf(value) ?? []);
  return texts.join(", ");
}

/** Pictures of the terms that some values cite, and what these are called. */
export function structuresAmong(items: readonly Item[], context: RecordContext, words: Words): readonly Picture[] {
  return items.flatMap((item) => {
    const view = drawn(item, context, words);
    const at = view.kind === "term" ? context.structures.get(compoundKey(view)) : undefined;
    return view.kind === "term" && at !== undefined ? [{ at, title: view.title }] : [];
  });
}

/** Does a value fit into a line of text? */
export function isInline(item: Item, context: RecordContext, words: Words): boolean {
  const { kind } = drawn(item, context, words);
  if (kind === "list") {
    return elementsOf(item).every((each) => isInline(each, context, words));
  }
  if (kind !== "object") return true;
  const members = membersOf(item);
  return members.length <= COMPACT_MEMBERS_MAX && members.every((each) => isPlain(each, context, words));
}

/** Is a value a single thing? */
export function isPlain(item: Item, context: RecordContext, words: Words): boolean {
  const { kind } = drawn(item, context, words);
  return kind !== "list" && kind !== "object";
}

const COMPACT_MEMBERS_MAX = 3;
const TABLE_COLUMNS_MAX = 7;

/** A list of objects as a table: its columns, and what each row has beside them. */
export interface Table {
  readonly columns: readonly { readonly name: string; readonly title: string; readonly help: string | undefined }[];
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

export interface Row {
  readonly item: Item;
  readonly id: string | undefined;
  readonly cells: readonly (Item | undefined)[];
  readonly more: readonly Item[];
}

/** As the model declares, or where elements are alike and short; undefined where they are neither. */
export function tableOf(list: Item, context: RecordContext, words: Words): Table | undefined {
  const elements = elementsOf(list);
  const members = elements.map(membersOf);
  const nameOf = ({ path }: Item): string => path.slice(path.lastIndexOf(".") + 1);
  const present = [...new Map(members.flat().map((each) => [nameOf(each), each])).entries()];
  const declared = context.tables.get(list.path);
  if (declared === undefined) {
    const isShort = members.every((each) => each.every((member) => isInline(member, context, words)));
    if (elements.length < 2 || !isShort || present.length > TABLE_COLUMNS_MAX) return undefined;
  }
  const names = declared ?? present.map(([name]) => name).filter((name) => name !== "id");
  const shown = names.filter((name) => present.some(([each]) => each === name));
  const isQuantity = shown.includes("value") && present.some(([name]) => name === "unit");
  const columns = shown.filter((name) => !(isQuantity && name !== "value" && QUANTITY.has(name)));
  const rows = members.map((own, i): Row => {
    const cells = columns.map((column) => own.find((each) => nameOf(each) === column));
    const more = own.filter((each) => {
      const name = nameOf(each);
      return !columns.includes(name) && name !== "id" && !(isQuantity && QUANTITY.has(name));
    });
    const id = own.find((each) => nameOf(each) === "id")?.value;
    return { item: elements[i]!, id: typeof id === "string" ? id : undefined, cells, more };
  });
  return {
    columns: columns.map((name) => {
      const { field } = present.find(([each]) => each === name)![1];
      return { name, title: field.title, help: field.help };
    }),
    rows,
    hasMore: rows.some(({ more }) => more.length > 0),
  };
}
