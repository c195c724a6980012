/**
 * Memory that answers are written to where they are made, sent from in the thread that answers HTTP, and then used
 * again. An answer in memory of its own has to be collected as garbage there, and V8 collects after every ten megabytes
 * or so of such memory: for answers of 100 kB that took a fifth of the processor time.
 */
const PLACES = 16;

/** In bytes. Pages of ten records take a tenth of it, those of a thousand terms half. */
const PLACE_BYTES = 1024 * 1024;

const FREE = 0;
const TAKEN = 1;

/** The states of the places come first. */
const STATES_BYTES = PLACES * Int32Array.BYTES_PER_ELEMENT;

export interface AnswerMemory {
  /** A place that `giveBack` frees; where none is free, and for long answers, memory of its own. @param length bytes */
  take(length: number): Uint8Array;
}

export function makeAnswerMemory(): AnswerMemory {
  let shared: { readonly memory: SharedArrayBuffer; readonly states: Int32Array } | undefined;
  const share = () => {
    // What of it was never written to takes no memory, and the first places are taken first.
    const memory = new SharedArrayBuffer(STATES_BYTES + PLACES * PLACE_BYTES);
    return { memory, states: new Int32Array(memory, 0, PLACES) };
  };
  return {
    take(length) {
      if (length > PLACE_BYTES) return new Uint8Array(length);
      shared ??= share();
      const { memory, states } = shared;
      for (let place = 0; place < PLACES; place++) {
        if (Atomics.compareExchange(states, place, FREE, TAKEN) === FREE) {
          return new Uint8Array(memory, STATES_BYTES + place * PLACE_BYTES, length);
        }
      }
      return new Uint8Array(length);
    },
  };
}

/** Is this a place that has to be given back? */
export const isLent = ({ buffer }: Uint8Array): boolean => buffer instanceof SharedArrayBuffer;

/** Frees a place, once: nobody may read it any more. */
export function giveBack({ buffer, byteOffset }: Uint8Array): void {
  Atomics.store(new Int32Array(buffer, 0, PLACES), (byteOffset - STATES_BYTES) / PLACE_BYTES, FREE);
}
