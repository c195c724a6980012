import type { FieldChange } from "../../../core/answers/term-answers.js";
import type { Vocabulary } from "../../../core/catalog/types.js";
import { storedList, storedObject } from "../../../core/json.js";
import type { TermContent } from "../../../core/term.js";
import { titleGivers } from "../../../core/terms/edited-fields.js";
import type { LoadOptions, LoadSummary, Redirect, TermLine } from "../../../ports/loads.js";
import { makeLoadComparison } from "../../term-loads/compare-items.js";
import type { ExistingTerm } from "../../term-loads/compiled-terms.js";
import { LoadedSource, type SourceBits } from "../../term-loads/loaded-source.js";
import { idOfLine, isAsStored, LineStager, type Stage, type StagedTerm } from "../../term-loads/stage-lines.js";
import { withoutTimeLimits } from "../connection/long-statements.js";
import type { Pool, Sql, SqlValue } from "../connection/sql.js";
import { readHistory, type TermOrigin } from "./history-table.js";
import { resolveIds } from "./known-terms.js";
import type { RunningLoad } from "./loading-claim.js";
import { refuseTargets } from "./refuse-targets.js";
import { readStates, type TermState } from "./term-writer.js";

/** Number of terms that are compared, and of rows that are read, at once. */
export const BATCH_TERMS = 1_000;

/** The result of staging. */
export interface StagedLoad {
  readonly summary: LoadSummary;
  /** Whether the load changes nothing, not even the sources of a term. */
  readonly isEmpty: boolean;
}

/**
 * Compares the loaded terms with the stored ones, and stages the differences. If an id comes twice, the last one
 * counts. Nothing is locked: terms that others write meanwhile are compared again by `writeStaged`.
 */
export async function stageTerms(
  pool: Pool,
  vocabulary: Vocabulary,
  terms: AsyncIterable<TermContent | TermLine>,
  options: LoadOptions,
  { load, check, checkIn, bits }: RunningLoad & { readonly bits: SourceBits },
): Promise<StagedLoad> {
  const staging = openStaging(pool, vocabulary, options, load, bits);
  let batch: (TermContent | TermLine)[] = [];
  for await (const term of terms) {
    batch.push(term);
    if (batch.length < BATCH_TERMS) continue;
    await stageBatch(staging, batch);
    batch = [];
    check();
  }
  await stageBatch(staging, batch);
  await pool.run("ANALYZE term_stage, term_seen");
  return await withoutTimeLimits(pool, async (sql) => {
    await sql.run(REMOVE_DUPLICATES, [load]);
    await stageMissing(staging, sql);
    if (options.refuse !== undefined) await refuseTargets(sql, load, vocabulary, options.refuse);
    const summary = await summarise(staging, sql);
    const isEmpty = summary.redirects === 0 && (await sql.row(TO_WRITE, [load])) === undefined;
    await checkIn(sql);
    return { summary, isEmpty };
  });
}

/** The state of staging one load. */
interface Staging {
  readonly pool: Pool;
  readonly load: string;
  readonly vocabulary: Vocabulary;
  readonly options: LoadOptions;
  readonly source: LoadedSource;
  readonly lines: LineStager;
  readonly table: StageTable;
  /** Origins of the terms of the batch, by id. Empty unless a sync or an authority is loaded. */
  origins: ReadonlyMap<string, TermOrigin>;
}

function openStaging(
  pool: Pool,
  vocabulary: Vocabulary,
  options: LoadOptions,
  load: string,
  bits: SourceBits,
): Staging {
  const source = new LoadedSource(vocabulary, options, bits, {
    edited: (id) => staging.origins.get(id)?.edited,
    deprecatedBy: (id) => staging.origins.get(id)?.statusFrom,
    titleGivers: (id) => titleGivers(staging.origins.get(id)?.changes ?? [], options.authority?.names ?? []),
  });
  const table = new StageTable(load);
  const lines = new LineStager(vocabulary, options, source, table);
  const staging: Staging = { pool, load, vocabulary, options, source, lines, table, origins: new Map() };
  return staging;
}

