import type { BackgroundReporter } from "../../../core/background.js";
import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { termSignature } from "../../../query/index-model/term-document.js";
import { startSteps } from "../../background/run-steps.js";
import { makeLeadership } from "../connection/advisory-leadership.js";
import type { Pool, Sql } from "../connection/sql.js";
import type { RunTransaction } from "../connection/write-transaction.js";
import { rebuildVocabulary } from "./rebuild-vocabulary.js";

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
