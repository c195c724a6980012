import type { BackgroundReporter } from "../../../core/background.js";
import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { termSignature } from "../../../query/index-model/term-signature.js";
import { startSteps } from "../../background/run-steps.js";
import { makeLeadership } from "../connection/advisory-leadership.js";
import type { Pool, Sql } from "../connection/sql.js";
import type { RunTransaction } from "../connection/write-transaction.js";
import { rebuildVocabulary } from "./rebuild-vocabulary.js";

/** After a failure it is tried again. */
const RETRY_MS = 60_000;

interface Following {
  readonly pool: Pool;
  readonly catalog: Catalog;
  readonly transaction: RunTransaction;
  readonly background: BackgroundReporter;
}

/**
 * Has the items of vocabularies ranked and named as these are declared now, once, in the background: some hundred in a
 * transaction, and on one node at a time.
 */
export function followDeclarations(following: Following): { stop(): Promise<void> } {
  const step = async (signal: AbortSignal): Promise<"done"> => {
    await followOnce(following, signal);
    return "done";
  };
  return startSteps("vocabulary-maintenance", following.background, step, RETRY_MS);
}

async function followOnce({ pool, catalog, transaction }: Following, signal: AbortSignal): Promise<void> {
  if ((await declaredOtherwise(pool, catalog)).length === 0) return;
  const lead = await makeLeadership(pool).lead("vocabularies", signal);
  if (lead === undefined) return;
  const isStopped = (): boolean => signal.aborted || lead.lost.aborted;
  try {
    // Whoever led before may have done it.
    for (const vocabulary of await declaredOtherwise(pool, catalog)) {
      await rebuildVocabulary(pool, transaction, vocabulary, isStopped);
      if (isStopped()) return;
      await pool.run("UPDATE vocabulary SET signature = $2 WHERE name = $1", [
        ...[vocabulary.name, termSignature(vocabulary)],
      ]);
    }
  } finally {
    await lead.giveBack();
  }
}

/** Vocabularies whose rows were made by another declaration than that of now. */
async function declaredOtherwise(sql: Sql, catalog: Catalog): Promise<readonly Vocabulary[]> {
  const found = await Promise.all(
    [...catalog.vocabularies.values()].map(async (vocabulary) => ({
      vocabulary,
      isSame: await isAsDeclared(sql, vocabulary),
    })),
  );
  return found.filter(({ isSame }) => !isSame).map(({ vocabulary }) => vocabulary);
}

/** Are the rows of its items made by its declaration of now? Of a vocabulary that has none they are. */
export async function isAsDeclared(sql: Sql, vocabulary: Vocabulary): Promise<boolean> {
  const row = await sql.row<{ readonly signature: string | null }>("SELECT signature FROM vocabulary WHERE name = $1", [
    vocabulary.name,
  ]);
  return row === undefined || row.signature === termSignature(vocabulary);
}
