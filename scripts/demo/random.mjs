/** Random choices that are the same in every run: a record's depend on nothing but its name. */

/** @returns {Random} @param {string} seed */
export function makeRandom(seed) {
  let state = hash(seed);
  /** From 0 to below 1 (mulberry32). */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low, high) => low + next() * (high - low);
  return {
    /** True in that share of all calls. */
    chance: (share) => next() < share,
    between,
    integer: (low, high) => Math.floor(between(low, high + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
    /** Some of the list, in its order. */
    some: (list, share) => list.filter(() => next() < share),
  };
}

/** FNV-1a */
export function hash(text) {
  let sum = 0x811c9dc5;
  for (const byte of Buffer.from(text)) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

/** Rounded to significant digits, as people write numbers down. */
export const rounded = (value, digits = 3) => Number(value.toPrecision(digits));
