import { applicableShapes, type Field } from "../../core/catalog/field-tree.js";
import type { Sentence } from "../../core/catalog/sentence.js";
import { isPerson } from "../../core/citable/record-people.js";
import { type DepositedNumber, readNumberError } from "../../core/citable/record-results.js";
import { textAt, valueLabel } from "../../core/citable/values-at.js";
import { escapePointer, isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { beginningOfText } from "../../core/records/beginning.js";
import type { Units } from "../../core/units/units.js";
import { type NumberColumn, numberColumn } from "../notation/columns.js";
import { kindText, propText, type Symbols, termName, type Vocabularies } from "../notation/names.js";
import { type ChosenUnit, type Quantity, readQuantity, unitlessNumberText } from "../notation/quantity.js";
import { joinWithSeparator, type RichText } from "../notation/rich-text.js";
import { WORDS } from "../words/page-en.js";
import { compoundKey, type Picture, type Structures } from "./compounds.js";
import type { RowPages } from "./row-pages.js";
import { type Written, writeSentence } from "./value-text.js";

/** Context for showing the values of a record. */
export interface RecordContext {
  readonly units: Units;
  /** Symbols of the quantities of the model. */
  readonly symbols: Symbols;
  readonly vocabularies: Vocabularies;
  /** Columns of the lists that the model declares as tables, by path. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** Result of `anchorsOf` for the shown values. */
  readonly anchors: ReadonlyMap<string, string>;
  /** Returns the address of a reference's target that another page of the record shows. @param key as in `anchorsOf` */
  elsewhere(key: string): string | undefined;
  /** Addresses of the pictures of cited terms. */
  readonly structures: Structures;
  /** Current terms in place of cited ones that were merged since, by `compoundKey`. */
  readonly successors: ReadonlyMap<string, CurrentTerm>;
  /** Cited terms as published whose title or id has changed since, by pointer. */
  readonly citedAs: ReadonlyMap<string, JsonObject>;
  /** Full lengths of lists that are shown in part, by pointer. */
  readonly listLengths: ReadonlyMap<string, number>;
  /** Pages of these lists. Absent: their first elements are shown. */
  readonly rows?: RowPages | undefined;
  /** Sentences in place of objects, by path. */
  readonly sentences: ReadonlyMap<string, Sentence>;
  /** Words in place of deposited texts, by path and text. */
  readonly words: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Whether numbers are shown as they were deposited. */
  readonly isDeposited: boolean;
  /** Ids of HTML elements that the page has already. */
  readonly anchorIds: Set<string>;
  /** Metadata of the whole record. */
  readonly whole: JsonObject;
  /** Returns the shown part of the record. */
  root(): Item;
}

/** The term into which another one was merged. */
export interface CurrentTerm {
  readonly id: string;
  readonly title: string;
}

/** Returns the id for the HTML element of an item, unless an element before it has the id. */
export function claimAnchor({ pointer, context: { anchorIds } }: Item): string | undefined {
  if (anchorIds.has(pointer)) return undefined;
  anchorIds.add(pointer);
  return pointer;
}

/** View of a value. Its kind decides how a page shows the value. The name of the field does not matter. */
type ValueView =
  | {
      readonly kind: "scalar";
      readonly text: string;
      readonly isKnown: boolean;
      /** The deposited text, if the model declares other words for it. */
      readonly deposited?: string | undefined;
    }
  /** A number without a unit, or the name of a quantity with its symbol. */
  | { readonly kind: "rich"; readonly text: RichText; readonly deposited?: string | undefined }
  /** An object in the words of its model. */
  | { readonly kind: "sentence"; readonly written: Written }
  | {
      readonly kind: "term";
      readonly vocabulary: string;
      readonly id: string;
      readonly title: string;
      readonly name: RichText;
      /** Other properties of the term. */
      readonly more: RichText;
      /** Numbers among these properties. */
      readonly quantities: readonly Quantity[];
      /** Title of the term when the record was published, if the title has changed since. */
      readonly citedAs?: string;
      /** Term into which it was merged after the publication, if any. */
      readonly now?: CurrentTerm;
    }
  | {
      readonly kind: "reference";
      readonly text: string;
      /** Id of the HTML element for the target of the reference, if it is on this page. */
      readonly anchor: string | undefined;
      /** Address of the target, if another page of its list shows it. */
      readonly elsewhere: string | undefined;
    }
  | { readonly kind: "quantity"; readonly quantity: Quantity }
  | { readonly kind: "person"; readonly person: JsonObject }
  | { readonly kind: "list" }
  | { readonly kind: "object" };

/** Maximum number of members of an object on one line. */
const COMPACT_MEMBERS_MAX = 3;

/** A value of a record with its field in the model. Caches its members and its view, which pages read at each level. */
export class Item {
  #members: readonly Item[] | undefined;
  #elements: readonly Item[] | undefined;
  #view: ValueView | undefined;
  #isInline: boolean | undefined;
  #quantity: Quantity | null | undefined;

  /**
   * @param path path from the root of the body without indices: `metadata.general_parameters.results`
   * @param name last step of the path
   * @param pointer JSON pointer in the body. It is also the id of the value's HTML element.
   */
  constructor(
    readonly context: RecordContext,
    readonly path: string,
    readonly name: string,
    readonly pointer: string,
    readonly field: Field,
    readonly value: Json,
    /** Unit of a number that the object around it has for all its numbers. */
    readonly unit?: string,
  ) {}

  /** Returns an item with another value at the same place. */
  with(value: Json): Item {
    return new Item(this.context, this.path, this.name, this.pointer, this.field, value, this.unit);
  }

  /** Members of an object: those of the model in its order, then the others. */
  get members(): readonly Item[] {
    this.#members ??= isObject(this.value) ? this.#readMembers(this.value) : [];
    return this.#members;
  }

  /** Elements of a list. */
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
    return wholeLength === undefined ? 0 : (this.context.rows?.firstShownIndex(this.pointer, wholeLength) ?? 0);
  }

  /** Total number of elements of a list that is shown in part. Undefined if the whole list is shown. */
  get wholeLength(): number | undefined {
    return this.context.listLengths.get(this.pointer);
  }

  get view(): ValueView {
    this.#view ??= makeView(this);
    return this.#view;
  }

  /** The number as the page shows it. Undefined if the value is not a number with a unit. */
  get quantity(): Quantity | undefined {
    if (this.#quantity === undefined) this.#quantity = makeQuantity(this) ?? null;
    return this.#quantity ?? undefined;
  }

  /** Whether the value is neither a list nor an object. */
  get isPlain(): boolean {
    const { kind } = this.view;
    return kind !== "list" && kind !== "object";
  }

  /** Whether the value fits on one line. */
  get isInline(): boolean {
    this.#isInline ??= isInline(this);
    return this.#isInline;
  }

  #readMembers(value: JsonObject): readonly Item[] {
    const { context, path, pointer, field } = this;
    const fields = memberFields(field, value);
    const members: Item[] = [];
    const unit = sharedUnit(value);
    const add = (name: string, inner: Field | undefined): void => {
      const member = own(value, name);
      if (member === undefined || member === null || (unit !== undefined && name === "unit")) return;
      const at = `${pointer}/${escapePointer(name)}`;
      members.push(new Item(context, `${path}.${name}`, name, at, inner ?? unknownField(name), member, unit));
    };
    for (const [name, inner] of fields) add(name, inner);
    for (const name of Object.keys(value)) if (!fields.has(name)) add(name, undefined);
    return members;
  }
}

