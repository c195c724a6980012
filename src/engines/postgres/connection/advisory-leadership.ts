import { setTimeout as sleep } from "node:timers/promises";
import type { Lead, Leadership } from "../../../ports/engine.js";
import type { Connection, Pool } from "./sql.js";

/** Interval at which waiting nodes try to lead, and the leader checks its connection. */
const CHECK_INTERVAL_MS = 1_000;

const TRY_LOCK = "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS leads";

/**
 * Makes a leadership: the leader holds an advisory lock on a connection of its own. The lock ends with the connection:
 * immediately if the process ends, and when TCP notices if its machine fails.
 */
export function makeLeadership(pool: Pool): Leadership {
  return {
    async lead(task, signal) {
      const name = `leader ${task}`;
      while (!signal.aborted) {
        const connection = await tryToLead(pool, name);
        if (connection !== undefined) return makeLead(connection, name);
        await sleep(CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
      return undefined;
    },
  };
}

/**
 * Tries once. @returns the connection with the lock; undefined if another node leads or the database does not answer
 */
async function tryToLead(pool: Pool, name: string): Promise<Connection | undefined> {
  const connection = await pool.connect().catch(() => undefined);
  if (connection === undefined) return undefined;
  try {
    const row = await connection.row<{ readonly leads: boolean }>(TRY_LOCK, [name]);
    if (row?.leads === true) return connection;
    connection.release();
  } catch {
    connection.release(true);
  }
  return undefined;
}

function makeLead(connection: Connection, name: string): Lead {
  const lost = new AbortController();
  const ended = new AbortController();
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await sleep(CHECK_INTERVAL_MS, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
      if (!ended.signal.aborted) await connection.row("SELECT 1");
    }
  };
  const watching = watch().catch(() => lost.abort());
  return {
    lost: lost.signal,
    giveBack: async () => {
      ended.abort();
      await watching;
      const isFree = await connection.row("SELECT pg_advisory_unlock(hashtextextended($1, 0))", [name]).then(
        () => true,
        () => false,
      );
      connection.release(!isFree);
    },
  };
}
