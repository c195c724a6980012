import type { Vocabulary } from "../../../core/catalog/types.js";
import { readItem, type StoredItem } from "../../verify/compare-term.js";
import type { Pool, Sql } from "../connection/sql.js";
import { unhurry } from "../connection/unhurried.js";
import type { OpenTransaction, RunTransaction } from "../connection/write-transaction.js";
import { termLocksOf } from "../terms/term-locks.js";
import { writeTerms } from "../terms/written-terms.js";
import { hasNames, ITEM, type ItemRow, itemRow, leftNames, namesOf } from "./check-items.js";

/** Items that are compared, and rows that are removed, in one go. */
const AT_ONCE = 500;

const AFTER = `SELECT ${ITEM} FROM term t WHERE t.vocabulary = $1 AND t.ext > $2 ORDER BY t.ext LIMIT ${AT_ONCE}`;
const THESE = `SELECT ${ITEM} FROM term t WHERE t.vocabulary = $1 AND t.ext = ANY($2::text[]) ORDER BY t.ext`;

/**
 * Makes the rows and names of all items of a vocabulary again that are not what their contents make, some hundred in a
 * transaction, and takes away what belongs to no item. An item that cannot be read stays as it is.
 * @param isStopped when true no further transaction begins
 * @returns how much there was to do
 */
export async function rebuildVocabulary(
  pool: Pool,
  transaction: RunTransaction,
  vocabulary: Vocabulary,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let rebuilt = 0;
  for (let after = ""; !isStopped(); ) {
    const items = await pool.rows<ItemRow>(AFTER, [vocabulary.name, after]);
    if (items.length === 0) break;
    after = items.at(-1)!.ext;
    // Read without a lock: hardly any batch has one that is wrong.
    const wrong = await wrongOnes(pool, vocabulary, items);
    if (wrong.length > 0) rebuilt += await transaction((tx) => rewrite(tx, vocabulary, wrong));
  }
  return isStopped() ? rebuilt : rebuilt + (await transaction((tx) => correctWhole(tx, vocabulary)));
}

interface WrongItem {
  readonly row: ItemRow;
  readonly item: StoredItem;
}

async function wrongOnes(sql: Sql, vocabulary: Vocabulary, rows: readonly ItemRow[]): Promise<readonly WrongItem[]> {
  const ids = rows.map(({ ext }) => ext);
  const names = await namesOf(sql, vocabulary.name, ids);
  return rows.map(itemRow).flatMap((row) => {
    const item = readItem(row, vocabulary);
    if (typeof item === "string") return [];
    return item.wrong.length === 0 && hasNames({ vocabulary }, item, names.get(row.ext)) ? [] : [{ row, item }];
  });
}

async function rewrite(tx: OpenTransaction, vocabulary: Vocabulary, found: readonly WrongItem[]): Promise<number> {
  await termLocksOf(tx.locks).toWrite(vocabulary.name);
  const ids = found.map(({ row }) => row.ext);
  const rows = await tx.sql.rows<ItemRow>(THESE, [vocabulary.name, ids]);
  const wrong = await wrongOnes(tx.sql, vocabulary, rows);
  const terms = wrong.map(({ row, item }) => ({
    ...{ row: item.expected, content: item.content, sources: row.sources, isNew: false },
  }));
  await writeTerms(tx.sql, vocabulary, terms);
  // An existing index has the ranks of the old rows.
  tx.touch(
    vocabulary.name,
    terms.map(({ row }) => row.ext),
  );
  return terms.length;
}

const LEFT_NAMES = `DELETE FROM term_name WHERE vocabulary = $1 AND ext IN (${leftNames("$1")})`;

const LEFT_LIVES = `DELETE FROM life WHERE vocabulary = $1
  AND EXISTS (SELECT FROM term t WHERE t.vocabulary = $1 AND t.ext = life.ext)`;

const RIGHT_COUNT = `INSERT INTO vocabulary AS v (name, version, count)
  SELECT $1, 1, count(*) FROM term WHERE vocabulary = $1
  ON CONFLICT (name) DO UPDATE SET version = v.version + 1, count = excluded.count WHERE v.count <> excluded.count`;

/** What is kept of a vocabulary as a whole. Nobody writes its terms meanwhile; deposits go on. */
async function correctWhole({ sql, locks }: OpenTransaction, { name }: Vocabulary): Promise<number> {
  await unhurry(sql);
  await locks.take("vocabulary", name);
  let corrected = 0;
  for (const statement of [LEFT_NAMES, LEFT_LIVES, RIGHT_COUNT]) corrected += await sql.run(statement, [name]);
  return corrected;
}
