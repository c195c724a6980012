import type { Statement } from "better-sqlite3";
import type { Cache } from "../../../../core/caches.js";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { storedDamaged } from "../../../../core/json.js";
import { termSignature } from "../../../../query/index-model/term-document.js";
import type { Db } from "../../connection/database.js";
import { mapError } from "../../connection/map-error.js";
import { isRunning, PROCESS_NAME } from "../../connection/process-name.js";
import { generationTables } from "../../connection/vocabulary-tables.js";

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

/** One set of tables of a vocabulary with the statements on them. */
export interface Generation extends GenerationRow {
  /** Returns a prepared statement; `$g` in its text stands for the number of the generation. */
  sql<Row = unknown>(text: string): Statement<unknown[], Row>;
}

const COLUMNS = "g, vocabulary, ranked, active, next, count, writes, nested, signature";

/** Returns the current generation as the open transaction sees it; undefined if the vocabulary never had a term. */
export function currentGeneration(db: Db, vocabulary: string): Generation | undefined {
  return db.untilCommit(`current generation of ${vocabulary}`, () => {
    const row = db
      .sql<GenerationRow>(`SELECT ${COLUMNS} FROM generation WHERE vocabulary = ? AND state = 'current'`)
      .get(vocabulary);
    return row && withStatements(db, row);
  });
}

/** Returns any generation by its number. */
export function generationByNumber(db: Db, g: number): Generation | undefined {
  const row = db.sql<GenerationRow>(`SELECT ${COLUMNS} FROM generation WHERE g = ?`).get(g);
  return row === undefined ? undefined : withStatements(db, row);
}

/** Returns a text that changes with each write to a vocabulary, as the version of data read from terms. */
export function termsVersion(db: Db): string {
  const sql = "SELECT group_concat(g || ' ' || writes) FROM generation WHERE state = 'current'";
  return db.untilCommit("version of terms", () => db.sql<string | null>(sql).pluck().get() ?? "");
}

/** The statements of a generation are kept with the connection: building their texts costs as much as a look-up. */
function withStatements(db: Db, row: GenerationRow): Generation {
  return { ...row, sql: db.once(`statements of generation ${row.g}`, () => makeStatements(db, row.g)) };
}

function makeStatements(db: Db, g: number): Generation["sql"] {
  const statements = new Map<string, Statement<unknown[], unknown>>();
  return <Row>(text: string): Statement<unknown[], Row> => {
    const statement = statements.get(text) ?? db.sql(text.replaceAll("$g", String(g)));
    statements.set(text, statement);
    return statement as Statement<unknown[], Row>;
  };
}

/** Returns the error for a damaged column or posting list that was saved with a generation. */
export function savedDamaged({ vocabulary }: Generation, name: string): Error {
  return storedDamaged("The index of the vocabulary", vocabulary, `"${name}" cannot be unpacked`);
}

/** Runs reads on one snapshot of the file: in the open transaction, or in one of its own. */
export function readOnSnapshot<T>(db: Db, work: () => T): T {
  try {
    return db.read(work);
  } catch (error) {
    throw mapError(error);
  }
}

/** A generation with the cache of data read from its tables. */
export interface CachedGeneration {
  readonly generation: Generation;
  readonly cache: Cache;
}

/**
 * Returns a value cached for one generation, made by `make` if it is missing. @returns the value. `make` returns it
 * with its bytes
 */
export function cachedForGeneration<T extends NonNullable<unknown>>(
  { generation, cache }: CachedGeneration,
  name: string,
  make: () => readonly [value: T, bytes: number],
): T {
  const key = `${generation.g} ${name}`;
  const cached = cache.get<T>(key);
  if (cached !== undefined) return cached;
  const [value, bytes] = make();
  cache.set(key, value, bytes);
  return value;
}

/** Returns a cached value like `cachedForGeneration`, for data that single writes change. */
export function cachedUntilWrite<T extends NonNullable<unknown>>(
  context: CachedGeneration,
  name: string,
  make: () => readonly [value: T, bytes: number],
): T {
  const cached = findCachedUntilWrite<T>(context, name);
  if (cached !== undefined) return cached;
  const [value, bytes] = make();
  cacheUntilWrite(context, name, value, bytes);
  return value;
}

/** Returns the value that `cacheUntilWrite` cached; undefined if the vocabulary was written since. */
export function findCachedUntilWrite<T>({ generation, cache }: CachedGeneration, name: string): T | undefined {
  const cached = cache.get<{ readonly writes: number; readonly value: T }>(`${generation.g} ${name}`);
  return cached?.writes === generation.writes ? cached.value : undefined;
}

/** Caches a value until the next write to the vocabulary. */
export function cacheUntilWrite(
  { generation, cache }: CachedGeneration,
  name: string,
  value: NonNullable<unknown>,
  bytes: number,
): void {
  cache.set(`${generation.g} ${name}`, { writes: generation.writes, value }, bytes);
}

/** Time without a sign of life after which a builder counts as dead, and the longer time if its process still runs. */
const LIFE_SIGN_MAX_MS = 30_000;
const HANGING_MAX_MS = 600_000;

/** Returns the current generation of the vocabulary. Makes an empty one if there is none, in the open transaction. */
export function ensureGeneration(db: Db, vocabulary: Vocabulary): Generation {
  const current = currentGeneration(db, vocabulary.name);
  if (current !== undefined) return current;
  const g = addGeneration(db, vocabulary, "current");
  db.raw.exec(generationTables(g));
  return generationByNumber(db, g)!;
}

/**
 * Adds the row of a generation without tables, in the open transaction.
 * @returns its number
 */
export function addGeneration(
  db: Db,
  vocabulary: Vocabulary,
  state: "building" | "current",
  owner = PROCESS_NAME,
): number {
  const { lastInsertRowid } = db
    .sql(
      `INSERT INTO generation(vocabulary, state, ranked, active, next, count, writes, nested, signature, owner, touched)
       VALUES(?, ?, 0, 0, 1, 0, 0, 1, ?, ?, ?)`,
    )
    .run(vocabulary.name, state, termSignature(vocabulary), owner, heartbeatTime());
  return Number(lastInsertRowid);
}

/** Returns the time of the machine's clock in microseconds, which several processes compare. */
export function heartbeatTime(): number {
  return Date.now() * 1000;
}

/**
 * Returns whether the builder of a generation is dead.
 * @param touched microseconds of its last sign of life
 */
export function isAbandoned(owner: string, touched: number): boolean {
  const silentMs = (heartbeatTime() - touched) / 1000;
  const runs = isRunning(owner);
  if (runs === undefined) return silentMs > LIFE_SIGN_MAX_MS;
  // Sorting millions of terms is one call, during which no sign of life can be written.
  return !runs || silentMs > HANGING_MAX_MS;
}
