import { fail } from "../../../core/errors.js";

/** The time limit of one search. A call into SQLite cannot be interrupted, so it is looked at between them. */
export interface Deadline {
  /** @throws BinderyError QUERY_TOO_COSTLY when the time is over */
  check(): void;
}

/** Rows of a scan between two looks at the clock. */
export const ROWS_BETWEEN_CHECKS = 512;

/** @param name says which clause costs the time, in words that its author knows */
export function startDeadline(limitMs: number, name: () => string): Deadline {
  const until = performance.now() + limitMs;
  return {
    check() {
      if (performance.now() > until) throw fail("QUERY_TOO_COSTLY", { clause: name() });
    },
  };
}
