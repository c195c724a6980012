import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "../connection/sql.js";
import type { RunTransaction } from "../connection/write-transaction.js";
import { followSome } from "./follow-terms.js";

/** Searches judge beside the index what it lacks, up to a bound, which is greater by default. */
const BEHIND_MAX = 1_000;

/** Where nobody feeds the index, nobody searches either. */
const WAIT_MS_MAX = 2_000;
const LOOK_MS = 50;

/** Changes that the index lacks which searches ask: one of another catalog may not be fed any more. */
const BEHIND = `SELECT coalesce(max(head.seq - i.applied), 0)::bigint AS behind
  FROM feed_head head, index_state i WHERE i.current`;

/**
 * Has records follow all terms whose citers were left for later. Whoever waits for it finds them by what these terms
 * are now. The index is given time to take some hundred records before the next ones change.
 */
export async function followAll(pool: Pool, transaction: RunTransaction): Promise<void> {
  while (await followSome(transaction)) await waitForIndex(pool);
}

async function waitForIndex(pool: Pool): Promise<void> {
  for (const until = performance.now() + WAIT_MS_MAX; performance.now() < until; await sleep(LOOK_MS)) {
    const { behind } = (await pool.row<{ readonly behind: number }>(BEHIND))!;
    if (behind <= BEHIND_MAX) return;
  }
}
