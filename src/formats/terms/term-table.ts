/**
 * The terms of a vocabulary as a table that can be imported again: a column for each field of a term. Titles in other
 * languages than the vocabulary declares have no column; an import leaves them as they are.
 */
import type { Prop, Vocabulary } from "../../core/catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { nearestNames } from "../../core/nearest.js";
import { LANGUAGE_TAG, type Synonym, TERM_SERVER_KEYS } from "../../core/term.js";
import type { TermBody } from "../../core/terms/term-version.js";
import { explainRaggedRow, textOfCell } from "../csv.js";
import { type FileDocument, parseJsonText } from "../documents.js";
import type { CsvRow } from "../split-csv.js";

/** Content of a cell; undefined if it is empty. */
type TermCell = string | number | undefined;

/** A column of such a table, and its cell of a term. */
interface TermColumn {
  readonly name: string;
  cellOf(term: TermBody): TermCell;
}

/** Separator of the values of a list in one cell. */
const LIST_SEPARATOR = ";";

/** Column of vocabularies to which depositors add terms. */
const CONFIRMED = "confirmed";

/** Beginning of a cell with a list as JSON, for values that the separator would not tell apart. */
const JSON_LIST = "[";

/** Returns all columns of the terms of a vocabulary. The title in its first language is called `title` only. */
export function termColumns({ languages, hierarchy, extensible, props }: Vocabulary): readonly TermColumn[] {
  const column = (name: string, cellOf: TermColumn["cellOf"]): TermColumn => ({ name, cellOf });
  const titles = languages.map((tag, i) =>
    column(i === 0 ? "title" : `title.${tag}`, ({ title }) => textOrUndefined(own(title, tag))),
  );
  return [
    column("id", ({ id }) => id),
    ...titles,
    column("status", ({ status }) => status),
    column("replaced_by", ({ replaced_by }) => replaced_by),
    ...(extensible ? [column(CONFIRMED, ({ confirmed }) => (confirmed === false ? "false" : undefined))] : []),
    ...(hierarchy ? [column("parent", ({ parent }) => parent?.id)] : []),
    column("synonyms", ({ synonyms = [] }) => listCell(synonyms.map(shortSynonym))),
    ...props.flatMap(propColumns),
  ];
}

/** Returns the names of the columns of a prop: one, or one for each property of an object. */
const columnsOfProp = ({ name, properties = [] }: Prop): readonly string[] =>
  properties.length === 0 ? [name] : properties.map((property) => `${name}.${property.name}`);

function propColumns(prop: Prop): readonly TermColumn[] {
  const { name, properties = [] } = prop;
  const propOf = ({ props = {} }: TermBody): Json | undefined => own(props, name);
  if (properties.length === 0) return [{ name, cellOf: (term) => tableCell(propOf(term)) }];
  return columnsOfProp(prop).map((column, i) => ({
    name: column,
    cellOf: (term) => {
      const value = propOf(term);
      return isObject(value) ? tableCell(own(value, properties[i]!.name)) : undefined;
    },
  }));
}

function tableCell(value: Json | undefined): TermCell {
  if (Array.isArray(value)) return listCell(value);
  if (typeof value === "boolean") return String(value);
  return typeof value === "number" ? value : textOrUndefined(value);
}

const textOrUndefined = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Writes a synonym as short as an import reads it. */
const shortSynonym = ({ name, kind, lang }: Synonym): Json =>
  kind === "synonym" && lang === undefined ? name : { name, kind, ...(lang === undefined ? {} : { lang }) };

function listCell(values: readonly Json[]): string | undefined {
  if (values.length === 0) return undefined;
  const isPlain = values.every((value) => typeof value === "string" && isPlainValue(value));
  return isPlain && !String(values[0]).startsWith(JSON_LIST)
    ? values.join(`${LIST_SEPARATOR} `)
    : JSON.stringify(values);
}

/** Returns whether a text between two separators is read as the same text. */
const isPlainValue = (text: string): boolean => text !== "" && text === text.trim() && !text.includes(LIST_SEPARATOR);

