import type { BackgroundReporter, BackgroundTask, LookupOutcome } from "../../src/core/background.js";

/** A reporter that remembers. */
export interface Heard extends BackgroundReporter {
  /** All outcomes of a task, errors as they were. */
  all(task: BackgroundTask): readonly unknown[];
  /** The last outcome of a task: an error, or "success". */
  last(task: BackgroundTask): unknown;
  readonly damages: readonly Error[];
  /** Outcomes of questions to authorities. */
  readonly lookups: readonly LookupOutcome[];
}

export function hearBackground(): Heard {
  const damages: Error[] = [];
  const lookups: LookupOutcome[] = [];
  const outcomes = new Map<BackgroundTask, unknown[]>();
  const add = (task: BackgroundTask, outcome: unknown): void => {
    outcomes.set(task, [...(outcomes.get(task) ?? []), outcome]);
  };
  return {
    onBackgroundError: add,
    onBackgroundSuccess: (task) => add(task, "success"),
    onDamage: (error) => void damages.push(error),
    onLookup: (_, outcome) => void lookups.push(outcome),
    onThread: () => undefined,
    onCaches: () => undefined,
    damages,
    lookups,
    all: (task) => outcomes.get(task) ?? [],
    last: (task) => outcomes.get(task)?.at(-1),
  };
}
