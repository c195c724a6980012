/**
 * Compares the type of each stored value with that of its column, and checks the JSON in columns that hold it. SQLite
 * itself accepts any value in any column, and its own check does not report this.
 */
import { BinderyError, fail } from "../../../core/errors.js";
import { DATABASE_FILE } from "../connection/data-folder.js";
import { type Db, openDatabase } from "../connection/database.js";
import { startDeadline } from "../connection/deadline.js";
import type { FileUnit, VerifyContext } from "./verify-context.js";

/** A value that its column cannot have. */
interface OddValue {
  readonly table: string;
  readonly column: string;
  /** Id of the record or term, else the primary key. */
  readonly id: string;
  readonly expected: string;
  readonly found: string;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  /** Place in the primary key, from 1; 0 outside of it. */
  readonly pk: number;
}

/** Types as `typeof` names them, by declared type of the column. A column without a type accepts any. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  TEXT: ["text"],
  INTEGER: ["integer"],
  REAL: ["real", "integer"],
  BLOB: ["blob"],
};

/** Kind of JSON in each column with JSON. `rest` of a term has the members of an object without the braces. */
const JSON_COLUMNS: Readonly<Record<string, "array" | "object" | "members">> = {
  "rec.cites": "array",
  "token.scopes": "array",
  "webhook.filter": "object",
  "webhook.place": "object",
  "delivery.change": "object",
  "answer.outcome": "object",
  "tombstone.json": "object",
  "term_history.changes": "array",
  "term_N.title": "object",
  "term_N.rest": "members",
};

/** Tables whose rows refer to a row of `rec` by its number. */
const RECORD_TABLES = new Set(["rec", "doc", "rec_text"]);

/** Maximum number of odd values that are listed for one table. */
const ODD_MAX = 100;

/** Reports each odd value, and plans to rebuild values that are derived from records and terms. */
export function checkValueTypes({ db, report }: VerifyContext): void {
  for (const { table, column, id, expected, found } of oddValues(db)) {
    const where = `${table}.${column} of ${id}`;
    report.add({ check: "column.type", where, expected, found }, unitOfValue(db, table, column, id));
  }
}

function unitOfValue(db: Db, table: string, column: string, id: string): FileUnit | undefined {
  if (table === "doc" && column !== "sum") return undefined;
  if (RECORD_TABLES.has(table)) {
    const row = db.sql<number>("SELECT id FROM rec WHERE pid = ?").pluck().get(id);
    return row === undefined ? undefined : ["records", row];
  }
  if (table === "use") return ["tables", "citations"];
  if (table === "taken") return ["tables", "counters"];
  const [, name, g] = /^(\w+)_(\d+)$/.exec(table) ?? [];
  const isContent = name === "term" && ["ext", "parent", "title", "rest"].includes(column);
  if (g === undefined || isContent) return undefined;
  const vocabulary = db.sql<string>("SELECT vocabulary FROM generation WHERE g = ?").pluck().get(Number(g));
  return vocabulary === undefined ? undefined : ["vocabularies", vocabulary];
}

/**
 * Shortest time between two searches for damage, and their time limit, because the thread does nothing else meanwhile.
 */
const SEARCH_INTERVAL_MS = 30_000;
const SEARCH_LIMIT_MS = 2_000;

/**
 * Makes a function that looks for a value that its column cannot have, as the cause of an otherwise unexplained error.
 *
 * @param limitMs time limit of a search: in a very large file, damage in the last tables stays unexplained
 * @returns a function that returns STORE_DAMAGED, with the error as its cause, or undefined if all values are valid
 */
export function makeDamageFinder(
  folder: string,
  limitMs = SEARCH_LIMIT_MS,
): (error: unknown) => BinderyError | undefined {
  let searchedAt = Number.NEGATIVE_INFINITY;
  let odd: OddValue | undefined;
  return (error) => {
    if (error instanceof BinderyError) return undefined;
    if (performance.now() - searchedAt > SEARCH_INTERVAL_MS) {
      odd = firstOddValue(folder, limitMs);
      searchedAt = performance.now();
    }
    if (odd === undefined) return undefined;
    const { table, column, id, expected, found } = odd;
    const reason = `"${column}" of the table "${table}" is ${found}, not ${expected}`;
    if (RECORD_TABLES.has(table)) {
      const part = `The record "${id}" in ${DATABASE_FILE}`;
      return fail("STORE_DAMAGED", { part, reason, record: id }, error);
    }
    return fail("STORE_DAMAGED", { part: `The row "${id}" in ${DATABASE_FILE}`, reason, row: id }, error);
  };
}