/** Returns the unit of several numbers in an object, none of which is its value: `{lower: 2, upper: 5, unit: nm}`. */
function sharedUnit(value: JsonObject): string | undefined {
  const unit = own(value, "unit");
  const hasNumbers = Object.values(value).some((each) => typeof each === "number");
  return typeof unit === "string" && hasNumbers && own(value, "value") === undefined ? unit : undefined;
}

const NO_FIELDS: ReadonlyMap<string, Field> = new Map();

/** Returns the fields of the members of an object. */
function memberFields({ shape }: Field, value: JsonObject): ReadonlyMap<string, Field> {
  if (shape === undefined) return NO_FIELDS;
  const shapes = applicableShapes(shape, value);
  return shapes.length === 1 ? shape.fields : new Map(shapes.flatMap(({ fields }) => [...fields]));
}

/** Maximum length of the label of an unknown field, in UTF-16 units. */
const UNKNOWN_NAME_LENGTH = 100;

/** Makes a field for a name that the model does not declare. */
export function unknownField(name: string): Field {
  const words = beginningOfText(name, UNKNOWN_NAME_LENGTH).replaceAll(/[_-]+/g, " ").trim();
  return { title: words.charAt(0).toUpperCase() + words.slice(1), isRequired: false, types: [], bounds: {} };
}

