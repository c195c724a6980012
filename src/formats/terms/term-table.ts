/**
 * The terms of a vocabulary as a table that can be imported again: a column for each field of a term. Titles in other
 * languages than the vocabulary declares have no column; an import leaves them as they are.
 */
import type { Prop, Vocabulary } from "../../core/catalog/types.js";
import { isObject, type Json, own } from "../../core/json.js";
import type { Synonym } from "../../core/term.js";
import type { TermBody } from "../../core/terms/term-version.js";

/** Content of a cell; undefined if it is empty. */
type TermCell = string | number | undefined;

/** A column of such a table, and its cell of a term. */
interface TermColumn {
  readonly name: string;
  cellOf(term: TermBody): TermCell;
}

/** Separator of the values of a list in one cell. */
export const LIST_SEPARATOR = ";";

/** Column of vocabularies to which depositors add terms. */
export const CONFIRMED = "confirmed";

/** Beginning of a cell with a list as JSON, for values that the separator would not tell apart. */
export const JSON_LIST = "[";

/** Returns all columns of the terms of a vocabulary. The title in its first language is called `title` only. */
export function termColumns({ languages, hierarchy, extensible, props }: Vocabulary): readonly TermColumn[] {
  const column = (name: string, cellOf: TermColumn["cellOf"]): TermColumn => ({ name, cellOf });
  const titles = languages.map((tag, i) =>
    column(i === 0 ? "title" : `title.${tag}`, ({ title }) => textOf(own(title, tag))),
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
export const columnsOfProp = ({ name, properties = [] }: Prop): readonly string[] =>
  properties.length === 0 ? [name] : properties.map((property) => `${name}.${property.name}`);

function propColumns(prop: Prop): readonly TermColumn[] {
  const { name, properties = [] } = prop;
  const propOf = ({ props = {} }: TermBody): Json | undefined => own(props, name);
  if (properties.length === 0) return [{ name, cellOf: (term) => cellOf(propOf(term)) }];
  return columnsOfProp(prop).map((column, i) => ({
    name: column,
    cellOf: (term) => {
      const value = propOf(term);
      return isObject(value) ? cellOf(own(value, properties[i]!.name)) : undefined;
    },
  }));
}

function cellOf(value: Json | undefined): TermCell {
  if (Array.isArray(value)) return listCell(value);
  if (typeof value === "boolean") return String(value);
  return typeof value === "number" ? value : textOf(value);
}

const textOf = (value: Json | undefined): string | undefined => (typeof value === "string" ? value : undefined);

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
