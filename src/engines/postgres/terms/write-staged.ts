import { OPERATOR } from "../../../core/actor.js";
import { changedFields } from "../../../core/catalog/merge-term.js";
import type { Vocabulary } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import { storedObject } from "../../../core/json.js";
import type { TermContent } from "../../../core/term.js";
import { contentHash, termRow } from "../../../core/terms/term-row.js";
import type { LoadOptions, LoadSummary } from "../../../ports/loads.js";
import { stagedOver } from "../../term-loads/stage-lines.js";
import { noteAudit } from "../accounts/audit-log.js";
import { removeTimeLimits } from "../connection/long-statements.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { touchLedBefore, writeLoadedHistory } from "./follow-terms.js";
import type { LoadIndexing } from "./load-indexing.js";
import type { Loading } from "./loading-claim.js";
import { missingTarget } from "./refuse-targets.js";
import { BATCH_ITEMS, NEW_REDIRECTS } from "./stage-items.js";
import { termLocksOf } from "./term-locks.js";
import { readBefore, type TermBefore, type WrittenTerm, writeTerms } from "./written-terms.js";

/** After so many written items all processes plan their statements anew. */
const ANALYZED_MIN = 1_000;

/** Of what was staged: what became of it by the time it was written. */
type Written = Pick<LoadSummary, "new" | "changed" | "unchanged">;

/**
 * Writes what was staged into the open transaction. Single writes to the vocabulary wait from here on; what was written
 * since an item was compared stays in the fields that its line does not name.
 */
export async function writeStaged(
  tx: OpenTransaction,
  vocabulary: Vocabulary,
  { load, claim }: Loading,
  { source, auditEntry, refuse, onIndexed }: LoadOptions,
  indexing: LoadIndexing,
): Promise<Written> {
  const { sql, now } = tx;
  const locks = termLocksOf(tx.locks);
  await removeTimeLimits(sql);
  await locks.toRead(vocabulary.name);
  await claim(sql);
  const missing = refuse === undefined ? undefined : await missingTarget(sql, load, vocabulary);
  if (missing !== undefined) {
    const reason = `the term "${missing}", which the import refers to, was removed meanwhile; import again`;
    throw fail("STORE_UNAVAILABLE", { reason });
  }
  await touchLedBefore(tx, vocabulary.name, load);
  const writing: Writing = { sql, now, vocabulary, load, source };
  const written = await writeItems(writing, onIndexed);
  await writeRedirects(sql, load, vocabulary.name);
  await sql.run(SOURCES, [load, vocabulary.name]);
  if (written.counts.new + written.counts.changed > ANALYZED_MIN) await sql.run("ANALYZE term, term_name");
  const { counts, number } = written;
  const loaded = { load, vocabulary: vocabulary.name, items: counts.new + counts.changed };
  const show = number === undefined ? undefined : await indexing.prepare(tx, { ...loaded, number });
  // All is there but the commit, for which deposits wait.
  await locks.toWrite(vocabulary.name);
  await writeLoadedHistory(tx, vocabulary.name, load);
  if (number !== undefined) {
    await show?.();
    tx.note({ kind: "term", action: "imported", place: vocabulary.name, id: String(number) });
    if (auditEntry !== undefined) await noteAudit(tx, OPERATOR, auditEntry);
  }
  return counts;
}

interface Writing {
  readonly sql: Sql;
  readonly now: number;
  readonly vocabulary: Vocabulary;
  readonly load: string;
  readonly source: string | undefined;
}

interface StagedRow {
  readonly n: number;
  readonly ext: string;
  readonly before: string | null;
  readonly hash: string;
  readonly content: string;
  readonly patch: string | null;
  readonly changes: string | null;
  readonly sources: number;
  readonly moved: number;
}

const STAGED = `SELECT n, ext, before, hash, content, patch, changes, sources, moved FROM term_stage
  WHERE load = $1 AND fresh > 0 AND n > $2 ORDER BY n LIMIT ${BATCH_ITEMS}`;

const ADD_LOAD = "INSERT INTO term_load(vocabulary, source, time) VALUES($1, $2, $3) RETURNING id";