function makeView(item: Item): ValueView {
  const { context, field, pointer, value } = item;
  if (Array.isArray(value)) return { kind: "list" };
  const { yes, no } = WORDS.record;
  if (!isObject(value)) {
    const isKnown = field.notKnown === undefined || value !== field.notKnown;
    if (isKnown && typeof value === "number") {
      const { quantity } = item;
      return quantity === undefined
        ? { kind: "rich", text: unitlessNumberText(value) }
        : { kind: "quantity", quantity };
    }
    const word = context.words.get(item.path)?.get(String(value));
    const deposited = word === undefined ? undefined : String(value);
    if (context.symbols.has(value as string)) {
      return { kind: "rich", text: kindText(value as string, context.symbols, word), deposited };
    }
    const text = word ?? (typeof value === "boolean" ? (value ? yes : no) : String(value));
    return { kind: "scalar", text: isKnown ? text : notKnown, isKnown, deposited };
  }
  const id = own(value, "id");
  if (field.term !== undefined && typeof id === "string") {
    const { vocabulary } = field.term;
    return citedTerm({ vocabulary, value, id }, context, context.citedAs.get(pointer));
  }
  if (field.reference !== undefined && typeof id === "string") {
    const key = `${field.reference.to} ${id}`;
    const anchor = context.anchors.get(key);
    const elsewhere = anchor === undefined ? context.elsewhere(key) : undefined;
    return { kind: "reference", text: valueLabel(value) ?? id, anchor, elsewhere };
  }
  const sentence = context.sentences.get(item.path);
  const written = sentence === undefined ? [] : writeSentence(sentence, item);
  if (written.length > 0) return { kind: "sentence", written };
  if (isPerson(value)) return { kind: "person", person: value };
  const quantity = Object.keys(value).every((name) => QUANTITY.has(name)) ? item.quantity : undefined;
  return quantity === undefined ? { kind: "object" } : { kind: "quantity", quantity };
}

interface CitedTerm {
  readonly vocabulary: string;
  readonly value: JsonObject;
  readonly id: string;
}

/** Returns a cited term. A merged term is shown as it was cited, with the term that replaces it. */
function citedTerm(
  { vocabulary, value, id }: CitedTerm,
  { vocabularies, successors }: Pick<RecordContext, "vocabularies" | "successors">,
  citedAs: JsonObject | undefined,
): ValueView {
  const declared = vocabularies.get(vocabulary);
  const partsOf = (term: JsonObject, termId: string) => {
    const title = valueLabel(term) ?? termId;
    return { id: termId, title, name: termName(declared, title), ...propsOf(term, declared) };
  };
  const formerId = citedAs && own(citedAs, "id");
  const term = partsOf(value, id);
  if (citedAs !== undefined && typeof formerId === "string" && formerId !== id) {
    return { kind: "term", vocabulary, ...partsOf(citedAs, formerId), now: { id, title: term.title } };
  }
  const now = successors.get(compoundKey({ vocabulary, id }));
  return {
    kind: "term",
    vocabulary,
    ...term,
    ...(now === undefined ? {} : { now }),
    ...(citedAs === undefined ? {} : { citedAs: valueLabel(citedAs) ?? id }),
  };
}

/** Returns the properties that a citation copied from a term, without its title. */
function propsOf(term: JsonObject, vocabulary: ReturnType<Vocabularies["get"]>) {
  const props = Object.entries(term)
    .filter(([name]) => name !== "id" && name !== "title" && !name.startsWith("@"))
    .flatMap(([name, value]) => ([value].flat() as Json[]).map((each) => propText(vocabulary, name, each)));
  const texts = props.map(({ text }) => text).filter((text) => text.length > 0);
  return { more: joinWithSeparator(texts, ", "), quantities: props.flatMap(({ quantity }) => quantity ?? []) };
}

function isInline(item: Item): boolean {
  const { kind } = item.view;
  if (kind === "list") return item.elements.every((each) => each.isInline);
  if (kind !== "object") return true;
  return item.members.length <= COMPACT_MEMBERS_MAX && item.members.every((each) => each.isPlain);
}

