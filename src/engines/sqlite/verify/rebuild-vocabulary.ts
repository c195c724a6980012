import type { Vocabulary } from "../../../core/catalog/types.js";
import { BinderyError } from "../../../core/errors.js";
import { readItem } from "../../verify/compare-item.js";
import type { Writer } from "../connection/write-connection.js";
import type { BulkLoader } from "../vocabulary/load/bulk-loader.js";
import { dropGenerations } from "../vocabulary/load/drop-generations.js";
import { eachInSteps } from "../vocabulary/load/each-in-steps.js";
import { remakeGeneration } from "../vocabulary/load/load-terms.js";
import { currentGeneration, type Generation } from "../vocabulary/store/generation.js";
import type { StoredRow } from "../vocabulary/store/put-row.js";

/**
 * Makes a vocabulary again as a new generation, from the content of its items.
 * @returns false where an item cannot be read, or an import is running, which makes it anew as well
 */
export async function rebuildVocabulary(writer: Writer, loader: BulkLoader, vocabulary: Vocabulary): Promise<boolean> {
  const { db } = loader;
  const ids = currentGeneration(db, vocabulary.name)?.sql<number>("SELECT id FROM term_$g ORDER BY id").pluck().all();
  // Rows from this number on would be taken for written during the rebuild.
  await writer.run(() => {
    const next = "max(next, (SELECT coalesce(max(id), 0) + 1 FROM term_$g))";
    currentGeneration(writer.db, vocabulary.name)?.sql(`UPDATE generation SET next = ${next} WHERE g = $g`).run();
  });
  let isReadable = true;
  const { refusal } = await eachInSteps(loader, ids ?? [], (id) => {
    const generation = currentGeneration(db, vocabulary.name);
    if (generation !== undefined && !rebuildRow(generation, vocabulary, id)) isReadable = false;
    return true;
  });
  if (!isReadable || refusal !== undefined) return false;
  try {
    await remakeGeneration(writer, vocabulary, () => false);
    return true;
  } catch (error) {
    if (!(error instanceof BinderyError)) throw error;
    return false;
  }
}

/** A row as its content makes it; of several rows under one id the last one stays. @returns whether it can be read */
function rebuildRow(generation: Generation, vocabulary: Vocabulary, id: number): boolean {
  const row = generation.sql<StoredRow>("SELECT * FROM term_$g WHERE id = ?").get(id);
  if (row === undefined) return true;
  const later = generation.sql(
    `SELECT 1 FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? AND t.ext = ? COLLATE BINARY AND t.id > ?`,
  );
  if (later.get(row.ext, row.ext, id) !== undefined) {
    generation.sql("DELETE FROM term_$g WHERE id = ?").run(id);
    return true;
  }
  const item = readItem(row, vocabulary);
  if (typeof item === "string") return false;
  if (item.wrong.length > 0) {
    const columns = Object.keys(item.expected).map((column) => `${column} = @${column}`);
    generation.sql(`UPDATE term_$g SET ${columns.join(", ")} WHERE id = @id`).run({ ...item.expected, id });
  }
  return true;
}

const LEFTOVER = `INSERT INTO generation(g, vocabulary, state, ranked, active, next, count, writes, nested, signature,
  owner, touched) VALUES(?, '', 'dropping', 0, 0, 1, 0, 0, 0, '', '', 0) ON CONFLICT DO NOTHING`;

/** What belongs to no generation is noted as one that is to be dropped, and dropped as any other. @returns how many */
export async function dropLeftovers(loader: BulkLoader, numbers: ReadonlySet<number>): Promise<number> {
  const { done } = await eachInSteps(loader, numbers, (g) => loader.db.sql(LEFTOVER).run(g).changes > 0);
  if (done > 0) await dropGenerations(loader);
  return done;
}
