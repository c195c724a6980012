import { lastChangeTime } from "../../connection/change-table.js";
import { Sqlite } from "../../connection/driver.js";
import { isUnreadable } from "../../connection/map-error.js";
import { heartbeatTime } from "../store/make-generation.js";
import type { BulkLoader } from "./bulk-loader.js";

/** How much was done, and the first error of the file where it refused something. */
interface StepsOutcome {
  readonly done: number;
  readonly refusal: Error | undefined;
}

/**
 * Does `work` for one item after the other in short transactions, for each of them wholly or not at all. What the file
 * refuses is left as it is.
 * @param work gets the instant of its transaction; returns whether there was something to do
 */
export async function eachInSteps<T>(
  loader: BulkLoader,
  items: Iterable<T>,
  work: (item: T, now: number) => boolean,
): Promise<StepsOutcome> {
  const { db } = loader;
  const all = [...items];
  let at = 0;
  let done = 0;
  let refusal: Error | undefined;
  if (all.length === 0) return { done, refusal };
  await loader.steps((isLate) => {
    const now = Math.max(heartbeatTime(), lastChangeTime(db) + 1);
    while (at < all.length) {
      const item = all[at++] as T;
      const outcome = unlessRefused(() => db.raw.transaction(() => work(item, now))());
      if (outcome === true) done += 1;
      else if (outcome !== false) refusal ??= outcome;
      if (isLate()) return "more";
    }
    return "done";
  });
  return { done, refusal };
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
