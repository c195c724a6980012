import { uptime } from "node:os";
import type { BackgroundReporter } from "../../core/background.js";
import { fail } from "../../core/errors.js";
import { formatInstant } from "../../core/time.js";
import type { Clock } from "../../ports/environment.js";
import { startSteps } from "./run-steps.js";

/** Time by which the last change may lie in the future without a warning. */
const WARNED_MICROS = 60_000_000;

const HOUR_MICROS = 3_600_000_000;

/** Refuses writes at an instant that would falsify all later dates: the dates of changes only rise. */
export interface JumpGuard {
  /** @param lastMicros time of the last change of the store @throws BinderyError STORE_UNAVAILABLE */
  check(lastMicros: number): void;
}

/**
 * Makes a guard against jumps of the clock. It compares the clock with the time that has passed since this call, so it
 * notices no earlier jump: a store that rested for a month looks the same. Time in which the machine was suspended
 * counts: the uptime of the machine includes it, unlike `performance.now()`, which costs no system call.
 *
 * @param maxMicros by how far the clock may jump ahead, or the last change lie ahead of the clock; 0: by any time
 */
export function makeJumpGuard(clock: Clock, maxMicros: number): JumpGuard {
  if (maxMicros === 0) return { check: () => undefined };
  const awakeMicros = (): number => performance.now() * 1_000;
  const uptimeMicros = (): number => uptime() * 1_000_000;
  const start = { clock: clock.nowMicros(), awake: awakeMicros(), uptime: uptimeMicros() };
  const jumpMicros = (now: number): number => {
    const jump = now - start.clock - (awakeMicros() - start.awake);
    return jump > maxMicros ? Math.min(jump, now - start.clock - (uptimeMicros() - start.uptime)) : jump;
  };
  return {
    check: (lastMicros) => {
      const now = clock.nowMicros();
      const jump = jumpMicros(now);
      if (jump > maxMicros) {
        throw fail("STORE_UNAVAILABLE", {
          reason: `the clock of this machine jumped ahead by ${hours(jump)} while the service was running`,
          cure: "Set the clock, for instance by NTP; if it is right, restart the service.",
        });
      }
      if (lastMicros - now > maxMicros) {
        const cure = `If the clock is right, see docs/operating.md, "A wrong clock".`;
        throw fail("STORE_UNAVAILABLE", { reason: lastChangeAhead(lastMicros, now), cure });
      }
    },
  };
}

/** Interval at which the last change is compared with the clock. */
const CHECK_INTERVAL_MS = 10_000;

/**
 * Warns the operator while the last change of a store lies in the future: the clock was ahead when it was written.
 * @param readLast reads the time of the last change, in microseconds; other tasks report its failures
 */
export function watchLastChange(
  readLast: () => Promise<number>,
  clock: Clock,
  background: BackgroundReporter,
): { stop(): Promise<void> } {
  return startSteps("last-change", background, async () => {
    const last = await readLast().catch(() => 0);
    const now = clock.nowMicros();
    if (last - now <= WARNED_MICROS) return CHECK_INTERVAL_MS;
    throw new Error(
      `The clock was wrong: ${lastChangeAhead(last, now)}. Until the clock has passed it, new changes get dates just ` +
        'after it. See docs/operating.md, "A wrong clock".',
    );
  });
}

function lastChangeAhead(lastMicros: number, now: number): string {
  return `the last change is dated ${formatInstant(lastMicros)}, ${hours(lastMicros - now)} ahead of the clock`;
}

const hours = (micros: number): string => `${(micros / HOUR_MICROS).toFixed(1)} h`;