/** Compares and stages a batch of terms. */
async function stageBatch(staging: Staging, batch: readonly (TermContent | TermLine)[]): Promise<void> {
  const { pool, vocabulary, source, lines, table } = staging;
  const ids = batch.map(idOfLine);
  const states = await readStates(pool, vocabulary.name, ids);
  const existingIds = [...states.values()].filter(({ term }) => term !== undefined).map(({ id }) => id);
  const originIds = source.isSync ? existingIds : renamableIds(staging, batch, states);
  staging.origins = await readHistory(pool, vocabulary.name, originIds);
  const redirected = lines.refusesOtherIds ? await readRedirected(staging, states) : undefined;
  for (const [i, line] of batch.entries()) lines.add(line, states.get(ids[i]!)?.term, redirected?.get(ids[i]!));
  if (source.isSync) for (const id of existingIds) table.see(id);
  await table.flush(pool);
}

/** Returns the ids of terms of the batch whose title may change, because an authority is loaded. */
function renamableIds(
  { options }: Staging,
  batch: readonly (TermContent | TermLine)[],
  states: ReadonlyMap<string, TermState>,
): readonly string[] {
  if (options.authority === undefined) return [];
  return batch.filter((line) => !isAsStored(line, states.get(idOfLine(line))?.term)).map(idOfLine);
}

/** Returns the terms that unknown ids of the batch redirect to. */
async function readRedirected(
  { pool, vocabulary }: Staging,
  states: ReadonlyMap<string, TermState>,
): Promise<ReadonlyMap<string, string>> {
  const { name } = vocabulary;
  const ids = [...states.values()].filter(({ term }) => term === undefined).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const vocabularies = new Map([[name, vocabulary]]);
  const resolved = await resolveIds(
    pool,
    { vocabularies },
    ids.map((id) => ({ vocabulary: name, id })),
  );
  return new Map(resolved.flatMap((each, i) => (each?.kind === "found" ? [[ids[i]!, each.row.ext] as const] : [])));
}

const TO_WRITE = "SELECT n FROM term_stage WHERE load = $1 AND fresh <> 0 LIMIT 1";

/** Removes rows if a later row has the same id. */
const REMOVE_DUPLICATES = `DELETE FROM term_stage a WHERE a.load = $1 AND a.fresh >= 0 AND EXISTS (
  SELECT 1 FROM term_stage b WHERE b.load = $1 AND b.ext = a.ext AND b.fresh >= 0 AND b.n > a.n)`;

const MISSING = `SELECT t.ext FROM term t WHERE t.vocabulary = $1 AND (t.sources & $2::bigint) <> 0 AND t.ext > $4
    AND NOT EXISTS (SELECT 1 FROM term_seen s WHERE s.load = $3 AND s.ext = t.ext)
  ORDER BY t.ext LIMIT ${BATCH_TERMS}`;

/** Deprecates the terms that the source no longer has. */
async function stageMissing(staging: Staging, sql: Sql): Promise<void> {
  const { load, vocabulary, source, lines, table } = staging;
  if (!source.withdraws()) return;
  for (let last = ""; ; ) {
    const rows = await sql.rows<{ readonly ext: string }>(MISSING, [vocabulary.name, source.bit, load, last]);
    const ids = rows.map(({ ext }) => ext);
    if (ids.length === 0) break;
    last = ids.at(-1)!;
    const states = await readStates(sql, vocabulary.name, ids);
    staging.origins = await readHistory(sql, vocabulary.name, ids);
    for (const { id, term } of states.values()) if (term !== undefined) lines.withdraw(id, term);
    await table.flush(sql);
  }
}

const COUNTS = "SELECT fresh, count(*) AS n FROM term_stage WHERE load = $1 AND fresh >= 0 GROUP BY fresh";
const CHANGED = `SELECT n, ext, changes, CASE WHEN fresh = 1 THEN content END AS content FROM term_stage
  WHERE load = $1 AND fresh >= $2 AND n > $3 ORDER BY n LIMIT ${BATCH_TERMS}`;

interface ChangedRow {
  readonly n: number;
  readonly ext: string;
  readonly changes: string | null;
  readonly content: string | null;
}

/** Counts and reports the changes of the load. */
async function summarise({ load, vocabulary, options, source, lines }: Staging, sql: Sql): Promise<LoadSummary> {
  const counts = [0, 0, 0];
  const rows = await sql.rows<{ readonly fresh: number; readonly n: number }>(COUNTS, [load]);
  for (const { fresh, n } of rows) counts[fresh] = n;
  const comparison = makeLoadComparison();
  // New terms are only read if each is reported.
  const freshMin = options.report === undefined ? 2 : 1;
  for (let last = 0; ; ) {
    const changed = await sql.rows<ChangedRow>(CHANGED, [load, freshMin, last]);
    if (changed.length === 0) break;
    for (const { n, ext: id, changes, content } of changed) {
      last = n;
      if (changes === null) {
        source.report({ kind: "new", id, title: storedObject<TermContent>(content, "The staged term", id).title });
        continue;
      }
      const fields = storedList<FieldChange>(changes, "The staged term", id);
      source.report({ kind: comparison.add({ id, fields }), id, fields });
    }
  }
  const redirects = await countRedirects(sql, load, vocabulary.name);
  const { kept } = source;
  return { unchanged: counts[0]! + lines.unchanged, new: counts[1]!, redirects, kept, ...comparison.result() };
}

