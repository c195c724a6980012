/**
 * Terms with descendants that got another parent. The index documents of the descendants contain their regions and are
 * updated later. Until then the moved terms are noted, and searches read their descendants from the store (`below`).
 */
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction, RunTransaction } from "../connection/write-transaction.js";

/** Whether an index has large terms in a vocabulary. Adding an index waits for transactions that read `indexed`. */
const HAS_LARGE = `EXISTS (SELECT FROM indexed)
  AND EXISTS (SELECT FROM index_vocabulary WHERE vocabulary = $1 AND large <> '{}' AND index <> $3)`;

const AGAIN = "ON CONFLICT (vocabulary, ext) DO UPDATE SET after = ''";

const NOTE = `INSERT INTO moved_term(vocabulary, ext) SELECT $1, $2 WHERE ${HAS_LARGE}
    AND EXISTS (SELECT FROM term WHERE vocabulary = $1 AND parent = $2)
  ${AGAIN}`;

/** A name that no index has. */
const NO_INDEX = "";

/** Notes a term with children that got or lost a parent, or got another one. */
export async function noteMoved({ sql }: Pick<OpenTransaction, "sql">, vocabulary: string, id: string): Promise<void> {
  await sql.run(NOTE, [vocabulary, id, NO_INDEX]);
}

/** Notes the terms to which a load gives another parent, if they have children whose parents it does not change. */
const NOTE_LOADED = `INSERT INTO moved_term(vocabulary, ext)
  SELECT $1, s.ext FROM term_stage s
  WHERE s.load = $2 AND s.moved = 1 AND ${HAS_LARGE}
    AND EXISTS (SELECT FROM term c WHERE c.vocabulary = $1 AND c.parent = s.ext AND NOT EXISTS (
      SELECT FROM term_stage o WHERE o.load = $2 AND o.ext = c.ext AND o.moved = 1))
  ${AGAIN}`;

const FORGET = `DELETE FROM moved_term WHERE vocabulary = $1 AND NOT EXISTS (
  SELECT FROM index_vocabulary WHERE vocabulary = $1 AND large <> '{}' AND index <> $2)`;

/**
 * Notes the terms that a load has moved.
 * @param rebuiltIndex name of an index that is rebuilt with this load; it needs neither new notes nor existing ones
 */
export async function noteMovedByLoad(
  sql: Sql,
  vocabulary: string,
  load: string,
  rebuiltIndex = NO_INDEX,
): Promise<void> {
  if (rebuiltIndex !== NO_INDEX) await sql.run(FORGET, [vocabulary, rebuiltIndex]);
  await sql.run(NOTE_LOADED, [vocabulary, load, rebuiltIndex]);
}

/** Returns the ids of the noted terms. */
export async function readMovedTerms(sql: Sql, vocabulary: string): Promise<readonly string[]> {
  const rows = await sql.rows<Pick<MovedTerm, "ext">>("SELECT ext FROM moved_term WHERE vocabulary = $1", [vocabulary]);
  return rows.map(({ ext }) => ext);
}

/** Returns whether a term is noted. It is cheap, because searches call it often. */
export async function hasMoved(sql: Sql): Promise<boolean> {
  return (await sql.row("SELECT 1 AS n FROM moved_term LIMIT 1")) !== undefined;
}

/** Waits for other transactions that work on the row or note it again. */
const NEXT = "SELECT vocabulary, ext, after FROM moved_term ORDER BY vocabulary, ext LIMIT 1 FOR UPDATE";

interface MovedTerm {
  readonly vocabulary: string;
  readonly ext: string;
  readonly after: string;
}

const LARGE = "SELECT large FROM index_vocabulary WHERE vocabulary = $1 AND large <> '{}'";

/** Number of terms per step: few enough for the overlay. */
const TERMS_AT_ONCE = 500;

/**
 * Marks some descendants of a moved term as changed, except those below large terms, whose regions do not change. After
 * the last step, the note is removed.
 * @returns false if no term is noted
 */
export function followMoved(transaction: RunTransaction): Promise<boolean> {
  return transaction(async ({ sql, touch }) => {
    const moved = await sql.row<MovedTerm>(NEXT);
    if (moved === undefined) return false;
    const { vocabulary, ext, after } = moved;
    const [first, ...rest] = await sql.rows<{ readonly large: readonly string[] }>(LARGE, [vocabulary]);
    // A term counts as large only if it is large in each index.
    const large = rest.reduce((ids, each) => intersection(ids, each.large), new Set(first?.large));
    const isFollowed = first !== undefined && !large.has(ext);
    const subtree = isFollowed ? (await readSubtree(sql, vocabulary, [ext], large, Number.MAX_SAFE_INTEGER - 1))! : [];
    const remaining = subtree.filter((id) => id > after).sort(compare);
    const batch = remaining.slice(0, TERMS_AT_ONCE);
    touch(vocabulary, batch);
    if (remaining.length > batch.length) await sql.run(SET_AFTER, [vocabulary, ext, batch.at(-1)!]);
    else await sql.run("DELETE FROM moved_term WHERE vocabulary = $1 AND ext = $2", [vocabulary, ext]);
    return true;
  });
}

const SET_AFTER = "UPDATE moved_term SET after = $3 WHERE vocabulary = $1 AND ext = $2";

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const intersection = (set: ReadonlySet<string>, ids: readonly string[]): Set<string> =>
  new Set(ids.filter((id) => set.has(id)));

const BELOW = `WITH RECURSIVE other(ext) AS MATERIALIZED (SELECT unnest($3::text[]) COLLATE "C"),
  below(ext) AS (
    SELECT ext COLLATE "C" FROM unnest($2::text[]) a(ext)
    UNION SELECT t.ext FROM below b CROSS JOIN LATERAL (
      SELECT ext FROM term WHERE vocabulary = $1 AND parent = b.ext OFFSET 0) t
    WHERE NOT EXISTS (SELECT FROM other WHERE other.ext = b.ext))
  SELECT ext FROM below LIMIT $4`;

/**
 * Reads some ids with all their descendants, without descendants of excluded ids.
 * @returns each id once; undefined if there are more than `limit`
 */
export async function readSubtree(
  sql: Sql,
  vocabulary: string,
  ids: readonly string[],
  excluded: ReadonlySet<string>,
  limit: number,
): Promise<readonly string[] | undefined> {
  if (ids.length === 0) return [];
  const rows = await sql.rows<{ readonly ext: string }>(BELOW, [vocabulary, ids, [...excluded], limit + 1]);
  return rows.length > limit ? undefined : rows.map(({ ext }) => ext);
}
