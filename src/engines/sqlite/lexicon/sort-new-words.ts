import type { Db } from "../connection/database.js";
import type { Writer } from "../connection/write-connection.js";

/** So many new words are given their places at once: the more, the more of them go to the same pages. */
export const NEW_WORDS_MAX = 20_000;

/** Words of one transaction: some milliseconds; and where nobody waits for it. */
const WORDS_AT_ONCE = 500;
const WORDS_AT_ONCE_ALONE = 10_000;

/** Are there as many new words as may be? */
export function hasManyNewWords(db: Db): boolean {
  return (db.sql<number>("SELECT max(id) - min(id) FROM new_word").pluck().get() ?? 0) >= NEW_WORDS_MAX;
}

/**
 * Moves the words of `new_word` into `word`, in short transactions and in the order of the words. Each is in both
 * tables until all have been moved, under the same number: whoever reads finds all of them at any time, and one that is
 * stopped begins anew. Two processes may do it at once.
 * @param isStopped asked before each transaction
 */
export async function sortNewWords(writer: Writer, isStopped = (): boolean => false): Promise<void> {
  const { db } = writer;
  if (isStopped()) return;
  const inOrder = "SELECT id, word FROM new_word ORDER BY word, id";
  const rows = await writer.between(() => db.sql<[number, string]>(inOrder).raw().all());
  const last = rows.reduce((most, [id]) => Math.max(most, id), 0);
  for (let at = 0; at < rows.length; ) {
    if (isStopped()) return;
    const end = at + (writer.isAlone() ? WORDS_AT_ONCE_ALONE : WORDS_AT_ONCE);
    const slice = rows.slice(at, end);
    await writer.run(() => {
      const add = db.sql("INSERT INTO word(id, word) VALUES(?, ?) ON CONFLICT DO NOTHING");
      for (const row of slice) add.run(...row);
    });
    at = end;
  }
  if (rows.length > 0 && !isStopped()) await writer.run(() => db.sql("DELETE FROM new_word WHERE id <= ?").run(last));
}
