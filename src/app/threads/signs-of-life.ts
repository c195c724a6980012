/** Whether a thread or process still answers: its event loop may be blocked, or the process stopped. */

/** The signs of life of one worker. */
export interface Signs {
  /** A message came from it. */
  note(): void;
  stop(): void;
}

interface SignOptions {
  readonly everyMs: number;
  /** After how much silence it counts as dead, in milliseconds. */
  silentMs(): number;
  /** Asks for a message. */
  probe(): void;
  /** It missed two probes, or answers again. */
  onChange(isSilent: boolean): void;
  onDead(): void;
}

/** Counts probes and not time: a process that was stopped itself must not take its threads for dead. */
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
