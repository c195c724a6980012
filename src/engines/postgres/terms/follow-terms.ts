/** Records are found by what their cited terms are now: where a term changes, indexes hear of its citers too. */
import type { OpenTransaction, RunTransaction } from "../connection/write-transaction.js";

/** Records that follow within the transaction that changes a term. */
const RECORDS_AT_ONCE = 500;

/** Terms below a moved one, and terms that lead to one, that are looked through within it. */
const TERMS_AT_ONCE = 10_000;

/** No limit of a statement. */
const ALL = Number.MAX_SAFE_INTEGER;

/** Terms that changed; `moved`: they stand below another one, and with them all that stands below them. */
interface ChangedTerms {
  readonly vocabulary: string;
  readonly ids: readonly string[];
  readonly moved: boolean;
}

/**
 * All that stands where some ids lead to: the ids, those that they replaced, where they moved ($3) those below, and so
 * on. Of these at most $4; none where there is no index that has to follow.
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

/** Has records follow a term that the open transaction changed: at once where they are few, else `followSome` does. */
export async function followTerm(tx: Following, vocabulary: string, id: string, moved: boolean): Promise<void> {
  const changed = { vocabulary, ids: [id], moved };
  const reached = await reach(tx, changed, TERMS_AT_ONCE + 1);
  if (reached.length > TERMS_AT_ONCE) return noteStale(tx, changed);
  const citers = await citersOf(tx, vocabulary, reached, "", RECORDS_AT_ONCE + 1);
  if (citers.length > RECORDS_AT_ONCE) return noteStale(tx, changed);
  noteFollowing(tx, citers);
}

const reach = ({ sql }: Following, { vocabulary, ids, moved }: ChangedTerms, limit: number) =>
  sql.rows<ReachedTerm>(CITED, [vocabulary, ids, moved, limit]);

async function citersOf(
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

/** Leaves for later that records follow these terms. */
export async function noteStale(
  { sql }: Pick<OpenTransaction, "sql">,
  { vocabulary, ids, moved }: ChangedTerms,
): Promise<void> {
  await sql.run(NOTE_STALE, [vocabulary, ids, moved]);
}

/**
 * What a load changed for records: each cited term that leads to an item that it wrote, or to an id that it merged into
 * another one; and its items above cited ones that it gave another parent, new ones too.
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
 * Leaves for later that records follow what a load changes. The items that these terms lead to now are cited otherwise,
 * whether the load writes them or not.
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

/** Where staged items and redirects lead now, if what is staged has them lead elsewhere. */
const LED_BEFORE = `SELECT DISTINCT now.successor AS id FROM (
    SELECT ext, successor FROM term_stage WHERE load = $2 AND fresh > 0
    UNION ALL SELECT ext, successor FROM term_stage_redirect WHERE load = $2) staged
  CROSS JOIN LATERAL (
    SELECT successor FROM term WHERE vocabulary = $1 AND ext = staged.ext
    UNION ALL SELECT successor FROM redirect WHERE vocabulary = $1 AND ext = staged.ext
    UNION ALL SELECT successor FROM life WHERE vocabulary = $1 AND ext = staged.ext) now
  WHERE now.successor IS NOT NULL AND now.successor IS DISTINCT FROM staged.successor
    AND EXISTS (SELECT FROM indexed)`;

/** The items that a load has no longer stand for another one are cited otherwise; to be called before it writes. */
export async function touchLedBefore(
  { sql, touch }: Pick<OpenTransaction, "sql" | "touch">,
  vocabulary: string,
  load: string,
): Promise<void> {
  const led = await sql.rows<{ readonly id: string }>(LED_BEFORE, [vocabulary, load]);
  touch(
    vocabulary,
    led.map(({ id }) => id),
  );
}

/** Waits for whoever is at it: who is told that none is left may rely on it. */
const NEXT_STALE = `SELECT vocabulary, ext, moved, after FROM stale_term
  ORDER BY vocabulary, ext LIMIT 1 FOR UPDATE`;

interface StaleTerm {
  readonly vocabulary: string;
  readonly ext: string;
  readonly moved: boolean;
  readonly after: string;
}

/** Has some records follow a term whose citers were left for later. @returns false: there is none */
export function followSome(transaction: RunTransaction): Promise<boolean> {
  return transaction(async (tx) => {
    const stale = await tx.sql.row<StaleTerm>(NEXT_STALE);
    if (stale === undefined) return false;
    const { vocabulary, ext, moved, after } = stale;
    const changed = { vocabulary, ids: [ext], moved };
    const reached = await reach(tx, changed, ALL);
    const citers = await citersOf(tx, vocabulary, reached, after, RECORDS_AT_ONCE);
    noteFollowing(tx, citers);
    const next = citers.length < RECORDS_AT_ONCE ? undefined : citers.at(-1)!.id;
    if (next === undefined)
      await tx.sql.run("DELETE FROM stale_term WHERE vocabulary = $1 AND ext = $2", [vocabulary, ext]);
    else
      await tx.sql.run("UPDATE stale_term SET after = $3 WHERE vocabulary = $1 AND ext = $2", [vocabulary, ext, next]);
    return true;
  });
}
