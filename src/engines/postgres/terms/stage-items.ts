import type { FieldChange } from "../../../core/catalog/merge-term.js";
import type { Vocabulary } from "../../../core/catalog/types.js";
import { storedList, storedObject } from "../../../core/json.js";
import type { TermContent } from "../../../core/term.js";
import { titleGivers } from "../../../core/terms/edited-fields.js";
import type { LoadOptions, LoadSummary, TermLine } from "../../../ports/loads.js";
import { makeComparison } from "../../term-loads/compare-items.js";
import { LoadedSource, type SourceBits } from "../../term-loads/loaded-source.js";
import { idOfLine, isAsStored, LineStager } from "../../term-loads/stage-lines.js";
import { withoutTimeLimits } from "../connection/long-statements.js";
import type { Pool, Sql } from "../connection/sql.js";
import { type KnownHistory, readHistory } from "./history-table.js";
import { resolveIds } from "./known-terms.js";
import type { Loading } from "./loading-claim.js";
import { refuseTargets } from "./refuse-targets.js";
import { StageTable } from "./stage-table.js";
import { readBefore, type TermBefore } from "./written-terms.js";

/** Items that are compared, and rows that are read, in one go. */
export const BATCH_ITEMS = 1_000;

export interface StagedLoad {
  readonly summary: LoadSummary;
  /** Does it change nothing, not even the sources of an item? */
  readonly isEmpty: boolean;
}

/**
 * Collects in the stage what is loaded, compared with what is there. Of an id that comes twice the last one counts.
 * Nothing is locked: what others write meanwhile is compared again where it is written.
 */
export async function stageItems(
  pool: Pool,
  vocabulary: Vocabulary,
  items: AsyncIterable<TermContent | TermLine>,
  options: LoadOptions,
  { load, check, checkIn, bits }: Loading & { readonly bits: SourceBits },
): Promise<StagedLoad> {
  const staging = openStaging(pool, vocabulary, options, load, bits);
  let batch: (TermContent | TermLine)[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH_ITEMS) continue;
    await stageBatch(staging, batch);
    batch = [];
    check();
  }
  await stageBatch(staging, batch);
  await pool.run("ANALYZE term_stage, term_seen");
  return await withoutTimeLimits(pool, async (sql) => {
    await sql.run(DOUBLED, [load]);
    await stageMissing(staging, sql);
    if (options.refuse !== undefined) await refuseTargets(sql, load, vocabulary, options.refuse);
    const summary = await summarise(staging, sql);
    const isEmpty = summary.redirects === 0 && (await sql.row(TO_WRITE, [load])) === undefined;
    await checkIn(sql);
    return { summary, isEmpty };
  });
}

interface Staging {
  readonly pool: Pool;
  readonly load: string;
  readonly vocabulary: Vocabulary;
  readonly options: LoadOptions;
  readonly source: LoadedSource;
  readonly lines: LineStager;
  readonly table: StageTable;
  /** History of the items of the batch, by id. Empty unless a sync or an authority is loaded. */
  history: ReadonlyMap<string, KnownHistory>;
}

function openStaging(
  pool: Pool,
  vocabulary: Vocabulary,
  options: LoadOptions,
  load: string,
  bits: SourceBits,
): Staging {
  const source = new LoadedSource(vocabulary, options, bits, {
    edited: (id) => staging.history.get(id)?.edited,
    deprecatedBy: (id) => staging.history.get(id)?.statusFrom,
    titleGivers: (id) => titleGivers(staging.history.get(id)?.changes ?? [], options.authority?.names ?? []),
  });
  const table = new StageTable(load);
  const lines = new LineStager(vocabulary, options, source, table);
  const staging: Staging = { pool, load, vocabulary, options, source, lines, table, history: new Map() };
  return staging;
}

async function stageBatch(staging: Staging, batch: readonly (TermContent | TermLine)[]): Promise<void> {
  const { pool, vocabulary, source, lines, table } = staging;
  const ids = batch.map(idOfLine);
  const before = await readBefore(pool, vocabulary.name, ids);
  const there = [...before.values()].filter(({ item }) => item !== undefined).map(({ id }) => id);
  const historyIds = source.isSync ? there : renamable(staging, batch, before);
  staging.history = await readHistory(pool, vocabulary.name, historyIds);
  const others = lines.refusesOtherIds ? await otherTerms(staging, before) : undefined;
  for (const [i, item] of batch.entries()) lines.add(item, before.get(ids[i]!)?.item, others?.get(ids[i]!));
  if (source.isSync) for (const id of there) table.see(id);
  await table.flush(pool);
}

