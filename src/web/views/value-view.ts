import { type Field, shapesFor } from "../../core/catalog/field-tree.js";
import { isPerson } from "../../core/citable/record-people.js";
import { errorOf, writeResult } from "../../core/citable/record-results.js";
import { labelOf } from "../../core/citable/values-at.js";
import { escapePointer } from "../../core/declarations/json-positions.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { beginningOfText } from "../../core/records/beginning.js";
import { WORDS } from "../words/page-en.js";
import { compoundKey, type Picture, type Structures } from "./compounds.js";
import type { RowPages } from "./row-pages.js";
import { withPowers } from "./texts.js";

/** What drawing a record needs beside its values and its model's fields. */
export interface RecordContext {
  /** Columns of the lists that the model declares as tables, by path. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** `anchorsOf` the values that are shown. */
  readonly anchors: ReadonlyMap<string, string>;
  /** Returns the address of a reference's target that another page of the record shows. @param key of `anchorsOf` */
  elsewhere(key: string): string | undefined;
  /** Where the pictures of cited terms are. */
  readonly structures: Structures;
  /** Terms as published that have another name or id now, by pointer. */
  readonly citedAs: ReadonlyMap<string, JsonObject>;
  /** Full lengths of lists that are shown in part, by pointer. */
  readonly listLengths: ReadonlyMap<string, number>;
  /** Pages of these lists. Absent: their beginnings are shown. */
  readonly rows?: RowPages | undefined;
}

/** What a value of a record is for its readers, whatever the model calls it. */
type Drawn =
  | { readonly kind: "scalar"; readonly text: string; readonly isKnown: boolean }
  | {
      readonly kind: "term";
      readonly vocabulary: string;
      readonly id: string;
      readonly title: string;
      readonly more: string;
      /** Title of the term when the record was published, if the title has changed since. */
      readonly citedAs?: string;
      /** Term into which it was merged after the publication, if any. */
      readonly now?: { readonly id: string; readonly title: string };
    }
  | {
      readonly kind: "reference";
      readonly text: string;
      /** Id of the HTML element for the target of the reference, if it is on this page. */
      readonly anchor: string | undefined;
      /** Address of the target, if another page of its list shows it. */
      readonly elsewhere: string | undefined;
    }
  | { readonly kind: "quantity"; readonly text: string }
  | { readonly kind: "person"; readonly person: JsonObject }
  | { readonly kind: "list" }
  | { readonly kind: "object" };

/** Members of an object that still fits into a line. */
const COMPACT_MEMBERS_MAX = 3;

/**
 * A value of a record, and what the model says of it. What it holds and how it is drawn is found out once: a page asks
 * for it at each level that the value stands in.
 */
export class Item {
  #members: readonly Item[] | undefined;
  #elements: readonly Item[] | undefined;
  #drawn: Drawn | undefined;
  #isInline: boolean | undefined;

  /**
   * @param path without indices, from the root of the body: `metadata.general_parameters.results`
   * @param name the last step of the path
   * @param pointer JSON pointer in the body: the anchor of the value
   */
  constructor(
    readonly context: RecordContext,
    readonly path: string,
    readonly name: string,
    readonly pointer: string,
    readonly field: Field,
    readonly value: Json,
  ) {}

  /** The same place with another value. */
  with(value: Json): Item {
    return new Item(this.context, this.path, this.name, this.pointer, this.field, value);
  }

  /** The members of an object: those that the model knows in its order, then the others. */
  get members(): readonly Item[] {
    this.#members ??= isObject(this.value) ? this.#readMembers(this.value) : [];
    return this.#members;
  }

  /** The elements of a list. */
  get elements(): readonly Item[] {
    const { context, path, name, pointer, field, value } = this;
    const { start } = this;
    this.#elements ??= Array.isArray(value)
      ? value.map((each, i) => new Item(context, path, name, `${pointer}/${start + i}`, field.items ?? field, each))
      : [];
    return this.#elements;
  }

  /** Index of the first shown element of a list. */
  get start(): number {
    const { wholeLength } = this;
    return wholeLength === undefined ? 0 : (this.context.rows?.startOf(this.pointer, wholeLength) ?? 0);
  }

  /** Number of all elements of a list that is shown in part. Undefined if the whole list is shown. */
  get wholeLength(): number | undefined {
    return this.context.listLengths.get(this.pointer);
  }

  get drawn(): Drawn {
    this.#drawn ??= drawn(this);
    return this.#drawn;
  }

  /** Is it a single thing? */
  get isPlain(): boolean {
    const { kind } = this.drawn;
    return kind !== "list" && kind !== "object";
  }

  /** Does it fit into a line of text? */
  get isInline(): boolean {
    this.#isInline ??= isInline(this);
    return this.#isInline;
  }

  #readMembers(value: JsonObject): readonly Item[] {
    const { context, path, pointer, field } = this;
    const known = fieldsOf(field, value);
    const found: Item[] = [];
    const add = (name: string, inner: Field | undefined): void => {
      const held = own(value, name);
      if (held === undefined || held === null) return;
      const at = `${pointer}/${escapePointer(name)}`;
      found.push(new Item(context, `${path}.${name}`, name, at, inner ?? unknownField(name), held));
    };
    for (const [name, inner] of known) add(name, inner);
    for (const name of Object.keys(value)) if (!known.has(name)) add(name, undefined);
    return found;
  }
}

const NO_FIELDS: ReadonlyMap<string, Field> = new Map();

