import type { BackgroundReporter } from "../../../core/background.js";
import { fail } from "../../../core/errors.js";
import type { Clock } from "../../../ports/environment.js";
import { startSteps } from "../../background/run-steps.js";
import type { Sql } from "./sql.js";

/** SQL for the clock of the database in microseconds since 1970, see `withOffset`. */
export const DATABASE_MICROS = '(extract(epoch FROM clock_timestamp()) * 1e6)::bigint AS "databaseMicros"';

interface DatabaseTime {
  readonly databaseMicros: number;
}

/** Time by which the clock of this machine is ahead of that of the database; negative if it is behind. */
interface ClockOffset {
  readonly micros: number;
  /**
   * Maximum error of the offset, because the moment at which the database read its clock is unknown within the round
   * trip.
   */
  readonly uncertainMicros: number;
}

/** Offset from which operators are warned. */
const WARNED_MICROS = 2_000_000;
/** Offset from which writes are refused, because the times of records would be noticeably wrong. */
export const REFUSED_MICROS = 60_000_000;

/** Runs a statement that selects `DATABASE_MICROS`, and compares it with the middle of the round trip. */
export async function withOffset<Row extends DatabaseTime>(
  clock: Clock,
  ask: () => Promise<Row | undefined>,
): Promise<{ readonly row: Row; readonly offset: ClockOffset }> {
  const startMicros = clock.nowMicros();
  const row = (await ask())!;
  const endMicros = clock.nowMicros();
  const uncertainMicros = Math.abs(endMicros - startMicros) / 2;
  return { row, offset: { micros: (startMicros + endMicros) / 2 - row.databaseMicros, uncertainMicros } };
}

/** Measures by how much the clock of this machine differs from that of the database. */
export async function measureOffset(sql: Sql, clock: Clock): Promise<ClockOffset> {
  return (await withOffset(clock, () => sql.row<DatabaseTime>(`SELECT ${DATABASE_MICROS}`))).offset;
}

/** Checks an offset. @throws BinderyError STORE_UNAVAILABLE if the clocks certainly differ by more */
export function refuseOffset({ micros, uncertainMicros }: ClockOffset, maxMicros: number): void {
  if (Math.abs(micros) - uncertainMicros <= maxMicros) return;
  const seconds = (Math.abs(micros) / 1e6).toFixed(1);
  const direction = micros > 0 ? "ahead of" : "behind";
  throw fail("STORE_UNAVAILABLE", {
    reason:
      `the clock of this machine is ${seconds} s ${direction} that of the database; set it, for instance by NTP: ` +
      `beyond ${REFUSED_MICROS / 1e6} s nothing is written here, and reads go on`,
  });
}

const CHECK_INTERVAL_MS = 10_000;

/** Compares the clocks repeatedly, and reports a difference above the limit. */
export function watchClock(sql: Sql, clock: Clock, background: BackgroundReporter): { stop(): Promise<void> } {
  return startSteps("clock", background, async () => {
    refuseOffset(await measureOffset(sql, clock), WARNED_MICROS);
    return CHECK_INTERVAL_MS;
  });
}