/** Returns the name of the object around a value: of the molecule around its sequence. */
export function nameOfHolder({ pointer, context: { whole } }: Item): string | undefined {
  const steps = pointer.split("/").slice(2, -1);
  const holder = steps.reduce<Json | undefined>((at, step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return Array.isArray(at) ? at[Number(key)] : isObject(at) ? own(at, key) : undefined;
  }, whole);
  return holder === undefined ? undefined : textAt(holder, "name");
}

/** Names of the members of a quantity. */
export const QUANTITY: ReadonlySet<string> = new Set(["value", "unit", "value_error"]);

interface Deposited extends DepositedNumber {
  readonly value: number;
  readonly unit: string;
}

/** Returns a number as deposited, with its error and unit. Its unit may be that of the object around it. */
export function measuredOf({ value, unit: shared }: Pick<Item, "value" | "unit">): Deposited | undefined {
  if (typeof value === "number" && shared !== undefined) return { value, unit: shared };
  if (!isObject(value)) return undefined;
  const [number, unit] = [own(value, "value"), own(value, "unit")];
  if (typeof number !== "number" || typeof unit !== "string") return undefined;
  return { value: number, unit, error: readNumberError(own(value, "value_error")) };
}

/** Returns the number of an item in the unit of the column around it. Undefined if it is not a number with a unit. */
export const quantityIn = (item: Item, to: ChosenUnit | undefined): Quantity | undefined =>
  to === undefined ? item.quantity : makeQuantity(item, to);

function makeQuantity(item: Item, to?: ChosenUnit): Quantity | undefined {
  const measured = measuredOf(item);
  if (measured === undefined) return undefined;
  const { field, value, context } = item;
  const { notKnown: unknown } = (isObject(value) ? memberFields(field, value).get("value") : field) ?? {};
  if (context.isDeposited) return readQuantity(measured, context.units, "deposited");
  return measured.value === unknown ? NOT_KNOWN : readQuantity(measured, context.units, to);
}

const { notKnown } = WORDS.record;
/** A number that stands for "not known". */
const NOT_KNOWN: Quantity = { whole: "", rest: [notKnown], restWithoutUnit: [notKnown], unit: [], text: notKnown };

/**
 * Returns the number in a cell of a table: the number of the cell itself or, in the column of values, the number of the
 * whole row.
 */
export function numberIn(row: Item, cell: Item | undefined, column: string): Quantity | undefined {
  if (cell === undefined) return undefined;
  if (column === "value") return row.quantity;
  return cell.view.kind === "quantity" ? cell.view.quantity : undefined;
}

/** Returns the pictures of the terms among some values. */
export function picturesOfValues(items: readonly Item[]): readonly Picture[] {
  return items.flatMap(({ view, context }) => {
    if (view.kind !== "term") return [];
    const at = context.structures.get(compoundKey(view));
    return at === undefined ? [] : [{ at, title: view.title }];
  });
}

const TABLE_COLUMNS_MAX = 7;

/** A list of objects as a table. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

interface TableColumn {
  readonly name: string;
  readonly title: string;
  readonly help: string | undefined;
  /** How the numbers stand. Absent: not every cell is a quantity. */
  readonly numbers?: NumberColumn | undefined;
}

/** A row of a table: an object of the list. `more` has the members without a column. */
export interface Row {
  readonly item: Item;
  readonly id: string | undefined;
  readonly cells: readonly (Item | undefined)[];
  readonly more: readonly Item[];
}

/**
 * Returns the table of a list if the model declares it as a table, or if its elements are short and have few members.
 * Otherwise returns undefined.
 */
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
    columns: columns.map((name, i) => {
      const { title, help } = present.get(name)!.field;
      return { name, title, help, numbers: columnAlignment(rows, name, i) };
    }),
    rows,
    hasMore: rows.some(({ more }) => more.length > 0),
  };
}

/** Returns how the numbers of a column stand, if all its cells are quantities. */
function columnAlignment(rows: readonly Row[], name: string, at: number): NumberColumn | undefined {
  const filled = rows.filter(({ cells }) => cells[at] !== undefined);
  const quantities = filled.flatMap(({ item, cells }) => numberIn(item, cells[at], name) ?? []);
  return filled.length > 0 && quantities.length === filled.length ? numberColumn(quantities) : undefined;
}
