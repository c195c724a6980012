import type { QueryPart } from "../../core/answers/query-text.js";

/** Comparison between a field and the value of a row. */
export type Comparison = "is" | "prefix" | "within" | "<" | "<=" | ">" | ">=" | "between" | "exists";

/** Row of the query builder that compares a field with a value. */
export interface FieldRow {
  readonly field: string;
  readonly comparison: Comparison;
  readonly value: string;
  /** Unit of the number. Empty if it has none. */
  readonly unit: string;
  /** Second value of `between`. */
  readonly to: string;
  /** First unit that the form offered for this row. Absent if the row was read from a query. */
  readonly offered?: string;
}

/** Row for a part of a query that is not a comparison of a field. */
interface TextRow {
  readonly text: string;
}

/** Rows that the same element of a list must match. */
export interface GroupRow {
  /** Name of the list in queries. */
  readonly list: string;
  readonly rows: readonly FieldRow[];
}

/** A row of the query builder: a comparison, a group of comparisons, or text. */
export type QueryRow = FieldRow | TextRow | GroupRow;
/** How the rows are combined: all, any or none of them must match. */
export type RowJoin = "all" | "any" | "none";

/** Query as the builder shows it. */
export interface BuiltQuery {
  readonly join: RowJoin;
  readonly rows: readonly QueryRow[];
}

/** Writes the rows as a query. Rows without a value are ignored. */
export function writeQuery({ join, rows }: BuiltQuery): string {
  const clauses = rows.flatMap((row) => {
    const text = writeRow(row);
    return text === "" ? [] : [text];
  });
  if (join === "none") return clauses.map((clause) => `-${parenthesize(clause)}`).join(" ");
  if (join === "any") return clauses.map((clause) => (clauses.length > 1 ? parenthesize(clause) : clause)).join(" OR ");
  return clauses.map((clause) => (clauses.length > 1 && isLoose(clause) ? `(${clause})` : clause)).join(" ");
}

/** Returns whether a text has the operator OR outside of parentheses. */
const isLoose = (text: string): boolean => /(^|\s)(OR|\|\|)(\s|$)/.test(text) && !/^\([^()]*\)$/.test(text);

const parenthesize = (clause: string): string =>
  /\s/.test(clause) && !/^[\w.]*:?(\([^()]*\)|\[[^\]]*\]|"[^"]*")$/.test(clause) ? `(${clause})` : clause;

function writeRow(row: QueryRow): string {
  if ("text" in row) return row.text.trim();
  if ("list" in row) {
    const inner = row.rows.map(writeField).filter((text) => text !== "");
    return inner.length === 0 ? "" : `${row.list}:(${inner.join(" AND ")})`;
  }
  return writeField(row);
}

function writeField({ field, comparison, value, to, unit }: FieldRow): string {
  const [first, second] = [value.trim(), to.trim()];
  if (comparison === "exists") return `${field}:*`;
  if (first === "" && second === "") return "";
  switch (comparison) {
    case "between":
      return `${field}:[${first === "" ? "*" : first + unit} TO ${second === "" ? "*" : second + unit}]`;
    case "within":
      return `${field}.within:${quoteIfNeeded(first)}`;
    case "prefix":
      return `${field}:${first.replaceAll(/[\s"()[\]{}\\]+/g, "")}*`;
    case "is":
      return `${field}:${quoteIfNeeded(first + unit)}`;
    default:
      return `${field}:${comparison}${first}${unit}`;
  }
}

/** Quotes a text unless it is an id or a single word. */
const quoteIfNeeded = (text: string): string =>
  /^[\p{L}\p{N}][\p{L}\p{N}.:/+%°^_-]*$/u.test(text) && !/^(AND|OR|NOT)$/.test(text)
    ? text
    : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

/** Converts the parts of a query to rows. A query with different operators becomes one row of text. */
export function readQueryRows(q: string, parts: readonly QueryPart[]): BuiltQuery {
  if (q.trim() === "") return { join: "all", rows: [] };
  const operands = parts.filter(({ kind }) => kind !== "operator" && kind !== "dropped");
  const operators = parts.flatMap(({ operator }) => (operator === undefined || operator === "+" ? [] : [operator]));
  const isOnly = (operator: "AND" | "OR" | "NOT"): boolean => operators.every((each) => each === operator);
  const rows = operands.map(makeQueryRow);
  if (isOnly("AND")) return { join: "all", rows };
  if (isOnly("OR") && operators.length === operands.length - 1) return { join: "any", rows };
  if (isOnly("NOT") && operators.length === operands.length) return { join: "none", rows };
  return { join: "all", rows: [{ text: q }] };
}

function makeQueryRow(part: QueryPart): QueryRow {
  if (part.kind === "group" && part.element !== undefined && part.field !== undefined) {
    const inner = part.parts ?? [];
    const rows = inner.filter(({ kind }) => kind !== "operator").map(makeQueryRow);
    const isPlain = inner.every(({ operator }) => operator === undefined || operator === "AND");
    const fields = rows.filter((row): row is FieldRow => "field" in row);
    return isPlain && fields.length === rows.length ? { list: part.field, rows: fields } : { text: part.text };
  }
  return fieldRowOf(part) ?? { text: part.text };
}

function fieldRowOf({ field, kind, match, value, bounds = [] }: QueryPart): FieldRow | undefined {
  if (field === undefined) return undefined;
  const row = { field: field.replace(/\.within$/, ""), value: value ?? "", to: "", unit: "" };
  if (kind === "quantity" || kind === "range") return rangeRow(row, bounds);
  if (match === "exists") return { ...row, comparison: "exists" };
  if (match === "prefix") return { ...row, comparison: "prefix" };
  if (match === "within") return { ...row, comparison: "within" };
  return match === "words" || match === "phrase" || match === "id" ? { ...row, comparison: "is" } : undefined;
}

function rangeRow(row: Omit<FieldRow, "comparison">, bounds: NonNullable<QueryPart["bounds"]>): FieldRow | undefined {
  const [first, second] = bounds;
  if (first === undefined) return undefined;
  const { op, value, unit = "" } = first;
  if (second === undefined) return { ...row, comparison: op === "=" ? "is" : op, value, unit };
  const secondUnit = second.unit ?? "";
  const isClosed = op === ">=" && second.op === "<=";
  if (!isClosed || (unit !== "" && secondUnit !== "" && unit !== secondUnit)) return undefined;
  return { ...row, comparison: "between", value, to: second.value, unit: unit || secondUnit };
}