/** What the model knows of the members of an object. */
function fieldsOf({ shape }: Field, value: JsonObject): ReadonlyMap<string, Field> {
  if (shape === undefined) return NO_FIELDS;
  const shapes = shapesFor(shape, value);
  return shapes.length === 1 ? shape.fields : new Map(shapes.flatMap(({ fields }) => [...fields]));
}

/** The length of an unknown name that is shown, in UTF-16 units. */
const UNKNOWN_NAME_LENGTH = 100;

/** A field that the model does not know. */
export function unknownField(name: string): Field {
  const words = beginningOfText(name, UNKNOWN_NAME_LENGTH).replaceAll(/[_-]+/g, " ").trim();
  return { title: words.charAt(0).toUpperCase() + words.slice(1), isRequired: false, types: [], bounds: {} };
}

function drawn({ context, field, pointer, value }: Item): Drawn {
  if (Array.isArray(value)) return { kind: "list" };
  const { notKnown, yes, no } = WORDS.record;
  if (!isObject(value)) {
    const isKnown = field.notKnown === undefined || value !== field.notKnown;
    const text = typeof value === "boolean" ? (value ? yes : no) : String(value);
    return { kind: "scalar", text: isKnown ? text : notKnown, isKnown };
  }
  const id = own(value, "id");
  if (field.term !== undefined && typeof id === "string") {
    const { vocabulary } = field.term;
    return termOf(vocabulary, value, id, context.citedAs.get(pointer));
  }
  if (field.reference !== undefined && typeof id === "string") {
    const key = `${field.reference.to} ${id}`;
    const anchor = context.anchors.get(key);
    const elsewhere = anchor === undefined ? context.elsewhere(key) : undefined;
    return { kind: "reference", text: labelOf(value) ?? id, anchor, elsewhere };
  }
  if (isPerson(value)) return { kind: "person", person: value };
  const text = quantityText(value);
  if (text !== undefined && Object.keys(value).every((name) => QUANTITY.has(name))) return { kind: "quantity", text };
  return { kind: "object" };
}

/** Returns a cited term. A merged term stays as it was cited, with the term that replaces it. */
function termOf(vocabulary: string, value: JsonObject, id: string, citedAs: JsonObject | undefined): Drawn {
  const title = labelOf(value) ?? id;
  const formerId = citedAs && own(citedAs, "id");
  if (citedAs !== undefined && typeof formerId === "string" && formerId !== id) {
    const former = { id: formerId, title: labelOf(citedAs) ?? formerId, more: propsOf(citedAs) };
    return { kind: "term", vocabulary, ...former, now: { id, title } };
  }
  const term = { kind: "term", vocabulary, id, title, more: propsOf(value) } as const;
  return citedAs === undefined ? term : { ...term, citedAs: labelOf(citedAs) ?? id };
}

/** What was copied from a term beside its title. */
function propsOf(term: JsonObject): string {
  const texts = Object.entries(term)
    .filter(([name]) => name !== "id" && name !== "title" && !name.startsWith("@"))
    .flatMap(([, value]) => [value].flat() as Json[])
    .flatMap((value) => labelOf(value) ?? []);
  return texts.join(", ");
}

function isInline(item: Item): boolean {
  const { kind } = item.drawn;
  if (kind === "list") return item.elements.every((each) => each.isInline);
  if (kind !== "object") return true;
  return item.members.length <= COMPACT_MEMBERS_MAX && item.members.every((each) => each.isPlain);
}

/** Members that make up a number with its unit. */
export const QUANTITY: ReadonlySet<string> = new Set(["value", "unit", "value_error"]);

/** The number that an object holds, as deposited, with its error and unit. */
export function quantityText(value: JsonObject): string | undefined {
  const number = own(value, "value");
  const unit = own(value, "unit");
  if (typeof number !== "number" || typeof unit !== "string") return undefined;
  const text = writeResult({ value: number, unit, error: errorOf(own(value, "value_error")) });
  return text && withPowers(text);
}

/** Pictures of the terms that some values cite, and what these are called. */
export function structuresAmong(items: readonly Item[]): readonly Picture[] {
  return items.flatMap(({ drawn, context }) => {
    if (drawn.kind !== "term") return [];
    const at = context.structures.get(compoundKey(drawn));
    return at === undefined ? [] : [{ at, title: drawn.title }];
  });
}

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
export function tableOf({ elements, path, context }: Item): Table | undefined {
  const present = new Map(elements.flatMap(({ members }) => members.map((each) => [each.name, each])));
  const declared = context.tables.get(path);
  if (declared === undefined) {
    const isShort = elements.every(({ members }) => members.every(({ isInline }) => isInline));
    if (elements.length < 2 || !isShort || present.size > TABLE_COLUMNS_MAX) return undefined;
  }
  const names = declared ?? [...present.keys()].filter((name) => name !== "id");
  const shown = names.filter((name) => present.has(name));
  const isQuantity = shown.includes("value") && present.has("unit");
  const columns = shown.filter((name) => !(isQuantity && name !== "value" && QUANTITY.has(name)));
  const rows = elements.map((item): Row => {
    const members = new Map(item.members.map((each) => [each.name, each]));
    const more = item.members.filter(
      ({ name }) => !columns.includes(name) && name !== "id" && !(isQuantity && QUANTITY.has(name)),
    );
    const id = members.get("id")?.value;
    const cells = columns.map((column) => members.get(column));
    return { item, id: typeof id === "string" ? id : undefined, cells, more };
  });
  return {
    columns: columns.map((name) => {
      const { title, help } = present.get(name)!.field;
      return { name, title, help };
    }),
    rows,
    hasMore: rows.some(({ more }) => more.length > 0),
  };
}
