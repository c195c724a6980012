import { currentGeneration } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";

/** Rows whose sources one statement of a transaction changes. */
const ROWS_AT_ONCE = 500;

/**
 * Writes the sources of items that a load left as they were, after it succeeded. Nobody sees them, so that what is kept
 * of the items stays right. What is lost with a kill the next load of the source notes again.
 */
export async function noteSources(loader: BulkLoader, vocabulary: string): Promise<void> {
  const { db } = loader;
  const rows = db.sql<{ ext: string; sources: number }>(
    "SELECT ext, sources FROM scratch.origin WHERE ext > ? ORDER BY ext LIMIT ?",
  );
  let last = "";
  let batch = rows.all(last, ROWS_AT_ONCE);
  if (batch.length === 0) return;
  await loader.steps((isLate) => {
    const generation = currentGeneration(db, vocabulary);
    if (generation === undefined) return "done";
    const update = generation.sql(
      `UPDATE term_$g SET sources = ? WHERE id = (SELECT t.id FROM ext_$g e JOIN term_$g t ON t.id = e.id
         WHERE e.ext = ? AND t.ext = ? COLLATE BINARY)`,
    );
    while (batch.length > 0) {
      for (const { ext, sources } of batch) update.run(sources, ext, ext);
      last = batch.at(-1)!.ext;
      batch = rows.all(last, ROWS_AT_ONCE);
      if (isLate()) return "more";
    }
    return "done";
  });
}