/** Returns the terms of the batch whose title may change, because an authority is loaded. */
function renamable(
  { options }: Staging,
  batch: readonly (TermContent | TermLine)[],
  before: ReadonlyMap<string, TermBefore>,
): readonly string[] {
  if (options.authority === undefined) return [];
  return batch.filter((item) => !isAsStored(item, before.get(idOfLine(item))?.item)).map(idOfLine);
}

/** Returns the terms that unknown ids of the batch redirect to. */
async function otherTerms(
  { pool, vocabulary }: Staging,
  before: ReadonlyMap<string, TermBefore>,
): Promise<ReadonlyMap<string, string>> {
  const { name } = vocabulary;
  const ids = [...before.values()].filter(({ item }) => item === undefined).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const vocabularies = new Map([[name, vocabulary]]);
  const resolved = await resolveIds(
    pool,
    { vocabularies },
    ids.map((id) => ({ vocabulary: name, id })),
  );
  const others = resolved.flatMap((each, i) => (each?.kind === "found" ? [[ids[i]!, each.row.ext] as const] : []));
  return new Map(others);
}

const TO_WRITE = "SELECT n FROM term_stage WHERE load = $1 AND fresh <> 0 LIMIT 1";

/** Rows that another one of the same id comes after. */
const DOUBLED = `DELETE FROM term_stage a WHERE a.load = $1 AND a.fresh >= 0 AND EXISTS (
  SELECT 1 FROM term_stage b WHERE b.load = $1 AND b.ext = a.ext AND b.fresh >= 0 AND b.n > a.n)`;

const MISSING = `SELECT t.ext FROM term t WHERE t.vocabulary = $1 AND (t.sources & $2::bigint) <> 0 AND t.ext > $4
    AND NOT EXISTS (SELECT 1 FROM term_seen s WHERE s.load = $3 AND s.ext = t.ext)
  ORDER BY t.ext LIMIT ${BATCH_ITEMS}`;

/** What the source no longer has is deprecated. */
async function stageMissing(staging: Staging, sql: Sql): Promise<void> {
  const { load, vocabulary, source, lines, table } = staging;
  if (!source.withdraws()) return;
  for (let last = ""; ; ) {
    const rows = await sql.rows<{ readonly ext: string }>(MISSING, [vocabulary.name, source.bit, load, last]);
    const ids = rows.map(({ ext }) => ext);
    if (ids.length === 0) break;
    last = ids.at(-1)!;
    const before = await readBefore(sql, vocabulary.name, ids);
    staging.history = await readHistory(sql, vocabulary.name, ids);
    for (const { id, item } of before.values()) if (item !== undefined) lines.withdraw(id, item);
    await table.flush(sql);
  }
}

const COUNTS = "SELECT fresh, count(*) AS n FROM term_stage WHERE load = $1 AND fresh >= 0 GROUP BY fresh";
const CHANGED = `SELECT n, ext, changes, CASE WHEN fresh = 1 THEN content END AS content FROM term_stage
  WHERE load = $1 AND fresh >= $2 AND n > $3 ORDER BY n LIMIT ${BATCH_ITEMS}`;

interface ChangedRow {
  readonly n: number;
  readonly ext: string;
  readonly changes: string | null;
  readonly content: string | null;
}

async function summarise({ load, vocabulary, options, source, lines }: Staging, sql: Sql): Promise<LoadSummary> {
  const counts = [0, 0, 0];
  const rows = await sql.rows<{ readonly fresh: number; readonly n: number }>(COUNTS, [load]);
  for (const { fresh, n } of rows) counts[fresh] = n;
  const comparison = makeComparison();
  // Of many new items nothing has to be read, unless somebody wants to hear of each.
  const least = options.report === undefined ? 2 : 1;
  for (let last = 0; ; ) {
    const changed = await sql.rows<ChangedRow>(CHANGED, [load, least, last]);
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

/** Redirects that the load brings: of ids that are no items of it, and that lead elsewhere now. */
export const NEW_REDIRECTS = `FROM term_stage_redirect s WHERE s.load = $1
  AND NOT EXISTS (SELECT 1 FROM term_stage i WHERE i.load = $1 AND i.ext = s.ext AND i.fresh >= 0)
  AND NOT EXISTS (SELECT 1 FROM redirect r
    WHERE r.vocabulary = $2 AND r.ext = s.ext AND r.successor IS NOT DISTINCT FROM s.successor)`;

async function countRedirects(sql: Sql, load: string, vocabulary: string): Promise<number> {
  const row = await sql.row<{ readonly n: number }>(`SELECT count(*) AS n ${NEW_REDIRECTS}`, [load, vocabulary]);
  return row!.n;
}
