import { setTimeout as sleep } from "node:timers/promises";
import type { BackgroundReporter } from "../../../core/background.js";
import type { Clock } from "../../../ports/clock.js";
import { measureOffset, refuseOffset, TOLD_MICROS } from "./clock-offset.js";
import type { Sql } from "./sql.js";

const LOOK_MS = 10_000;

/** Compares the clocks again and again, and tells where they differ by more than they may. */
export function watchClock(sql: Sql, clock: Clock, background: BackgroundReporter): { stop(): Promise<void> } {
  const ending = new AbortController();
  const watch = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        refuseOffset(await measureOffset(sql, clock), TOLD_MICROS);
        background.onBackgroundSuccess("clock");
      } catch (error) {
        if (!ending.signal.aborted) background.onBackgroundError("clock", error);
      }
      await sleep(LOOK_MS, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
    }
  };
  const watching = watch();
  return {
    stop: async () => {
      ending.abort();
      await watching;
    },
  };
}
