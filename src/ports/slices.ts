/** Milliseconds that work may hold a thread which others wait for. */
const SLICE_MS = 5;

/** Work of this thread that waits for its next slice: one of them goes on in each turn of the event loop. */
const waiting: (() => void)[] = [];

function goOn(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(goOn);
}

/** Fulfilled when what came to this thread meanwhile was answered, and no other long work has the turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });
}

/** Long work in slices: between two of them others have their turn. */
export interface Slices {
  /** Awaited between the steps of the work; goes on at once while the slice lasts. */
  pause(): Promise<void>;
}

/** The first slice begins now. @param firstMs how long it may last; 0: others come first */
export function startSlices(firstMs = SLICE_MS): Slices {
  let end = performance.now() + firstMs;
  return {
    async pause() {
      if (performance.now() < end) return;
      await turn();
      end = performance.now() + SLICE_MS;
    },
  };
}
