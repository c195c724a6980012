/**
 * Which items got another parent while others stood below them. Documents of these say where they stand, and are made
 * again when there is time: until then the items are noted, and searches know what stands below them (`below`).
 */
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction, RunTransaction } from "../connection/write-transaction.js";
import { itemsBelow } from "./items-below.js";

/** Has an index large terms in a vocabulary ($1)? Whoever adds one waits for those who have looked at `indexed`. */
const HAS_LARGE = `EXISTS (SELECT FROM indexed)
  AND EXISTS (SELECT FROM index_vocabulary WHERE vocabulary = $1 AND large <> '{}' AND index <> $3)`;

const AGAIN = "ON CONFLICT (vocabulary, ext) DO UPDATE SET after = ''";

const NOTE = `INSERT INTO moved_term(vocabulary, ext) SELECT $1, $2 WHERE ${HAS_LARGE}
    AND EXISTS (SELECT FROM term WHERE vocabulary = $1 AND parent = $2)
  ${AGAIN}`;

/** No index has this name. */
const NONE = "";

/** Notes an item that got another parent, was added below one, or was removed from there, if any stand below it. */
export async function noteMoved({ sql }: Pick<OpenTransaction, "sql">, vocabulary: string, id: string): Promise<void> {
  await sql.run(NOTE, [vocabulary, id, NONE]);
}

/** Items that a load gives a parent that they had not, if others stand below them whose parent it leaves as it is. */
const NOTE_LOADED = `INSERT INTO moved_term(vocabulary, ext)
  SELECT $1, s.ext FROM term_stage s
  WHERE s.load = $2 AND s.moved = 1 AND ${HAS_LARGE}
    AND EXISTS (SELECT FROM term c WHERE c.vocabulary = $1 AND c.parent = s.ext AND NOT EXISTS (
      SELECT FROM term_stage o WHERE o.load = $2 AND o.ext = c.ext AND o.moved = 1))
  ${AGAIN}`;

const FORGET = `DELETE FROM moved_term WHERE vocabulary = $1 AND NOT EXISTS (
  SELECT FROM index_vocabulary WHERE vocabulary = $1 AND large <> '{}' AND index <> $2)`;

/**
 * Notes the items that a load has moved.
 * @param made the index that has the vocabulary anew with this load: it needs no notes, nor those from before
 */
export async function noteMovedBy(sql: Sql, vocabulary: string, load: string, made = NONE): Promise<void> {
  if (made !== NONE) await sql.run(FORGET, [vocabulary, made]);
  await sql.run(NOTE_LOADED, [vocabulary, load, made]);
}

/** Ids that are noted. */
export async function movedTerms(sql: Sql, vocabulary: string): Promise<readonly string[]> {
  const rows = await sql.rows<Pick<MovedTerm, "ext">>("SELECT ext FROM moved_term WHERE vocabulary = $1", [vocabulary]);
  return rows.map(({ ext }) => ext);
}

/** Is any noted? It is asked again and again. */
export async function hasMoved(sql: Sql): Promise<boolean> {
  return (await sql.row("SELECT 1 AS n FROM moved_term LIMIT 1")) !== undefined;
}

/** Waits for whoever is at it, or is noting it again. */
const NEXT = "SELECT vocabulary, ext, after FROM moved_term ORDER BY vocabulary, ext LIMIT 1 FOR UPDATE";

interface MovedTerm {
  readonly vocabulary: string;
  readonly ext: string;
  readonly after: string;
}

const LARGE = "SELECT large FROM index_vocabulary WHERE vocabulary = $1 AND large <> '{}'";

/** Few enough to be judged beside the index until it has them. */
const AT_ONCE = 500;

/**
 * Notes some of the items below a moved one as changed, but for those below large terms, whose regions stay.
 * When all are, the note of the moved one goes.
 * @returns false: there is none
 */
export function followMoved(transaction: RunTransaction): Promise<boolean> {
  return transaction(async ({ sql, touch }) => {
    const moved = await sql.row<MovedTerm>(NEXT);
    if (moved === undefined) return false;
    const { vocabulary, ext, after } = moved;
    const [first, ...others] = await sql.rows<{ readonly large: readonly string[] }>(LARGE, [vocabulary]);
    // What one of the indexes does not know to be large is passed.
    const large = others.reduce((some, each) => intersection(some, each.large), new Set(first?.large));
    const isPassed = first !== undefined && !large.has(ext);
    const all = isPassed ? (await itemsBelow(sql, vocabulary, [ext], large, Number.MAX_SAFE_INTEGER - 1))! : [];
    const left = all.filter((id) => id > after).sort(compare);
    const some = left.slice(0, AT_ONCE);
    touch(vocabulary, some);
    if (left.length > some.length) await sql.run(GO_ON, [vocabulary, ext, some.at(-1)!]);
    else await sql.run("DELETE FROM moved_term WHERE vocabulary = $1 AND ext = $2", [vocabulary, ext]);
    return true;
  });
}

const GO_ON = "UPDATE moved_term SET after = $3 WHERE vocabulary = $1 AND ext = $2";

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const intersection = (some: ReadonlySet<string>, others: readonly string[]): Set<string> =>
  new Set(others.filter((id) => some.has(id)));
