import type { BackgroundReporter } from "../../../core/background.js";
import type { Clock } from "../../../ports/clock.js";
import { startSteps } from "../../background/run-steps.js";
import { measureOffset, refuseOffset, TOLD_MICROS } from "./clock-offset.js";
import type { Sql } from "./sql.js";

const LOOK_MS = 10_000;

/** Compares the clocks again and again, and tells where they differ by more than they may. */
export function watchClock(sql: Sql, clock: Clock, background: BackgroundReporter): { stop(): Promise<void> } {
  return startSteps("clock", background, async () => {
    refuseOffset(await measureOffset(sql, clock), TOLD_MICROS);
    return LOOK_MS;
  });
}
