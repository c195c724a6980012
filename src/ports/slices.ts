import { setImmediate as turn } from "node:timers/promises";

/** Milliseconds that work may hold a thread which others wait for. */
const SLICE_MS = 5;

/** Long work in slices: between two of them others have their turn. */
export interface Slices {
  /** Awaited between the steps of the work; goes on at once while the slice lasts. */
  pause(): Promise<void>;
}

/** The first slice begins now. */
export function startSlices(): Slices {
  let end = performance.now() + SLICE_MS;
  return {
    async pause() {
      if (performance.now() < end) return;
      await turn();
      end = performance.now() + SLICE_MS;
    },
  };
}