/** A field of an item that a column has, and how its values are read. */
interface Field {
  /** Names of members, from the outside in. */
  readonly path: readonly string[];
  /** Reads a text that is not empty. @throws Error that says what is wrong with it */
  read(text: string): Json;
}

/** A column of a file; without a field, one that the service itself writes, which is not read. */
interface Column {
  readonly name: string;
  readonly field?: Field;
}

/**
 * Reads the terms of a table with a header: the columns that `termColumns` writes, or some of them in any order. An
 * empty cell is null: the term has no such value. A wrong row affects no other; a wrong header ends the file.
 */
export async function* readTermTable(
  vocabulary: Vocabulary,
  rows: AsyncIterable<CsvRow>,
): AsyncGenerator<FileDocument> {
  let columns: readonly Column[] | undefined;
  for await (const row of rows) {
    if ("reason" in row) {
      return yield row;
    } else if (columns === undefined) {
      const read = readHeader(vocabulary, row.cells.map(textOfCell));
      if (typeof read === "string") return yield { line: row.line, reason: read, isEnd: true };
      columns = read;
    } else yield readRow(columns, row.line, row.cells);
  }
  if (columns === undefined) yield { line: 1, reason: `${NO_HEADER}, but the file is empty`, isEnd: true };
}

const NO_HEADER = 'a CSV file begins with a header, such as "id,title,synonyms"';

/** Reads a header. @returns the columns, or what is wrong with them */
function readHeader(vocabulary: Vocabulary, names: readonly string[]): readonly Column[] | string {
  const fields = fieldsByColumn(vocabulary);
  const taken = new Map<string, string>();
  const columns: Column[] = [];
  for (const [at, name] of names.entries()) {
    const place = `column ${at + 1}`;
    if (name === "") return `${place} has no name`;
    const field = fields.get(name) ?? titleField(name);
    if (field === undefined) {
      if (!TERM_SERVER_KEYS.includes(name)) return unknownColumn(vocabulary, place, name, names);
      columns.push({ name });
      continue;
    }
    const path = field.path.join(".");
    const other = taken.get(path);
    if (other !== undefined) return `${place} "${name}" is the same field as column "${other}"`;
    taken.set(path, name);
    columns.push({ name, field });
  }
  if (!taken.has("id")) return `${NO_HEADER}; a column "id" is missing`;
  return missingProperty(vocabulary, taken) ?? columns;
}

function unknownColumn(vocabulary: Vocabulary, place: string, name: string, names: readonly string[]): string {
  const separator = [";", "\t"].find((sign) => names.length === 1 && name.includes(sign));
  if (separator !== undefined) {
    return `the columns are parted by ${separator === "\t" ? "tabs" : `"${separator}"`}; write commas between them`;
  }
  const columnNames = termColumns(vocabulary).map((column) => column.name);
  const [best] = nearestNames(name, columnNames, 1);
  const hint = best === undefined ? `; columns are ${columnNames.join(", ")}` : `; did you mean "${best}"?`;
  return `${place} "${name}" is unknown${hint}`;
}

/**
 * Returns what is wrong if only some properties of an object have columns. An object is one field: one property alone
 * would lose the others.
 */
function missingProperty({ props }: Vocabulary, taken: ReadonlyMap<string, string>): string | undefined {
  for (const { name, properties = [] } of props) {
    const [there, missing] = [true, false].map((isThere) =>
      properties.find((property) => taken.has(`props.${name}.${property.name}`) === isThere),
    );
    if (there === undefined || missing === undefined) continue;
    const column = taken.get(`props.${name}.${there.name}`);
    return `column "${column}" needs a column "${name}.${missing.name}" beside it: together they are one field`;
  }
  return undefined;
}

