import { fail } from "../../../core/errors.js";
import type { Clock } from "../../../ports/clock.js";
import type { Sql } from "./sql.js";

/** What a statement selects so that `measuring` can compare: microseconds since 1970 by the clock of the database. */
export const DATABASE_MICROS = '(extract(epoch FROM clock_timestamp()) * 1e6)::bigint AS "databaseMicros"';

interface Told {
  readonly databaseMicros: number;
}

/** By how much the clock of this machine is ahead of that of the database; behind: negative. */
interface ClockOffset {
  readonly micros: number;
  /** It is that or up to so much more or less: nobody knows when in the round trip the database looked. */
  readonly uncertainMicros: number;
}

/** From here on operators are told. */
export const TOLD_MICROS = 2_000_000;
/** From here on nothing is written: times of records would be wrong by more than people overlook. */
export const REFUSED_MICROS = 60_000_000;

/** Runs a statement that selects `DATABASE_MICROS`, and compares that with the middle of its round trip. */
export async function measuring<Row extends Told>(
  clock: Clock,
  ask: () => Promise<Row | undefined>,
): Promise<{ readonly row: Row; readonly offset: ClockOffset }> {
  const begun = clock.nowMicros();
  const row = (await ask())!;
  const ended = clock.nowMicros();
  const uncertainMicros = Math.abs(ended - begun) / 2;
  return { row, offset: { micros: (begun + ended) / 2 - row.databaseMicros, uncertainMicros } };
}

export async function measureOffset(sql: Sql, clock: Clock): Promise<ClockOffset> {
  return (await measuring(clock, () => sql.row<Told>(`SELECT ${DATABASE_MICROS}`))).offset;
}

/** @throws BinderyError STORE_UNAVAILABLE where the clocks differ by more, whenever the database looked */
export function refuseOffset({ micros, uncertainMicros }: ClockOffset, maxMicros: number): void {
  if (Math.abs(micros) - uncertainMicros <= maxMicros) return;
  const seconds = (Math.abs(micros) / 1e6).toFixed(1);
  const how = micros > 0 ? "ahead of" : "behind";
  throw fail("STORE_UNAVAILABLE", {
    reason:
      `the clock of this machine is ${seconds} s ${how} that of the database; set it, for instance by NTP: beyond ` +
      `${REFUSED_MICROS / 1e6} s nothing is written here, and reads go on`,
  });
}
