import type { Vocabulary } from "../../../../core/catalog/types.js";
import { contentOf, rankOf } from "../../../../core/terms/term-row.js";
import { currentGeneration } from "../store/generation.js";
import type { StoredRow } from "../store/put-row.js";
import type { BulkLoader } from "./bulk-loader.js";
import { insertStaged, numbers } from "./staged-rows.js";

/** Rows that are read and compiled in one go: some ten milliseconds. */
const ROWS_AT_ONCE = 500;

/**
 * Stages what the vocabulary has beside what is loaded, so that a new generation has it too. What is written meanwhile
 * is replayed at the end; rows written from now on have higher numbers.
 * @param breathe called between two batches
 * @returns how many there are
 */
export async function stageKept(
  loader: BulkLoader,
  vocabulary: Vocabulary,
  breathe: () => Promise<void>,
): Promise<number> {
  const { db } = loader;
  const generation = currentGeneration(db, vocabulary.name);
  if (generation === undefined) return 0;
  const read = generation.sql<StoredRow>(
    `SELECT * FROM term_$g t WHERE t.id > ? AND t.id < ${generation.next}
       AND NOT EXISTS (SELECT 1 FROM scratch.item i WHERE i.ext = t.ext AND i.fresh > 0)
     ORDER BY t.id LIMIT ${ROWS_AT_ONCE}`,
  );
  const nextNumber = numbers(db);
  let count = 0;
  for (let last = 0; ; ) {
    const rows = loader.scratch(() => {
      const some = read.all(last);
      for (const row of some) insertKept(loader, vocabulary, nextNumber(), row);
      return some;
    });
    count += rows.length;
    if (rows.length < ROWS_AT_ONCE) return count;
    last = rows.at(-1)!.id;
    await breathe();
  }
}

function insertKept({ db }: BulkLoader, vocabulary: Vocabulary, n: number, row: StoredRow): void {
  const content = contentOf(row);
  const { created, revision, hash, successor, sources, rest } = row;
  insertStaged(db, vocabulary, n, content, {
    ...rankOf(content, vocabulary),
    ...{ line: null, fresh: -1, isMoved: false, created, revision, hash, successor, sources, rest },
    ...{ patch: null, changes: null },
  });
}
