import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";

/** Limits on streams of results: each keeps a state of the store open and a thread busy. */
export interface StreamPlaces {
  /** Takes a place. @returns a function that gives it back. @throws STREAMS_TOO_MANY */
  take(caller: string): () => void;
}

export function makeStreamPlaces(): StreamPlaces {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(caller) {
      const own = taken.get(caller) ?? 0;
      if (own >= LIMITS.streamsPerCallerMax || all >= LIMITS.streamsMax) {
        const max = own >= LIMITS.streamsPerCallerMax ? LIMITS.streamsPerCallerMax : LIMITS.streamsMax;
        throw fail("STREAMS_TOO_MANY", { max, seconds: LIMITS.searchRetrySeconds });
      }
      taken.set(caller, own + 1);
      all += 1;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        const left = (taken.get(caller) ?? 1) - 1;
        if (left === 0) taken.delete(caller);
        else taken.set(caller, left);
        all -= 1;
      };
    },
  };
}
