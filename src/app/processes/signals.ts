/** Handling of signals by every process of the program, which imports this file first. */

/** Signals that ask a program to end: by a supervisor, a user, or a terminal that is closed. */
export const END_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const;

// Without a listener Node opens its debugger on this signal, and every user of the machine can run code by it.
process.on("SIGUSR1", () => undefined);

/** Ignores signals that ask to end: another process receives them and ends this one. */
export function ignoreEndSignals(): void {
  for (const signal of END_SIGNALS) process.on(signal, () => undefined);
}
