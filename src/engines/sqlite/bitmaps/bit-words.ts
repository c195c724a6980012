/** Sets of numbers with one bit each in words of 32 bits. Two sets are combined and counted in one pass. */

export interface CountedBits {
  readonly bits: Uint32Array;
  /** Number of set bits. */
  readonly count: number;
}

/** Returns the number of words for numbers below `end`. */
export const wordsFor = (end: number): number => Math.ceil(end / 32);

/** Returns whether the bit of a number is set. */
export const hasBit = (bits: Uint32Array, id: number): boolean =>
  id >>> 5 < bits.length && ((bits[id >>> 5]! >>> (id & 31)) & 1) === 1;

/** Returns the number of the lowest set bit in a word that is not 0. */
export const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);

/** Returns the number of set bits. */
export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let w = 0; w < bits.length; w++) count += bitsIn(bits[w]!);
  return count;
}

function bitsIn(word: number): number {
  const pairs = (word - ((word >>> 1) & 0x55555555)) | 0;
  const fours = ((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)) | 0;
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns the bits that are set in both. */
export function andBits(a: Uint32Array, b: Uint32Array): CountedBits {
  const bits = new Uint32Array(Math.min(a.length, b.length));
  let count = 0;
  for (let w = 0; w < bits.length; w++) {
    const word = a[w]! & b[w]!;
    bits[w] = word;
    count += bitsIn(word);
  }
  return { bits, count };
}

/** Returns the bits that are set in the first only. */
export function andNotBits(a: Uint32Array, b: Uint32Array): CountedBits {
  const bits = new Uint32Array(a.length);
  let count = 0;
  for (let w = 0; w < bits.length; w++) {
    const word = a[w]! & (w < b.length ? ~b[w]! : -1);
    bits[w] = word;
    count += bitsIn(word);
  }
  return { bits, count };
}

/** Returns the bits that are set in either. */
export function orBits(a: Uint32Array, b: Uint32Array): CountedBits {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  const bits = new Uint32Array(long.length);
  let count = 0;
  for (let w = 0; w < bits.length; w++) {
    const word = long[w]! | (w < short.length ? short[w]! : 0);
    bits[w] = word;
    count += bitsIn(word);
  }
  return { bits, count };
}
