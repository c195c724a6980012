import type { Catalog } from "../../../core/catalog/types.js";
import { lastChangeTime } from "../connection/change-table.js";
import { Sqlite } from "../connection/driver.js";
import { isUnreadable } from "../connection/map-error.js";
import type { Writer } from "../connection/write-connection.js";
import type { RecordWriting } from "../records/record-writer.js";
import type { BulkLoader } from "../vocabulary/load/bulk-loader.js";
import { heartbeatTime } from "../vocabulary/store/make-generation.js";

/** What repair needs. All of it writes through the loader, in short transactions with the lock left free between. */
export interface RepairContext {
  readonly writer: Writer;
  readonly loader: BulkLoader;
  readonly writing: RecordWriting;
  readonly catalog: Catalog;
  /** Counts what was repaired. */
  count(kind: string, times: number): void;
}

/**
 * Repairs one item after the other, each whole or not at all. What the file refuses is left as it is: the verification
 * after it finds it again.
 * @returns the first error of the file; undefined where it refused nothing
 * @param repair gets the instant of its transaction; returns whether there was something to repair
 */
export async function repairEach<T>(
  { loader, count }: Pick<RepairContext, "loader" | "count">,
  kind: string,
  items: Iterable<T>,
  repair: (item: T, now: number) => boolean,
): Promise<Error | undefined> {
  const all = [...items];
  const { db } = loader;
  let at = 0;
  let repaired = 0;
  let refusal: Error | undefined;
  if (all.length === 0) return undefined;
  await loader.steps((isLate) => {
    const now = Math.max(heartbeatTime(), lastChangeTime(db) + 1);
    while (at < all.length) {
      const item = all[at++] as T;
      const done = unlessRefused(() => db.raw.transaction(() => repair(item, now))());
      if (done === true) repaired += 1;
      else if (done !== false) refusal ??= done;
      if (isLate()) return "more";
    }
    return "done";
  });
  count(kind, repaired);
  return refusal;
}

/** What `work` returns, or the error of the file. */
function unlessRefused(work: () => boolean): boolean | Error {
  try {
    return work();
  } catch (error) {
    const isConstraint = error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_CONSTRAINT");
    if (!(isConstraint || isUnreadable(error))) throw error;
    return error;
  }
}
