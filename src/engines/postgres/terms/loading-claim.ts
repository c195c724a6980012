import { randomUUID } from "node:crypto";
import { fail } from "../../../core/errors.js";
import { withoutTimeLimits } from "../connection/long-statements.js";
import type { Pool, Sql } from "../connection/sql.js";

/** How often a load shows that it lives. */
const LIFE_SIGN_MS = 5_000;

/** A load without a sign of life for so long is dead, even if its process has connections. */
const DEAD_MS = 60_000;

/** A process may be between two connections for a moment. */
const UNCONNECTED_MS = 1_000;

const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** A process that was killed has no connections any more: at once, or when the database has looked for it. */
const IS_DEAD = `touched < ${NOW} - ${DEAD_MS} OR (touched < ${NOW} - ${UNCONNECTED_MS} AND holder IS NOT NULL
  AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.application_name = holder))`;

/** A load that writes has its row locked. */
const REMOVE_DEAD = `DELETE FROM term_loading WHERE load IN (
  SELECT load FROM term_loading WHERE ${IS_DEAD} FOR UPDATE SKIP LOCKED)`;

/** A load that runs. */
export interface Loading {
  /** Under which it stages what it does. */
  readonly load: string;
  /** @throws BinderyError STORE_UNAVAILABLE when another process took the load for dead */
  check(): void;
  /** Is all there that was staged? @throws BinderyError STORE_UNAVAILABLE after a crash of the database */
  checkIn(sql: Sql): Promise<void>;
  /** Both in the open transaction that writes, and needs no further sign of life. @throws as these */
  claim(sql: Sql): Promise<void>;
}

/**
 * Runs a load, the only one of its vocabulary in all processes. What it staged is removed in the end, and what dead
 * loads staged as it begins.
 * @param vocabulary absent: a dry run, beside which others may run
 * @throws BinderyError STORE_UNAVAILABLE where another load of it runs
 */
export async function whileLoading<T>(
  pool: Pool,
  vocabulary: string | undefined,
  work: (loading: Loading) => Promise<T>,
): Promise<T> {
  const load = randomUUID();
  await pool.run(REMOVE_DEAD);
  await withoutTimeLimits(pool, removeLeftovers);
  const claim = `INSERT INTO term_loading(load, vocabulary, touched, holder, since) VALUES($1, $2, ${NOW}, $3, ${NOW})
    ON CONFLICT DO NOTHING`;
  if ((await pool.run(claim, [load, vocabulary ?? null, pool.name ?? null])) === 0) {
    throw await refuseSecond(pool, String(vocabulary));
  }
  const life = showLife(pool, load);
  try {
    await pool.run(MARK, [load]);
    const checkIn = (sql: Sql): Promise<void> => checkMark(sql, load);
    const claim = async (sql: Sql): Promise<void> => {
      life.stop();
      await lockClaim(sql, load);
      await checkIn(sql);
    };
    return await work({ load, check: life.check, checkIn, claim });
  } finally {
    life.stop();
    // The load itself succeeded, or said why it did not: what stays here is removed by the next one.
    await pool
      .run("DELETE FROM term_loading WHERE load = $1", [load])
      .then(() => withoutTimeLimits(pool, removeLeftovers))
      .catch(() => undefined);
  }
}

/** Says who has the claim, and since when: it may be an import that somebody forgot, or one that was just killed. */
async function refuseSecond(sql: Sql, vocabulary: string): Promise<Error> {
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

/** Removes what was staged by loads that no longer run: a load is there before anything that it stages. */
async function removeLeftovers(sql: Sql): Promise<void> {
  for (const table of ["term_stage", "term_stage_redirect", "term_seen"] as const) {
    await sql.run(`DELETE FROM ${table} WHERE load NOT IN (SELECT load FROM term_loading)`);
  }
}

function showLife(pool: Pool, load: string): { check(): void; stop(): void } {
  let problem: unknown;
  const touch = async (): Promise<void> => {
    try {
      const written = await pool.run(`UPDATE term_loading SET touched = ${NOW} WHERE load = $1`, [load]);
      if (written === 0) problem = tookOver();
    } catch (error) {
      problem = error;
    }
  };
  const timer = setInterval(() => void touch(), LIFE_SIGN_MS).unref();
  return {
    check: () => {
      if (problem !== undefined) throw problem;
    },
    stop: () => clearInterval(timer),
  };
}

/** Stands in a table that a crash of the database empties, with all others that are not logged: no id is empty. */
const MARK = "INSERT INTO term_seen(load, ext) VALUES($1, '')";

async function checkMark(sql: Sql, load: string): Promise<void> {
  const row = await sql.row("SELECT load FROM term_seen WHERE load = $1 AND ext = ''", [load]);
  if (row !== undefined) return;
  throw fail("STORE_UNAVAILABLE", { reason: "the database was restarted during the import; import again" });
}

async function lockClaim(sql: Sql, load: string): Promise<void> {
  const row = await sql.row("SELECT load FROM term_loading WHERE load = $1 FOR UPDATE", [load]);
  if (row === undefined) throw tookOver();
}

const tookOver = (): Error =>
  fail("STORE_UNAVAILABLE", { reason: "another process took over, because this import seemed dead" });
