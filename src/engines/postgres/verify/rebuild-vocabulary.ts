import type { Vocabulary } from "../../../core/catalog/types.js";
import { readItem, type StoredItem } from "../../verify/compare-term.js";
import { removeTimeLimits } from "../connection/long-statements.js";
import type { Pool, Sql } from "../connection/sql.js";
import type { OpenTransaction, RunTransaction } from "../connection/write-transaction.js";
import { makeTermLocks } from "../terms/term-locks.js";
import { writeTerms } from "../terms/written-terms.js";
import { hasNames, leftNames, normalizeRow, readNames, type StoredTermRow, TERM_COLUMNS } from "./check-terms.js";

/** Terms compared, and rows removed, per query. */
const TERMS_PER_QUERY = 500;

const SELECT_AFTER = `SELECT ${TERM_COLUMNS} FROM term t WHERE t.vocabulary = $1 AND t.ext > $2
  ORDER BY t.ext LIMIT ${TERMS_PER_QUERY}`;
const SELECT_BY_ID = `SELECT ${TERM_COLUMNS} FROM term t WHERE t.vocabulary = $1 AND t.ext = ANY($2::text[])
  ORDER BY t.ext`;

/**
 * Rebuilds the wrong rows and names of terms of a vocabulary from their content, some hundred per transaction, and
 * removes rows that belong to no term. An unreadable term stays unchanged.
 * @param isStopped if true, no further transaction begins
 * @returns the number of corrections
 */
export async function rebuildVocabulary(
  pool: Pool,
  transaction: RunTransaction,
  vocabulary: Vocabulary,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let rebuilt = 0;
  for (let after = ""; !isStopped(); ) {
    const items = await pool.rows<StoredTermRow>(SELECT_AFTER, [vocabulary.name, after]);
    if (items.length === 0) break;
    after = items.at(-1)!.ext;
    // Read without a lock, because hardly any batch has a wrong term.
    const wrong = await findWrong(pool, vocabulary, items);
    if (wrong.length > 0) rebuilt += await transaction((tx) => rewrite(tx, vocabulary, wrong));
  }
  return isStopped() ? rebuilt : rebuilt + (await transaction((tx) => correctWhole(tx, vocabulary)));
}

interface WrongTerm {
  readonly row: StoredTermRow;
  readonly item: StoredItem;
}

async function findWrong(
  sql: Sql,
  vocabulary: Vocabulary,
  rows: readonly StoredTermRow[],
): Promise<readonly WrongTerm[]> {
  const ids = rows.map(({ ext }) => ext);
  const names = await readNames(sql, vocabulary.name, ids);
  return rows.map(normalizeRow).flatMap((row) => {
    const item = readItem(row, vocabulary);
    if (typeof item === "string") return [];
    return item.wrong.length === 0 && hasNames({ vocabulary }, item, names.get(row.ext)) ? [] : [{ row, item }];
  });
}

async function rewrite(tx: OpenTransaction, vocabulary: Vocabulary, wrongTerms: readonly WrongTerm[]): Promise<number> {
  await makeTermLocks(tx.locks).toWrite(vocabulary.name);
  const ids = wrongTerms.map(({ row }) => row.ext);
  const rows = await tx.sql.rows<StoredTermRow>(SELECT_BY_ID, [vocabulary.name, ids]);
  const wrong = await findWrong(tx.sql, vocabulary, rows);
  const terms = wrong.map(({ row, item }) => ({
    row: item.expected,
    content: item.content,
    sources: row.sources,
    isNew: false,
  }));
  await writeTerms(tx.sql, vocabulary, terms);
  // An existing index has the ranks of the old rows.
  tx.touch(
    vocabulary.name,
    terms.map(({ row }) => row.ext),
  );
  return terms.length;
}

const DELETE_LEFT_NAMES = `DELETE FROM term_name WHERE vocabulary = $1 AND ext IN (${leftNames("$1")})`;

const DELETE_WRONG_LIVES = `DELETE FROM life WHERE vocabulary = $1
  AND EXISTS (SELECT FROM term t WHERE t.vocabulary = $1 AND t.ext = life.ext)`;

const CORRECT_COUNT = `INSERT INTO vocabulary AS v (name, version, count)
  SELECT $1, 1, count(*) FROM term WHERE vocabulary = $1
  ON CONFLICT (name) DO UPDATE SET version = v.version + 1, count = excluded.count WHERE v.count <> excluded.count`;

/** Corrects data of a vocabulary as a whole. Nobody writes its terms meanwhile; deposits go on. */
async function correctWhole({ sql, locks }: OpenTransaction, { name }: Vocabulary): Promise<number> {
  await removeTimeLimits(sql);
  await locks.take("vocabulary", name);
  let corrected = 0;
  for (const statement of [DELETE_LEFT_NAMES, DELETE_WRONG_LIVES, CORRECT_COUNT])
    corrected += await sql.run(statement, [name]);
  return corrected;
}