/** @returns the number of the import; absent where it changes no item */
async function writeItems(
  writing: Writing,
  onIndexed: LoadOptions["onIndexed"],
): Promise<{ readonly counts: Written; readonly number: number | undefined }> {
  const { sql, now, vocabulary, load, source } = writing;
  const all = "SELECT count(*) AS n FROM term_stage WHERE load = $1 AND fresh > 0";
  const total = (await sql.row<{ readonly n: number }>(all, [load]))!.n;
  const counts = { new: 0, changed: 0, unchanged: 0 };
  let number: number | undefined;
  let done = 0;
  for (let last = 0; ; ) {
    const rows = await sql.rows<StagedRow>(STAGED, [load, last]);
    if (rows.length === 0) return { counts, number };
    last = rows.at(-1)!.n;
    const before = await readBefore(
      sql,
      vocabulary.name,
      rows.map(({ ext }) => ext),
    );
    const made = rows.flatMap((row) => writtenOf(writing, row, before.get(row.ext)!) ?? []);
    if (made.length > 0) {
      number ??= (await sql.row<{ readonly id: number }>(ADD_LOAD, [vocabulary.name, source ?? null, now]))!.id;
      await writeTerms(sql, vocabulary, made);
      await noteItems(sql, vocabulary.name, number, made);
    }
    await noteParents(writing, rows, made, before);
    for (const { isNew } of made) counts[isNew ? "new" : "changed"] += 1;
    counts.unchanged += rows.length - made.length;
    done += rows.length;
    onIndexed?.(done, total);
  }
}

const OTHERWISE = "UPDATE term_stage SET moved = 1 - moved WHERE load = $1 AND n = ANY($2::bigint[])";

/** What was staged says from here on which items have another parent than before, whatever became of them meanwhile. */
async function noteParents(
  { sql, load }: Writing,
  rows: readonly StagedRow[],
  made: readonly WrittenItem[],
  before: ReadonlyMap<string, TermBefore>,
): Promise<void> {
  const moved = new Set(
    made.flatMap(({ n, row }) => ((before.get(row.ext)!.item?.parent ?? null) === row.parent ? [] : [n])),
  );
  const otherwise = rows.filter((row) => moved.has(row.n) !== (row.moved === 1)).map(({ n }) => n);
  if (otherwise.length > 0) await sql.run(OTHERWISE, [load, otherwise]);
}

interface WrittenItem extends WrittenTerm {
  readonly n: number;
  /** JSON of the fields that changed. */
  readonly changes: string | null;
}

/** What is written of a staged row; undefined where the item is as it says by now. */
function writtenOf(
  { vocabulary, now }: Writing,
  staged: StagedRow,
  { item, goneAt }: TermBefore,
): WrittenItem | undefined {
  const said = {
    content: storedObject<TermContent>(staged.content, "The staged term", staged.n),
    patch: staged.patch,
    sources: staged.sources,
  };
  const isAsCompared = (item?.hash ?? null) === staged.before;
  const there = isAsCompared ? undefined : item?.content();
  const content = isAsCompared ? said.content : stagedOver(vocabulary, said, there);
  const hash = isAsCompared ? Buffer.from(staged.hash, "hex") : contentHash(content);
  if (item?.hash === hash.toString("hex")) return undefined;
  const age = { revision: (item?.revision ?? goneAt) + 1, created: item?.created ?? now, updated: now };
  const isNew = item === undefined;
  const changes = there === undefined ? staged.changes : JSON.stringify(changedFields(there, content));
  return {
    ...{ n: staged.n, content, isNew, sources: staged.sources },
    row: termRow(content, vocabulary, age, hash),
    changes: isNew ? null : changes,
  };
}

const ENTRIES = `WITH entry AS (
    INSERT INTO change_term(import, n, id, action, revision)
    SELECT $2, e.* FROM unnest($3::bigint[], $4::text[], $5::text[], $6::bigint[]) e)
  INSERT INTO term_history(vocabulary, ext, revision, action, load, changes)
  SELECT $1, h.ext, h.revision, 'loaded', $2, h.changes
  FROM unnest($4::text[], $6::bigint[], $7::text[]) h(ext, revision, changes) WHERE h.changes IS NOT NULL`;

async function noteItems(sql: Sql, vocabulary: string, number: number, items: readonly WrittenItem[]): Promise<void> {
  await sql.run(ENTRIES, [
    ...[vocabulary, number, items.map(({ n }) => n), items.map(({ row }) => row.ext)],
    items.map(({ isNew }) => (isNew ? "created" : "updated")),
    items.map(({ row }) => row.revision),
    items.map(({ changes }) => changes),
  ]);
}

const REDIRECTS = `INSERT INTO redirect(vocabulary, ext, successor) SELECT $2, s.ext, s.successor ${NEW_REDIRECTS}
  ON CONFLICT (vocabulary, ext) DO UPDATE SET successor = excluded.successor`;

async function writeRedirects(sql: Sql, load: string, vocabulary: string): Promise<void> {
  if ((await sql.run(REDIRECTS, [load, vocabulary])) === 0) return;
  await sql.run(
    `INSERT INTO vocabulary AS v (name, version) VALUES($1, 1)
     ON CONFLICT (name) DO UPDATE SET version = v.version + 1`,
    [vocabulary],
  );
}

/** Nobody sees them: what was read of the items stays right. */
const SOURCES = `UPDATE term t SET sources = s.sources FROM term_stage s
  WHERE s.load = $1 AND s.fresh = -1 AND t.vocabulary = $2 AND t.ext = s.ext AND t.sources <> s.sources`;
