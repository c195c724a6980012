import { fail } from "../../../core/errors.js";

/** The time limit of one search. SQLite calls cannot be interrupted, so it is checked between them. */
export interface Deadline {
  /** @throws BinderyError QUERY_TOO_COSTLY when the time is over */
  check(): void;
}

/** Number of scanned rows between two checks of the time. */
export const ROWS_BETWEEN_CHECKS = 512;

/** Starts a time limit. @param name returns the clause that is being run, in words that its author knows */
export function startDeadline(limitMs: number, name: () => string): Deadline {
  const until = performance.now() + limitMs;
  return {
    check() {
      if (performance.now() > until) throw fail("QUERY_TOO_COSTLY", { clause: name() });
    },
  };
}
