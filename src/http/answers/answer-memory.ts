/**
 * Shared memory for answers: the thread that runs a search writes an answer to it, and the thread that answers HTTP
 * sends the answer from it. Each place is reused. Separate memory for each answer would be garbage of the HTTP thread,
 * and V8 collects garbage after about ten megabytes of such memory: for answers of 100 kB this took a fifth of the
 * processor time.
 */
const PLACES = 16;

/** Size of a place. A page of ten records takes a tenth of it, a page of a thousand terms half of it. */
const PLACE_BYTES = 1024 * 1024;

const FREE = 0;
const TAKEN = 1;

/** The memory begins with the states of the places. */
const STATES_BYTES = PLACES * Int32Array.BYTES_PER_ELEMENT;

/** Places for answers, which two threads share. */
export interface AnswerMemory {
  /**
   * Takes a place, which `releasePlace` frees. Returns new memory if no place is free or the answer is longer than a
   * place.
   * @param length number of bytes
   */
  take(length: number): Uint8Array;
}

/** Makes the places of a thread. */
export function makeAnswerMemory(): AnswerMemory {
  let shared: { readonly memory: SharedArrayBuffer; readonly states: Int32Array } | undefined;
  const share = () => {
    // The system provides memory only for pages that are written, so the first places are preferred.
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

/** Returns whether bytes are in a place that must be released. */
export const isPlace = ({ buffer }: Uint8Array): boolean => buffer instanceof SharedArrayBuffer;

/** Frees a place. Must be called once; afterwards nothing may read the place. */
export function releasePlace({ buffer, byteOffset }: Uint8Array): void {
  Atomics.store(new Int32Array(buffer, 0, PLACES), (byteOffset - STATES_BYTES) / PLACE_BYTES, FREE);
}
