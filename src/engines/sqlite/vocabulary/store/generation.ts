import type { Statement } from "better-sqlite3";
import { storedDamaged } from "../../../../core/json.js";
import type { Db } from "../../connection/database.js";
import { mapError } from "../../connection/map-error.js";

/** A row of `generation`. */
export interface GenerationRow {
  readonly g: number;
  readonly vocabulary: string;
  readonly ranked: number;
  readonly active: number;
  readonly next: number;
  readonly count: number;
  readonly writes: number;
  readonly nested: number;
  readonly signature: string;
}

/** One set of tables of a vocabulary, and the statements on them. */
export interface Generation extends GenerationRow {
  /** A prepared statement; `$g` in its text stands for the number of the generation. */
  sql<Row = unknown>(text: string): Statement<unknown[], Row>;
}

const COLUMNS = "g, vocabulary, ranked, active, next, count, writes, nested, signature";

/** The current generation, as the open transaction sees it; undefined where the vocabulary never had an item. */
export function currentGeneration(db: Db, vocabulary: string): Generation | undefined {
  return db.untilCommit(`current generation of ${vocabulary}`, () => {
    const row = db
      .sql<GenerationRow>(`SELECT ${COLUMNS} FROM generation WHERE vocabulary = ? AND state = 'current'`)
      .get(vocabulary);
    return row && withStatements(db, row);
  });
}

/** Any generation, by its number. */
export function generationByNumber(db: Db, g: number): Generation | undefined {
  const row = db.sql<GenerationRow>(`SELECT ${COLUMNS} FROM generation WHERE g = ?`).get(g);
  return row === undefined ? undefined : withStatements(db, row);
}

/** A text that is another one after each write to a vocabulary: what was read of terms goes by it. */
export function termsVersion(db: Db): string {
  const sql = "SELECT group_concat(g || ' ' || writes) FROM generation WHERE state = 'current'";
  return db.untilCommit("version of terms", () => db.sql<string | null>(sql).pluck().get() ?? "");
}

/** The statements of a generation stay with the connection: making their texts again costs as much as a look-up. */
function withStatements(db: Db, row: GenerationRow): Generation {
  return { ...row, sql: db.once(`statements of generation ${row.g}`, () => statementsOf(db, row.g)) };
}

function statementsOf(db: Db, g: number): Generation["sql"] {
  const known = new Map<string, Statement<unknown[], unknown>>();
  return <Row>(text: string): Statement<unknown[], Row> => {
    const statement = known.get(text) ?? db.sql(text.replaceAll("$g", String(g)));
    known.set(text, statement);
    return statement as Statement<unknown[], Row>;
  };
}

/** Returns the error of a column or set that is saved with a generation and cannot be what was saved. */
export function savedDamaged({ vocabulary }: Generation, name: string): Error {
  return storedDamaged("The index of the vocabulary", vocabulary, `"${name}" cannot be unpacked`);
}

/** Runs reads on one state of the file: in the transaction that is open, or in one of its own. */
export function inRead<T>(db: Db, work: () => T): T {
  try {
    return db.read(work);
  } catch (error) {
    throw mapError(error);
  }
}