/** Returns fields by the names that their columns may have. */
function fieldsByColumn(vocabulary: Vocabulary): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const { name } of termColumns({ ...vocabulary, props: [] })) {
    const path = name === "title" ? ["title", vocabulary.languages[0]!] : name.split(".");
    fields.set(name, { path, read: READERS_BY_NAME[name] ?? readText });
  }
  for (const prop of vocabulary.props) {
    for (const [name, field] of fieldsOfProp(prop)) fields.set(name, field).set(`props.${name}`, field);
  }
  return fields;
}

/**
 * Returns the fields of a prop by the names of their columns. Those of a quantity have other names in tables with
 * `fields`: `molecular_weight` and `molecular_weight_unit`.
 */
function fieldsOfProp(prop: Prop): readonly (readonly [name: string, field: Field])[] {
  const { name, type, properties = [] } = prop;
  if (properties.length === 0) return [[name, { path: ["props", name], read: READERS[type] ?? readText }]];
  return columnsOfProp(prop).flatMap((column, i) => {
    const property = properties[i]!;
    const field = { path: ["props", name, property.name], read: property.type === "number" ? readNumber : readText };
    const alias = property.name === "value" ? name : property.name === "unit" ? `${name}_unit` : undefined;
    return [[column, field] as const, ...(alias === undefined ? [] : [[alias, field] as const])];
  });
}

/** Returns the field of the title in any language. */
function titleField(name: string): Field | undefined {
  const [title, tag = "", ...more] = name.split(".");
  const isTitle = title === "title" && more.length === 0 && LANGUAGE_TAG.test(tag);
  return isTitle ? { path: ["title", tag], read: readText } : undefined;
}

const readText = (text: string): Json => text;

function readNumber(text: string): Json {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw new Error(`"${text}" is not a number`);
  return number;
}

function readBoolean(text: string): Json {
  const flag = { true: true, false: false }[text.trim().toLowerCase()];
  if (flag === undefined) throw new Error(`"${text}" must be true or false`);
  return flag;
}

function readList(text: string): Json {
  if (!text.trimStart().startsWith(JSON_LIST)) {
    const values = text.split(LIST_SEPARATOR).map((value) => value.trim());
    return values.filter((value) => value !== "");
  }
  try {
    return parseJsonText(text) as Json;
  } catch (error) {
    throw new Error(`a list that begins with "${JSON_LIST}" is read as JSON, but ${(error as Error).message}`);
  }
}

const READERS: Partial<Record<Prop["type"], Field["read"]>> = {
  number: readNumber,
  boolean: readBoolean,
  list: readList,
};

const READERS_BY_NAME: Partial<Record<string, Field["read"]>> = { synonyms: readList, [CONFIRMED]: readBoolean };

function readRow(columns: readonly Column[], line: number, cells: readonly string[]): FileDocument {
  const names = columns.map(({ name }) => name);
  const ragged = explainRaggedRow(cells, names);
  if (ragged !== undefined) return { line, reason: ragged };
  const reasons: string[] = [];
  const item: Record<string, Json> = {};
  for (const [at, { name, field }] of columns.entries()) {
    if (field === undefined) continue;
    try {
      const text = textOfCell(cells[at]!);
      put(item, field.path, text === "" ? null : field.read(text));
    } catch (error) {
      reasons.push(`column ${at + 1} "${name}": ${(error as Error).message}`);
    }
  }
  return reasons.length > 0 ? { line, reason: reasons.join("; ") } : { line, value: withoutEmptyProps(item) };
}

function put(item: Record<string, Json>, path: readonly string[], value: Json): void {
  const [name, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) {
    item[name] = value;
    return;
  }
  const inner = (item[name] ?? {}) as Record<string, Json>;
  put(inner, rest, value);
  item[name] = inner;
}

/** Replaces each object without any value by null. */
function withoutEmptyProps(item: Readonly<Record<string, Json>>): JsonObject {
  const { props } = item;
  if (!isObject(props)) return item;
  const isEmpty = (value: Json): boolean => isObject(value) && Object.values(value).every((inner) => inner === null);
  const filled = Object.entries(props).map(([name, value]) => [name, isEmpty(value) ? null : value] as const);
  return { ...item, props: Object.fromEntries(filled) };
}
