import type { BackgroundReporter, BackgroundTask } from "../../src/core/background.js";

/** A reporter that remembers. */
export interface Heard extends BackgroundReporter {
  /** All outcomes of a task, errors as they were. */
  all(task: BackgroundTask): readonly unknown[];
  /** The last outcome of a task: an error, or "success". */
  last(task: BackgroundTask): unknown;
  readonly damages: readonly Error[];
}

export function hearBackground(): Heard {
  const damages: Error[] = [];
  const outcomes = new Map<BackgroundTask, unknown[]>();
  const add = (task: BackgroundTask, outcome: unknown): void => {
    outcomes.set(task, [...(outcomes.get(task) ?? []), outcome]);
  };
  return {
    onBackgroundError: add,
    onBackgroundSuccess: (task) => add(task, "success"),
    onDamage: (error) => void damages.push(error),
    damages,
    all: (task) => outcomes.get(task) ?? [],
    last: (task) => outcomes.get(task)?.at(-1),
  };
}
