/** Duration of a slice. */
const SLICE_MS = 5;

/** Long tasks of this event loop that wait for their next slice. One of them continues in each turn of the loop. */
const waiting: (() => void)[] = [];

function resumeNext(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/** Waits until the event loop has handled what arrived, and until no other long task is first in the queue. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext);
  });
}

/** Splits long work so that the event loop can run other tasks in between. */
export interface Slices {
  /** Returns at once during a slice. At its end, waits for the next one. Call it between the steps of the work. */
  pause(): Promise<void>;
}

/** Starts the first slice. @param firstMs duration of the first slice; with 0, other tasks run first */
export function startSlices(firstMs = SLICE_MS): Slices {
  let end = performance.now() + firstMs;
  return {
    async pause() {
      if (performance.now() < end) return;
      await nextTurn();
      end = performance.now() + SLICE_MS;
    },
  };
}
