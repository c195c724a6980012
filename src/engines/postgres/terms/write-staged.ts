import { OPERATOR } from "../../../core/actor.js";
import { changedFields } from "../../../core/catalog/patch-term.js";
import type { Vocabulary } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import { storedObject } from "../../../core/json.js";
import type { TermContent } from "../../../core/term.js";
import { contentHash, termRow } from "../../../core/terms/term-row.js";
import type { LoadOptions, LoadSummary } from "../../../ports/loads.js";
import { stagedOver } from "../../term-loads/stage-lines.js";
import { noteAudit } from "../accounts/write-log.js";
import { removeTimeLimits } from "../connection/long-statements.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { touchOldSuccessors, writeLoadedHistory } from "./follow-terms.js";
import type { RunningLoad } from "./loading-claim.js";
import { findMissingTarget } from "./refuse-targets.js";
import { BATCH_TERMS, NEW_REDIRECTS } from "./stage-terms.js";
import { makeTermLocks } from "./term-reader.js";
import { readStates, type TermState, type TermToWrite, writeTerms } from "./term-writer.js";

/** After this many written terms, the planner gets new statistics. */
const ANALYZED_MIN = 1_000;

/** Numbers of staged terms by the effect of writing them. */
type WriteCounts = Pick<LoadSummary, "new" | "changed" | "unchanged">;

/**
 * Writes the staged terms in the open transaction. Single writes to the vocabulary wait until its end. If a term was
 * written since it was compared, fields that its line does not name keep the newer values.
 */
export async function writeStaged(
  tx: OpenTransaction,
  vocabulary: Vocabulary,
  { load, claim }: RunningLoad,
  { source, auditEntry, refuse, onIndexed }: LoadOptions,
  indexing: LoadIndexing,
): Promise<WriteCounts> {
  const { sql, now } = tx;
  const locks = makeTermLocks(tx.locks);
  await removeTimeLimits(sql);
  await locks.toRead(vocabulary.name);
  await claim(sql);
  const missing = refuse === undefined ? undefined : await findMissingTarget(sql, load, vocabulary);
  if (missing !== undefined) {
    const reason = `the term "${missing}", which the import refers to, was removed meanwhile; import again`;
    throw fail("STORE_UNAVAILABLE", { reason });
  }
  await touchOldSuccessors(tx, vocabulary.name, load);
  const writing: Writing = { sql, now, vocabulary, load, source };
  const { counts, number } = await writeStagedTerms(writing, onIndexed);
  await writeRedirects(sql, load, vocabulary.name);
  await sql.run(UPDATE_SOURCES, [load, vocabulary.name]);
  if (counts.new + counts.changed > ANALYZED_MIN) await sql.run("ANALYZE term, term_name");
  const writtenLoad = { load, vocabulary: vocabulary.name, terms: counts.new + counts.changed };
  const show = number === undefined ? undefined : await indexing.prepare(tx, { ...writtenLoad, number });
  // Deposits wait from here until the commit.
  await locks.toWrite(vocabulary.name);
  await writeLoadedHistory(tx, vocabulary.name, load);
  if (number !== undefined) {
    await show?.();
    tx.note({ kind: "term", action: "imported", place: vocabulary.name, id: String(number) });
    if (auditEntry !== undefined) await noteAudit(tx, OPERATOR, auditEntry);
  }
  return counts;
}

