/** Updates the index entries of records when their cited terms change. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "../connection/sql.js";
import type { OpenTransaction, RunTransaction } from "../connection/write-transaction.js";

/** Maximum number of records that are noted in the transaction that changes a term, or in one later step. */
const RECORDS_AT_ONCE = 500;

/** Maximum number of terms that the transaction looks through: descendants, and terms that the changed one replaced. */
const TERMS_AT_ONCE = 10_000;

/** Limit of a statement that reads everything. */
const ALL = Number.MAX_SAFE_INTEGER;

/** Terms that changed. `moved`: they have another parent, so their descendants have other ancestors. */
interface ChangedTerms {
  readonly vocabulary: string;
  readonly ids: readonly string[];
  readonly moved: boolean;
}

/**
 * The ids that a change reaches: the changed ids, the ids that they replaced, their descendants if they moved ($3), and
 * so on. At most $4; none if there is no index to update.
 */
const REACHED = `WITH RECURSIVE reached(ext) AS (
    SELECT ext COLLATE "C" FROM unnest($2::text[]) changed(ext) WHERE EXISTS (SELECT FROM indexed)
    UNION SELECT next.ext FROM reached r CROSS JOIN LATERAL (
      SELECT ext FROM term WHERE vocabulary = $1 AND successor = r.ext
      UNION ALL SELECT ext FROM redirect WHERE vocabulary = $1 AND successor = r.ext
      UNION ALL SELECT ext FROM life WHERE vocabulary = $1 AND successor = r.ext
      UNION ALL SELECT ext FROM term WHERE $3 AND vocabulary = $1 AND parent = r.ext) next),
  few AS (SELECT ext FROM reached LIMIT $4)`;

const CITED = `${REACHED}
  SELECT few.ext, c.ext IS NOT NULL AS "isCited" FROM few LEFT JOIN citation_count c
    ON c.vocabulary = $1 AND c.ext = few.ext AND (c.latest <> 0 OR c.others <> 0)`;

interface ReachedTerm {
  readonly ext: string;
  readonly isCited: boolean;
}

const CITERS = `SELECT pid AS id, min(model) AS model FROM rec
  WHERE cites::jsonb @> ANY (
    ARRAY(SELECT jsonb_build_array(jsonb_build_array($1::text, id)) FROM unnest($2::text[]) id))
    AND pid > $3
  GROUP BY pid ORDER BY pid LIMIT $4`;

interface Citer {
  readonly id: string;
  readonly model: string;
}

type Following = Pick<OpenTransaction, "sql" | "note">;

/** Notes the citers of a term that the open transaction changed. If there are many, `followSome` does so later. */
export async function followTerm(tx: Following, vocabulary: string, id: string, moved: boolean): Promise<void> {
  const changed = { vocabulary, ids: [id], moved };
  const reached = await readReached(tx, changed, TERMS_AT_ONCE + 1);
  if (reached.length > TERMS_AT_ONCE) return noteStaleTerms(tx, changed);
  const citers = await readCiters(tx, vocabulary, reached, "", RECORDS_AT_ONCE + 1);
  if (citers.length > RECORDS_AT_ONCE) return noteStaleTerms(tx, changed);
  noteFollowing(tx, citers);
}

const readReached = ({ sql }: Following, { vocabulary, ids, moved }: ChangedTerms, limit: number) =>
  sql.rows<ReachedTerm>(CITED, [vocabulary, ids, moved, limit]);

async function readCiters(
  { sql }: Following,
  vocabulary: string,
  reached: readonly ReachedTerm[],
  after: string,
  limit: number,
): Promise<readonly Citer[]> {
  const cited = reached.filter(({ isCited }) => isCited).map(({ ext }) => ext);
  return cited.length === 0 ? [] : sql.rows<Citer>(CITERS, [vocabulary, cited, after, limit]);
}

function noteFollowing(tx: Following, citers: readonly Citer[]): void {
  for (const { id, model } of citers) tx.note({ kind: "record", action: "reindexed", place: model, id });
}

const NOTE_STALE = `INSERT INTO stale_term AS s (vocabulary, ext, moved)
  SELECT $1, ext, $3 FROM unnest($2::text[]) c(ext)
  ON CONFLICT (vocabulary, ext) DO UPDATE SET moved = s.moved OR excluded.moved, after = ''`;

/** Notes that citers of these terms are to be updated later. */
async function noteStaleTerms(
  { sql }: Pick<OpenTransaction, "sql">,
  { vocabulary, ids, moved }: ChangedTerms,
): Promise<void> {
  await sql.run(NOTE_STALE, [vocabulary, ids, moved]);
}

/**
 * Notes what a load changed for records: each cited id that leads to a term that the load wrote, or to an id that it
 * redirected; and each loaded ancestor of a cited term that is new or has another parent.
 */
