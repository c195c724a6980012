import type { Catalog } from "../../../core/catalog/types.js";
import { lastChangeTime } from "../change.js";
import { Sqlite } from "../driver.js";
import type { RecordWriting } from "../record-writer.js";
import type { Loader } from "../terms/loader.js";
import { lifeSign } from "../terms/make-generation.js";
import type { Writer } from "../transaction.js";

/** What mending needs. All of it writes through the loader, in short transactions with the lock left free between. */
export interface Mending {
  readonly writer: Writer;
  readonly loader: Loader;
  readonly writing: RecordWriting;
  readonly catalog: Catalog;
  /** Counts what was mended. */
  count(kind: string, times: number): void;
}

/**
 * Mends one thing after the other, each whole or not at all. What the file refuses is left as it is: the verification
 * after it finds it again.
 * @param mend gets the instant of its transaction; returns whether there was something to mend
 */
export async function mendEach<T>(
  { loader, count }: Pick<Mending, "loader" | "count">,
  kind: string,
  items: Iterable<T>,
  mend: (item: T, now: number) => boolean,
): Promise<void> {
  const all = [...items];
  const { db } = loader;
  let at = 0;
  let mended = 0;
  if (all.length === 0) return;
  await loader.steps((isLate) => {
    const now = Math.max(lifeSign(), lastChangeTime(db) + 1);
    while (at < all.length) {
      const item = all[at++] as T;
      if (unlessRefused(() => db.raw.transaction(() => mend(item, now))())) mended += 1;
      if (isLate()) return "more";
    }
    return "done";
  });
  count(kind, mended);
}

function unlessRefused(work: () => boolean): boolean {
  try {
    return work();
  } catch (error) {
    const isOfFile = error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|CONSTRAINT)/.test(error.code);
    if (!isOfFile) throw error;
    return false;
  }
}
