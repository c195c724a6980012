/** A seeded stream of numbers: the same seed gives the same data on every machine. */
export interface SeededRandom {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  integer(from: number, to: number): number;
  pick<T>(values: readonly T[]): T;
}

/** Mulberry32: small, fast, good enough for test data. */
export function seeded(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return { next, integer, pick: (values) => values[integer(0, values.length - 1)]! };
}

const ONSETS = ["b", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "cl", "pr", "st"];
const RIMES = ["a", "e", "i", "o", "u", "an", "en", "in", "on", "as", "is", "os", "al", "er", "or"];

/** The word of a rank, the same for ever: made of syllables, all different. */
export function wordOfRank(rank: number): string {
  const syllables = ONSETS.length * RIMES.length;
  let word = "";
  for (let rest = rank + syllables; rest > 0; rest = Math.floor(rest / syllables)) {
    const syllable = rest % syllables;
    word += `${ONSETS[syllable % ONSETS.length]}${RIMES[Math.floor(syllable / ONSETS.length)]}`;
  }
  return word;
}

/** How many words there are: as many as a specialised corpus of some size has. */
export const WORDS = 20_000;

/** Text whose words are as unequal as those of people (Zipf): rank 1 stands everywhere, most stand almost nowhere. */
export function zipfText(random: SeededRandom, words: number): string {
  const chosen = Array.from({ length: words }, () => wordOfRank(Math.floor(WORDS ** random.next()) - 1));
  return chosen.join(" ");
}