const NOTE_LOADED = `WITH RECURSIVE led(cited, ext) AS (
    SELECT ext, ext FROM citation_count
    WHERE vocabulary = $1 AND (latest <> 0 OR others <> 0) AND EXISTS (SELECT FROM indexed)
    UNION SELECT l.cited, next.successor FROM led l CROSS JOIN LATERAL (
      SELECT successor FROM term WHERE vocabulary = $1 AND ext = l.ext
      UNION ALL SELECT successor FROM redirect WHERE vocabulary = $1 AND ext = l.ext
      UNION ALL SELECT successor FROM life WHERE vocabulary = $1 AND ext = l.ext) next
    WHERE next.successor IS NOT NULL),
  above(ext) AS (
    SELECT ext FROM led
    UNION SELECT next.ext FROM above a CROSS JOIN LATERAL (
      SELECT parent AS ext FROM term WHERE vocabulary = $1 AND ext = a.ext
      UNION ALL SELECT successor FROM term WHERE vocabulary = $1 AND ext = a.ext
      UNION ALL SELECT successor FROM redirect WHERE vocabulary = $1 AND ext = a.ext
      UNION ALL SELECT successor FROM life WHERE vocabulary = $1 AND ext = a.ext) next
    WHERE next.ext IS NOT NULL),
  written AS (
    SELECT ext FROM term_stage WHERE load = $2 AND fresh > 0
    UNION SELECT ext FROM term_stage_redirect WHERE load = $2)
  INSERT INTO stale_term AS s (vocabulary, ext, moved)
  SELECT $1, ext, bool_or(moved) FROM (
    SELECT led.cited AS ext, false AS moved FROM led JOIN written USING (ext)
    UNION ALL SELECT ext, true FROM above JOIN term_stage USING (ext)
      WHERE load = $2 AND fresh > 0 AND moved = 1) changed GROUP BY ext
  ON CONFLICT (vocabulary, ext) DO UPDATE SET moved = s.moved OR excluded.moved, after = ''
  RETURNING ext`;

/**
 * Notes that citers of the terms that a load changes are to be updated later. Marks the noted terms as changed, because
 * their citation counts may change even if the load does not write them.
 */
export async function writeLoadedHistory(
  { sql, touch }: Pick<OpenTransaction, "sql" | "touch">,
  vocabulary: string,
  load: string,
): Promise<void> {
  const noted = await sql.rows<Pick<StaleTerm, "ext">>(NOTE_LOADED, [vocabulary, load]);
  touch(
    vocabulary,
    noted.map(({ ext }) => ext),
  );
}

/** The current successors of staged terms and redirects that get another successor. */
const OLD_SUCCESSORS = `SELECT DISTINCT now.successor AS id FROM (
    SELECT ext, successor FROM term_stage WHERE load = $2 AND fresh > 0
    UNION ALL SELECT ext, successor FROM term_stage_redirect WHERE load = $2) staged
  CROSS JOIN LATERAL (
    SELECT successor FROM term WHERE vocabulary = $1 AND ext = staged.ext
    UNION ALL SELECT successor FROM redirect WHERE vocabulary = $1 AND ext = staged.ext
    UNION ALL SELECT successor FROM life WHERE vocabulary = $1 AND ext = staged.ext) now
  WHERE now.successor IS NOT NULL AND now.successor IS DISTINCT FROM staged.successor
    AND EXISTS (SELECT FROM indexed)`;

/** Marks terms as changed that a load removes as successors: their citations change. Call it before writing. */
export async function touchOldSuccessors(
  { sql, touch }: Pick<OpenTransaction, "sql" | "touch">,
  vocabulary: string,
  load: string,
): Promise<void> {
  const successors = await sql.rows<{ readonly id: string }>(OLD_SUCCESSORS, [vocabulary, load]);
  touch(
    vocabulary,
    successors.map(({ id }) => id),
  );
}

/** Waits for other transactions that work on the row, so that an empty result means that none is left. */
const NEXT_STALE = `SELECT vocabulary, ext, moved, after FROM stale_term
  ORDER BY vocabulary, ext LIMIT 1 FOR UPDATE`;

interface StaleTerm {
  readonly vocabulary: string;
  readonly ext: string;
  readonly moved: boolean;
  readonly after: string;
}

/** Notes some citers of a term that was left for later. @returns false if no term is left */
export function followSome(transaction: RunTransaction): Promise<boolean> {
  return transaction(async (tx) => {
    const stale = await tx.sql.row<StaleTerm>(NEXT_STALE);
    if (stale === undefined) return false;
    const { vocabulary, ext, moved, after } = stale;
    const changed = { vocabulary, ids: [ext], moved };
    const reached = await readReached(tx, changed, ALL);
    const citers = await readCiters(tx, vocabulary, reached, after, RECORDS_AT_ONCE);
    noteFollowing(tx, citers);
    const next = citers.length < RECORDS_AT_ONCE ? undefined : citers.at(-1)!.id;
    if (next === undefined)
      await tx.sql.run("DELETE FROM stale_term WHERE vocabulary = $1 AND ext = $2", [vocabulary, ext]);
    else
      await tx.sql.run("UPDATE stale_term SET after = $3 WHERE vocabulary = $1 AND ext = $2", [vocabulary, ext, next]);
    return true;
  });
}

/** Maximum number of changes that the index may lack. Searches can evaluate more than this in the overlay. */
const BEHIND_MAX = 1_000;

/** Maximum time to wait for the index, which may not be fed by any process. */
const WAIT_MS_MAX = 2_000;
const POLL_MS = 50;

/** Number of changes that the current index lacks. An index of another catalog may no longer be fed. */
const BEHIND = `SELECT coalesce(max(head.seq - i.applied), 0)::bigint AS behind
  FROM feed_head head, index_state i WHERE i.current`;

/**
 * Notes the citers of all terms that were left for later, so that searches find them by the current terms. Waits for
 * the index after each step of some hundred records.
 */
export async function followAll(pool: Pool, transaction: RunTransaction): Promise<void> {
  while (await followSome(transaction)) await waitForIndex(pool);
}

async function waitForIndex(pool: Pool): Promise<void> {
  for (const until = performance.now() + WAIT_MS_MAX; performance.now() < until; await sleep(POLL_MS)) {
    const { behind } = (await pool.row<{ readonly behind: number }>(BEHIND))!;
    if (behind <= BEHIND_MAX) return;
  }
}
