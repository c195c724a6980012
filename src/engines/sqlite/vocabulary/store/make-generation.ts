import type { Vocabulary } from "../../../../core/catalog/types.js";
import { termSignature } from "../../../../query/index-model/term-signature.js";
import type { Db } from "../../connection/database.js";
import { isRunning, PROCESS_NAME } from "../../connection/process-name.js";
import { generationTables } from "../../connection/vocabulary-tables.js";
import { currentGeneration, type Generation, generationByNumber } from "./generation.js";

/** A builder that showed no sign of life for so long is dead; of one whose process still runs it takes longer. */
const LIFE_SIGN_MAX_MS = 30_000;
const HANGING_MAX_MS = 600_000;

/** The current generation of the vocabulary, made (empty) where there is none yet. In the open transaction. */
export function ensureGeneration(db: Db, vocabulary: Vocabulary): Generation {
  const current = currentGeneration(db, vocabulary.name);
  if (current !== undefined) return current;
  const g = addGeneration(db, vocabulary, "current");
  db.raw.exec(generationTables(g));
  return generationByNumber(db, g)!;
}

/**
 * Adds the row of a generation that has no tables yet, in the open transaction.
 * @returns its number
 */
export function addGeneration(
  db: Db,
  vocabulary: Vocabulary,
  state: "building" | "current",
  owner = PROCESS_NAME,
): number {
  const { lastInsertRowid } = db
    .sql(
      `INSERT INTO generation(vocabulary, state, ranked, active, next, count, writes, nested, signature, owner, touched)
       VALUES(?, ?, 0, 0, 1, 0, 0, 1, ?, ?, ?)`,
    )
    .run(vocabulary.name, state, termSignature(vocabulary), owner, heartbeatTime());
  return Number(lastInsertRowid);
}

/** Wall time in microseconds: compared between processes, so the clock of the machine and no other. */
export function heartbeatTime(): number {
  return Date.now() * 1000;
}

/**
 * Is the builder of a generation gone?
 * @param touched microseconds of its last sign of life
 */
export function isAbandoned(owner: string, touched: number): boolean {
  const silentMs = (heartbeatTime() - touched) / 1000;
  const runs = isRunning(owner);
  if (runs === undefined) return silentMs > LIFE_SIGN_MAX_MS;
  // Sorting millions of items is one call, in which nothing else can happen.
  return !runs || silentMs > HANGING_MAX_MS;
}