/** Selects the new redirects of a load: of ids that are not terms of the load, and that have another target now. */
export const NEW_REDIRECTS = `FROM term_stage_redirect s WHERE s.load = $1
  AND NOT EXISTS (SELECT 1 FROM term_stage i WHERE i.load = $1 AND i.ext = s.ext AND i.fresh >= 0)
  AND NOT EXISTS (SELECT 1 FROM redirect r
    WHERE r.vocabulary = $2 AND r.ext = s.ext AND r.successor IS NOT DISTINCT FROM s.successor)`;

async function countRedirects(sql: Sql, load: string, vocabulary: string): Promise<number> {
  const row = await sql.row<{ readonly n: number }>(`SELECT count(*) AS n ${NEW_REDIRECTS}`, [load, vocabulary]);
  return row!.n;
}

/** A row of `term_stage`, in the order of its columns after `load`. */
type StageRow = readonly [
  n: number,
  line: number | null,
  ext: string,
  fresh: number,
  moved: number,
  parent: string | null,
  successor: string | null,
  before: string | null,
  hash: string | null,
  content: string | null,
  patch: string | null,
  changes: string | null,
  sources: number | null,
];

const INSERT = `INSERT INTO term_stage(load, n, line, ext, fresh, moved, parent, successor, before, hash, content,
    patch, changes, sources)
  SELECT $1, s.* FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::smallint[], $6::smallint[], $7::text[],
    $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bigint[]) s`;

const COLUMNS = 13;

const REDIRECT = `INSERT INTO term_stage_redirect(load, ext, successor)
  SELECT $1, ext, successor FROM unnest($2::text[], $3::text[]) r(ext, successor)
  ON CONFLICT (load, ext) DO UPDATE SET successor = excluded.successor`;

const SEE = "INSERT INTO term_seen(load, ext) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING";

/** The staging tables of a load. Collects rows, and writes them in a few statements. */
class StageTable implements Stage {
  #count = 0;
  readonly #load: string;
  #rows: StageRow[] = [];
  #redirects = new Map<string, string | null>();
  #seen = new Set<string>();

  constructor(load: string) {
    this.#load = load;
  }

  insert({ line, id, old, made, isMoved, successor, patch, changes, sources }: StagedTerm): void {
    const { parent, hash, json } = made;
    const fresh = old === undefined ? 1 : 2;
    const moved = isMoved ? 1 : 0;
    this.#add([line, id, fresh, moved, parent, successor, old?.hash ?? null, hash, json, patch, changes, sources]);
  }

  insertUnchanged(id: string, line: number | null, { hash }: Pick<ExistingTerm, "hash">): void {
    this.#add([line, id, 0, 0, null, null, hash, hash, null, null, null, null]);
  }

  noteSources(id: string, sources: number): void {
    this.#add([null, id, -1, 0, null, null, null, null, null, null, null, sources]);
  }

  redirect({ id, to }: Redirect): void {
    this.#redirects.set(id, to);
  }

  see(id: string): void {
    this.#seen.add(id);
  }

  /** Writes the collected rows. */
  async flush(sql: Sql): Promise<void> {
    const [rows, redirects, seen] = [this.#rows, this.#redirects, this.#seen];
    [this.#rows, this.#redirects, this.#seen] = [[], new Map(), new Set()];
    if (rows.length > 0) await sql.run(INSERT, [this.#load, ...valuesByColumn(rows)]);
    if (redirects.size > 0) await sql.run(REDIRECT, [this.#load, [...redirects.keys()], [...redirects.values()]]);
    if (seen.size > 0) await sql.run(SEE, [this.#load, [...seen]]);
  }

  #add(row: StageRow extends readonly [number, ...infer Rest] ? readonly [...Rest] : never): void {
    this.#count += 1;
    this.#rows.push([this.#count, ...row]);
  }
}

const valuesByColumn = (rows: readonly StageRow[]): SqlValue[] =>
  Array.from({ length: COLUMNS }, (_, column) => rows.map((row) => row[column]!));