/** The load that is written, and its transaction. */
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
  WHERE load = $1 AND fresh > 0 AND n > $2 ORDER BY n LIMIT ${BATCH_TERMS}`;

const ADD_LOAD = "INSERT INTO term_load(vocabulary, source, time) VALUES($1, $2, $3) RETURNING id";

/** Writes the staged terms in batches. @returns counts, and the number of the import; undefined if no term changes */
async function writeStagedTerms(
  writing: Writing,
  onIndexed: LoadOptions["onIndexed"],
): Promise<{ readonly counts: WriteCounts; readonly number: number | undefined }> {
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
    const states = await readStates(
      sql,
      vocabulary.name,
      rows.map(({ ext }) => ext),
    );
    const changedTerms = rows.flatMap((row) => makeWrittenTerm(writing, row, states.get(row.ext)!) ?? []);
    if (changedTerms.length > 0) {
      number ??= (await sql.row<{ readonly id: number }>(ADD_LOAD, [vocabulary.name, source ?? null, now]))!.id;
      await writeTerms(sql, vocabulary, changedTerms);
      await noteChanges(sql, vocabulary.name, number, changedTerms);
    }
    await correctMoved(writing, rows, changedTerms, states);
    for (const { isNew } of changedTerms) counts[isNew ? "new" : "changed"] += 1;
    counts.unchanged += rows.length - changedTerms.length;
    done += rows.length;
    onIndexed?.(done, total);
  }
}

const TOGGLE_MOVED = "UPDATE term_stage SET moved = 1 - moved WHERE load = $1 AND n = ANY($2::bigint[])";

/** Corrects the column `moved` of staged rows if the stored term got another parent since it was compared. */
async function correctMoved(
  { sql, load }: Writing,
  rows: readonly StagedRow[],
  changedTerms: readonly LoadedTerm[],
  states: ReadonlyMap<string, TermState>,
): Promise<void> {
  const moved = new Set(
    changedTerms.flatMap(({ n, row }) => ((states.get(row.ext)!.term?.parent ?? null) === row.parent ? [] : [n])),
  );
  const wrong = rows.filter((row) => moved.has(row.n) !== (row.moved === 1)).map(({ n }) => n);
  if (wrong.length > 0) await sql.run(TOGGLE_MOVED, [load, wrong]);
}

/** A term that the load writes. */
interface LoadedTerm extends TermToWrite {
  readonly n: number;
  /** JSON of the fields that changed. */
  readonly changes: string | null;
}

/** Returns the term to write for a staged row; undefined if the stored term has the same content already. */
function makeWrittenTerm(
  { vocabulary, now }: Writing,
  staged: StagedRow,
  { term, deletedRevision }: TermState,
): LoadedTerm | undefined {
  const stagedContent = {
    content: storedObject<TermContent>(staged.content, "The staged term", staged.n),
    patch: staged.patch,
    sources: staged.sources,
  };
  const isAsCompared = (term?.hash ?? null) === staged.before;
  const newerContent = isAsCompared ? undefined : term?.content();
  const content = isAsCompared ? stagedContent.content : stagedOver(vocabulary, stagedContent, newerContent);
  const hash = isAsCompared ? Buffer.from(staged.hash, "hex") : contentHash(content);
  if (term?.hash === hash.toString("hex")) return undefined;
  const times = { revision: (term?.revision ?? deletedRevision) + 1, created: term?.created ?? now, updated: now };
  const isNew = term === undefined;
  const changes = newerContent === undefined ? staged.changes : JSON.stringify(changedFields(newerContent, content));
  return {
    n: staged.n,
    content,
    isNew,
    sources: staged.sources,
    row: termRow(content, vocabulary, times, hash),
    changes: isNew ? null : changes,
  };
}

const ENTRIES = `WITH entry AS (
    INSERT INTO change_term(import, n, id, action, revision)
    SELECT $2, e.* FROM unnest($3::bigint[], $4::text[], $5::text[], $6::bigint[]) e)
  INSERT INTO term_history(vocabulary, ext, revision, action, load, changes)
  SELECT $1, h.ext, h.revision, 'loaded', $2, h.changes
  FROM unnest($4::text[], $6::bigint[], $7::text[]) h(ext, revision, changes) WHERE h.changes IS NOT NULL`;

/** Adds written terms to the change feed and to their histories. */
async function noteChanges(sql: Sql, vocabulary: string, number: number, terms: readonly LoadedTerm[]): Promise<void> {
  await sql.run(ENTRIES, [
    vocabulary,
    number,
    terms.map(({ n }) => n),
    terms.map(({ row }) => row.ext),
    terms.map(({ isNew }) => (isNew ? "created" : "updated")),
    terms.map(({ row }) => row.revision),
    terms.map(({ changes }) => changes),
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

/** Updates the sources of unchanged terms. They are not shown, so no cached data becomes invalid. */
const UPDATE_SOURCES = `UPDATE term t SET sources = s.sources FROM term_stage s
  WHERE s.load = $1 AND s.fresh = -1 AND t.vocabulary = $2 AND t.ext = s.ext AND t.sources <> s.sources`;

/** Indexing of a load, for an index that is separate from the store. */
export interface LoadIndexing {
  /** Called before a load writes. */
  begin(load: string): Promise<void>;
  /**
   * Indexes the terms that the open transaction has written.
   * @returns a function that makes the index show them from the commit on, and notes moved terms. Call it when no
   * transaction can cite a term until the commit
   */
  prepare(tx: OpenTransaction, written: WrittenLoad): Promise<() => Promise<void>>;
}

/** A load that was written in the open transaction. */
export interface WrittenLoad {
  readonly load: string;
  readonly vocabulary: string;
  /** Number of the import. */
  readonly number: number;
  /** Number of new and changed terms. */
  readonly terms: number;
}
