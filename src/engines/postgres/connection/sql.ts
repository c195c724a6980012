import { escapeLiteral } from "pg";

/** Runs SQL: on one connection, or on a pool that uses any of its connections for each statement. */
export interface Sql {
  /** Returns the rows. @param text from code, never from data: it is prepared once per connection */
  rows<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Returns the first row. */
  row<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<Row | undefined>;
  /** Runs a statement. @returns the number of written rows */
  run(text: string, values?: readonly SqlValue[]): Promise<number>;
}

/** Arrays become PostgreSQL arrays. */
export type SqlValue = string | number | boolean | null | Uint8Array | readonly (string | number | null)[];

/**
 * One connection, which belongs to its user until it is released. Statements run in the order in which they were sent.
 */
export interface Connection extends Sql {
  /** Runs several statements in one message, which contain values as `literal` writes them. */
  script(text: string): Promise<void>;
  /** Returns the connection to the pool. @param isBroken closes it, so that it is not used again */
  release(isBroken?: boolean): void;
}

/** Connections to one database. */
export interface Pool extends Sql {
  /**
   * Name of the connections of this pool in `pg_stat_activity`: host, process, and a random suffix. If it is undefined,
   * they are not listed.
   */
  readonly name?: string;
  connect(): Promise<Connection>;
  /** Returns the number of callers that wait for a connection. */
  waiting(): number;
  close(): Promise<void>;
}

/** Answer of a driver. */
interface Answer {
  readonly rows: readonly Record<string, unknown>[];
  /** Number of written rows. */
  readonly written: number;
}

/** Makes an SQL runner of a function that sends one statement. Texts are converted to storable ones and back. */
export function makeSql(send: (text: string, values: unknown[]) => Promise<Answer>): Sql {
  const sendStatement = (text: string, values: readonly SqlValue[] = []): Promise<Answer> =>
    send(text, values.map(toStored));
  const rows = async <Row extends object>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]> =>
    (await sendStatement(text, values)).rows.map(fromStored) as Row[];
  return {
    rows,
    row: async <Row extends object>(text: string, values?: readonly SqlValue[]): Promise<Row | undefined> =>
      (await rows<Row>(text, values))[0],
    run: async (text, values) => (await sendStatement(text, values)).written,
  };
}

function toStored(value: SqlValue | string | number | null): unknown {
  if (typeof value === "string") return toStorable(value);
  return Array.isArray(value) ? value.map(toStored) : value;
}

function fromStored(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const converted: Record<string, unknown> = {};
  for (const name in row) {
    const value = row[name];
    converted[name] = typeof value === "string" ? restoreText(value) : value;
  }
  return converted;
}

/**
 * PostgreSQL cannot store U+0000 in a text, and UTF-8 cannot encode lone surrogates, but clients may send both. They
 * are stored after an escape character, which is itself escaped.
 */

/** A private-use character that hardly any text contains. */
const ESCAPE = "\ue000";

const ESCAPED = new RegExp(`${ESCAPE}([0-9a-f]{4})`, "g");

/** Characters to escape. A pair of surrogates is one character and does not match. */
const UNSTORABLE = /[\0\ue000]|\p{Surrogate}/gu;

/** Converts a text to one that PostgreSQL can store. */
export function toStorable(text: string): string {
  if (text.isWellFormed() && !text.includes("\0") && !text.includes(ESCAPE)) return text;
  return text.replace(UNSTORABLE, (unit) => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** Converts a stored text back. */
function restoreText(text: string): string {
  return text.includes(ESCAPE)
    ? text.replace(ESCAPED, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}

/** Returns a value as an SQL literal, for a statement that is sent without parameters. */
export function literal(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : escapeLiteral(toStorable(value));
}

/** Returns rows as an SQL list for `VALUES`. */
export function literalRows(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `(${row.map(literal).join(", ")})`).join(", ");
}