function firstOddValue(folder: string, limitMs: number): OddValue | undefined {
  try {
    const db = openDatabase(folder, "reader");
    try {
      const deadline = startDeadline(limitMs, () => "the search for damaged values");
      db.raw.function("check_time", { deterministic: false }, () => {
        deadline.check();
        return 0;
      });
      return db.read(() => {
        // Returning from the loop ends the statement: a connection with an open statement cannot be closed.
        for (const first of oddValues(db, "check_time()")) return first;
        return undefined;
      });
    } finally {
      db.close();
    }
  } catch {
    // The search failed or took too long: the error to explain is reported unchanged.
    return undefined;
  }
}

/**
 * Yields the odd values of all tables. @param perRow SQL that is evaluated for each row without an odd value, and is
 * false
 */
function* oddValues(db: Db, perRow = "0"): Generator<OddValue> {
  const tables = db.raw.prepare<[], string>(TABLES).pluck().all();
  for (const table of tables) {
    const columns = db.raw.prepare<[string], Column>("SELECT * FROM pragma_table_info(?)").all(table);
    yield* oddValuesInTable(db, { table, columns, perRow });
  }
}

const TABLES = `SELECT name FROM pragma_table_list
  WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`;

interface TableToCheck {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly perRow: string;
}

function* oddValuesInTable(db: Db, { table, columns, perRow }: TableToCheck): Generator<OddValue> {
  const kind = table.replace(/_\d+$/, "_N");
  const typed = columns.filter(({ type }) => TYPES[type] !== undefined);
  const tests = typed.map((column) => `WHEN ${oddValueTest(kind, column)} THEN '${column.name}'`);
  if (tests.length === 0) return;
  const odd = `CASE ${tests.join(" ")} END`;
  const sql = `SELECT odd, id FROM (SELECT ${idExpression(kind, columns)} AS id, ${odd} AS odd FROM "${table}")
    WHERE odd IS NOT NULL OR ${perRow} LIMIT ${ODD_MAX}`;
  for (const [column, id] of db.raw.prepare<[], [string, unknown]>(sql).raw().iterate()) {
    const { type } = typed.find(({ name }) => name === column)!;
    const json = JSON_COLUMNS[`${kind}.${column}`];
    const expected =
      json === undefined ? TYPE_NOUNS[type]! : `the JSON ${json === "members" ? "members of a term" : json}`;
    yield { table, column, id: String(id), expected, found: "another value" };
  }
}

const TYPE_NOUNS: Readonly<Record<string, string>> = {
  TEXT: "a text",
  INTEGER: "a whole number",
  REAL: "a number",
  BLOB: "packed bytes",
};

/** Largest number of a date, and the largest exact integer in JavaScript. */
const INTEGER_MAX = Number.MAX_SAFE_INTEGER;

function oddValueTest(kind: string, { name, type, notnull, pk }: Column): string {
  const value = `"${name}"`;
  const types = [...TYPES[type]!, ...(notnull === 0 && pk === 0 ? ["null"] : [])].map((each) => `'${each}'`);
  const tests = [`typeof(${value}) NOT IN (${types.join(", ")})`];
  if (type === "INTEGER") tests.push(`abs(${value}) > ${INTEGER_MAX}`);
  const json = JSON_COLUMNS[`${kind}.${name}`];
  // The order matters, because CASE takes the first match: a text that is not JSON has no type.
  if (json !== undefined) {
    const text = json === "members" ? `'{' || ${value} || '}'` : value;
    const shape = json === "array" ? "array" : "object";
    tests.push(`CASE WHEN json_valid(${text}) THEN json_type(${text}) <> '${shape}' ELSE 1 END`);
  }
  return tests.map((test) => `(${test})`).join(" OR ");
}

function idExpression(kind: string, columns: readonly Column[]): string {
  if (kind === "rec") return "pid";
  if (RECORD_TABLES.has(kind)) return `coalesce((SELECT pid FROM rec WHERE rec.id = "${kind}".id), "${kind}".id)`;
  if (kind === "term_N") return "ext";
  const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return keys.length === 0 ? "rowid" : keys.map(({ name }) => `"${name}"`).join(" || '/' || ");
}
