/** Detects that a thread or process does not respond: its event loop is blocked, or the process is stopped. */

/** A watch over one worker. */
export interface Signs {
  /** Notes a message of the worker, which is a sign of life. */
  note(): void;
  stop(): void;
}

interface SignOptions {
  /** Interval between probes, in milliseconds. */
  readonly everyMs: number;
  /** Returns the time without a message after which the worker counts as dead, in milliseconds. */
  silentMs(): number;
  /** Asks the worker for a message. */
  probe(): void;
  /** Called when the worker has missed two probes, and when it responds again. */
  onChange(isSilent: boolean): void;
  onDead(): void;
}

/**
 * Watches a worker. Counts probes instead of time, so that a suspended process does not declare its threads dead when
 * it resumes.
 */
export function watchSigns({ everyMs, silentMs, probe, onChange, onDead }: SignOptions): Signs {
  let missed = -1;
  const timer = setInterval(() => {
    missed += 1;
    if (missed === 2) onChange(true);
    if (missed * everyMs >= silentMs()) onDead();
    else probe();
  }, everyMs).unref();
  return {
    note: () => {
      if (missed >= 2) onChange(false);
      missed = -1;
    },
    stop: () => clearInterval(timer),
  };
}
