import { randomUUID } from "node:crypto";
import { fail } from "../../../core/errors.js";
import { withoutTimeLimits } from "../connection/long-statements.js";
import type { Pool, Sql } from "../connection/sql.js";

/** Interval of the heartbeat of a load. */
const HEARTBEAT_MS = 5_000;

/** A load without a heartbeat for this time is dead, even if its process has connections. */
const DEAD_MS = 60_000;

/** A process may have no connection for this time while it reconnects. */
const UNCONNECTED_MS = 1_000;

const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** A killed process loses its connections, at once or when the database notices it. */
const IS_DEAD = `touched < ${NOW} - ${DEAD_MS} OR (touched < ${NOW} - ${UNCONNECTED_MS} AND holder IS NOT NULL
  AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.application_name = holder))`;

/** Removes dead loads, except a load that is writing: its row is locked. */
const REMOVE_DEAD = `DELETE FROM term_loading WHERE load IN (
  SELECT load FROM term_loading WHERE ${IS_DEAD} FOR UPDATE SKIP LOCKED)`;

/** A running load. */
export interface RunningLoad {
  /** Id of the load in the staging tables. */
  readonly load: string;
  /** @throws BinderyError STORE_UNAVAILABLE if another process removed the load as dead */
  check(): void;
  /** Checks that the staging tables were not emptied. @throws BinderyError STORE_UNAVAILABLE after a database crash */
  checkIn(sql: Sql): Promise<void>;
  /** Runs both checks in the open transaction that writes, and ends the heartbeat. @throws like both */
  claim(sql: Sql): Promise<void>;
}

/**
 * Runs a load. Only one load per vocabulary can run, over all processes. Removes the staged rows of dead loads at the
 * start, and its own at the end.
 * @param vocabulary undefined for a dry run, which does not exclude others
 * @throws BinderyError STORE_UNAVAILABLE if another load of the vocabulary is running
 */
export async function whileLoading<T>(
  pool: Pool,
  vocabulary: string | undefined,
  work: (loading: RunningLoad) => Promise<T>,
): Promise<T> {
  const load = randomUUID();
  await pool.run(REMOVE_DEAD);
  await withoutTimeLimits(pool, removeLeftovers);
  const claim = `INSERT INTO term_loading(load, vocabulary, touched, holder, since) VALUES($1, $2, ${NOW}, $3, ${NOW})
    ON CONFLICT DO NOTHING`;
  if ((await pool.run(claim, [load, vocabulary ?? null, pool.name ?? null])) === 0) {
    throw await alreadyRunningError(pool, String(vocabulary));
  }
  const heartbeat = startHeartbeat(pool, load);
  try {
    await pool.run(MARK, [load]);
    const checkIn = (sql: Sql): Promise<void> => checkMark(sql, load);
    const claim = async (sql: Sql): Promise<void> => {
      heartbeat.stop();
      await lockClaim(sql, load);
      await checkIn(sql);
    };
    return await work({ load, check: heartbeat.check, checkIn, claim });
  } finally {
    heartbeat.stop();
    // The load has its result or error. If this fails, the next load removes the rows.
    await pool
      .run("DELETE FROM term_loading WHERE load = $1", [load])
      .then(() => withoutTimeLimits(pool, removeLeftovers))
      .catch(() => undefined);
  }
}

/** Returns an error with the process that has the claim: it may be a forgotten import, or one that was just killed. */
async function alreadyRunningError(sql: Sql, vocabulary: string): Promise<Error> {
  const row = await sql.row<{ readonly holder: string | null; readonly since: number | null }>(
    "SELECT holder, since FROM term_loading WHERE vocabulary = $1",
    [vocabulary],
  );
  const [, host, pid] = row?.holder?.split(" ") ?? [];
  const place = host === undefined ? "" : ` on ${host} (process ${pid})`;
  const time = row?.since == null ? "" : ` since ${new Date(row.since).toISOString()}`;
  return fail("STORE_UNAVAILABLE", {
    reason: `another import into ${vocabulary} is running${place}${time}`,
    cure: "Wait until it ends. If its process was killed, this one can begin within 5 seconds.",
  });
}

/** Removes rows that were staged by loads that no longer run. A load is registered before it stages rows. */
async function removeLeftovers(sql: Sql): Promise<void> {
  for (const table of ["term_stage", "term_stage_redirect", "term_seen"] as const) {
    await sql.run(`DELETE FROM ${table} WHERE load NOT IN (SELECT load FROM term_loading)`);
  }
}

/** Updates the heartbeat of a load regularly. `check` throws the last error. */
function startHeartbeat(pool: Pool, load: string): { check(): void; stop(): void } {
  let problem: unknown;
  const touch = async (): Promise<void> => {
    try {
      const written = await pool.run(`UPDATE term_loading SET touched = ${NOW} WHERE load = $1`, [load]);
      if (written === 0) problem = takenOverError();
    } catch (error) {
      problem = error;
    }
  };
  const timer = setInterval(() => void touch(), HEARTBEAT_MS).unref();
  return {
    check: () => {
      if (problem !== undefined) throw problem;
    },
    stop: () => clearInterval(timer),
  };
}

/** Row of an unlogged table, which a crash of the database empties like the other staging tables. No id is empty. */
const MARK = "INSERT INTO term_seen(load, ext) VALUES($1, '')";

async function checkMark(sql: Sql, load: string): Promise<void> {
  const row = await sql.row("SELECT load FROM term_seen WHERE load = $1 AND ext = ''", [load]);
  if (row !== undefined) return;
  throw fail("STORE_UNAVAILABLE", { reason: "the database was restarted during the import; import again" });
}

async function lockClaim(sql: Sql, load: string): Promise<void> {
  const row = await sql.row("SELECT load FROM term_loading WHERE load = $1 FOR UPDATE", [load]);
  if (row === undefined) throw takenOverError();
}

const takenOverError = (): Error =>
  fail("STORE_UNAVAILABLE", { reason: "another process took over, because this import seemed dead" });
