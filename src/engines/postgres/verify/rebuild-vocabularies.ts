import type { BackgroundReporter } from "../../../core/background.js";
import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { termSignature } from "../../../query/index-model/term-document.js";
import { startSteps } from "../../background/run-steps.js";
import { readVerifiedTerm, type VerifiedTerm } from "../../verify/compare-term.js";
import { makeLeadership } from "../connection/advisory-leadership.js";
import { removeTimeLimits } from "../connection/long-statements.js";
import type { Pool, Sql } from "../connection/sql.js";
import type { OpenTransaction, RunTransaction } from "../connection/write-transaction.js";
import { makeTermLocks } from "../terms/term-reader.js";
import { writeTerms } from "../terms/term-writer.js";
import { hasNames, leftNames, normalizeRow, readNames, type StoredTermRow, TERM_COLUMNS } from "./check-terms.js";

/** Pause after a failure. */
const RETRY_MS = 60_000;

interface FollowContext {
  readonly pool: Pool;
  readonly catalog: Catalog;
  readonly transaction: RunTransaction;
  readonly background: BackgroundReporter;
}

/**
 * Updates ranks and names of terms to the current declarations of their vocabularies, once, in the background: some
 * hundred per transaction, and on one node at a time.
 */
export function followDeclarations(following: FollowContext): { stop(): Promise<void> } {
  const step = async (signal: AbortSignal): Promise<"done"> => {
    await followOnce(following, signal);
    return "done";
  };
  return startSteps("vocabulary-maintenance", following.background, step, RETRY_MS);
}

async function followOnce({ pool, catalog, transaction }: FollowContext, signal: AbortSignal): Promise<void> {
  if ((await findOutdated(pool, catalog)).length === 0) return;
  const lead = await makeLeadership(pool).lead("vocabularies", signal);
  if (lead === undefined) return;
  const isStopped = (): boolean => signal.aborted || lead.lost.aborted;
  try {
    // An earlier leader may have done it.
    for (const vocabulary of await findOutdated(pool, catalog)) {
      await rebuildVocabulary(pool, transaction, vocabulary, isStopped);
      if (isStopped()) return;
      const values = [vocabulary.name, termSignature(vocabulary)];
      await pool.run("UPDATE vocabulary SET signature = $2 WHERE name = $1", values);
    }
  } finally {
    await lead.giveBack();
  }
}

/** Returns the vocabularies whose rows were made for another declaration. */
async function findOutdated(sql: Sql, catalog: Catalog): Promise<readonly Vocabulary[]> {
  const vocabularyStates = await Promise.all(
    [...catalog.vocabularies.values()].map(async (vocabulary) => ({
      vocabulary,
      isSame: await isAsDeclared(sql, vocabulary),
    })),
  );
  return vocabularyStates.filter(({ isSame: isCurrent }) => !isCurrent).map(({ vocabulary }) => vocabulary);
}

/** Returns whether the rows of terms were made for the current declaration, as are those of an empty vocabulary. */
export async function isAsDeclared(sql: Sql, vocabulary: Vocabulary): Promise<boolean> {
  const row = await sql.row<{ readonly signature: string | null }>("SELECT signature FROM vocabulary WHERE name = $1", [
    vocabulary.name,
  ]);
  return row === undefined || row.signature === termSignature(vocabulary);
}

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
  readonly item: VerifiedTerm;
}

async function findWrong(
  sql: Sql,
  vocabulary: Vocabulary,
  rows: readonly StoredTermRow[],
): Promise<readonly WrongTerm[]> {
  const ids = rows.map(({ ext }) => ext);
  const names = await readNames(sql, vocabulary.name, ids);
  return rows.map(normalizeRow).flatMap((row) => {
    const item = readVerifiedTerm(row, vocabulary);
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

/** Corrects data of a vocabulary as a whole. Its terms cannot be written meanwhile; deposits continue. */
async function correctWhole({ sql, locks }: OpenTransaction, { name }: Vocabulary): Promise<number> {
  await removeTimeLimits(sql);
  await locks.take("vocabulary", name);
  let corrected = 0;
  for (const statement of [DELETE_LEFT_NAMES, DELETE_WRONG_LIVES, CORRECT_COUNT])
    corrected += await sql.run(statement, [name]);
  return corrected;
}
