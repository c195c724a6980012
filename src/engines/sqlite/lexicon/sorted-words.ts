/**
 * Distinct words in the order of their UTF-8 bytes, all in one byte array: a million words take some 16 MB and are
 * scanned in milliseconds. A list is immutable.
 */
export interface WordList {
  readonly size: number;
  /** Bytes in memory. */
  readonly bytes: number;
  word(n: number): string;
  /** Returns the words with the prefix whose rest passes the test, in list order. */
  beginning(beginning: string, test: (rest: string) => boolean): string[];
  /** Returns the words within the edit distance, in list order. */
  similar(wanted: Similarity): string[];
  /** Returns the shortest prefixes of words within the edit distance, in list order. */
  similarBeginnings(wanted: Similarity): string[];
}

/** A word and a maximum number of edits, see `makeEditTest`. */
export interface Similarity {
  readonly word: string;
  readonly edits: 1 | 2;
}

/** Sorts after every character of a word. */
const LAST_CHARACTER = "\u{10ffff}";

const BLANK = 0x20;

/** Maximum number of shared bytes that is stored for two neighbours. */
const SHARED_MAX = 255;

/**
 * Makes a list.
 * @param texts words in ascending order, each followed by a blank or the end of its text
 * @param gramsFrom number of words from which the list has an index of grams
 */
export function makeWordList(texts: Iterable<string>, gramsFrom?: number): WordList {
  const steps = wordListSteps(texts, gramsFrom);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Makes the same list in steps of some milliseconds. */
export function* wordListSteps(texts: Iterable<string>, gramsFrom = GRAMS_WORDS_MIN): Generator<void, WordList> {
  const parts = [...texts].map((text) => Buffer.from(text, "utf8"));
  const { text, ends } = yield* joinWords(parts);
  const shared = yield* sharedBeginnings(text, ends);
  const grams = shared.length < gramsFrom ? undefined : yield* indexGrams({ text, ends, shared });
  return makeListOfLayout({ text, ends, shared, least: leastShared(shared), grams });
}

function* joinWords(parts: readonly Buffer[]): Generator<void, { text: Uint8Array; ends: Uint32Array }> {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const text = new Uint8Array(size);
  // Word n reaches from ends[n] to ends[n + 1].
  let ends = new Uint32Array(Math.ceil(size / 8) + 2);
  let at = 0;
  let n = 0;
  const close = (): void => {
    if (at === ends[n]) return;
    if (n + 2 > ends.length) {
      const larger = new Uint32Array(ends.length * 2);
      larger.set(ends);
      ends = larger;
    }
    ends[++n] = at;
  };
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      const byte = part[i]!;
      if (byte === BLANK) close();
      else text[at++] = byte;
    }
    close();
    yield;
  }
  return { text: text.slice(0, at), ends: ends.slice(0, n + 1) };
}

/** Words per step, a power of two. */
const STEP_WORDS = 1 << 16;

/** Returns for each word the number of bytes that it shares with the previous one, in whole characters. */
function* sharedBeginnings(text: Uint8Array, ends: Uint32Array): Generator<void, Uint8Array> {
  const shared = new Uint8Array(Math.max(0, ends.length - 1));
  for (let n = 1; n < shared.length; n++) {
    const previousStart = ends[n - 1]!;
    const start = ends[n]!;
    const sharedMax = Math.min(start - previousStart, ends[n + 1]! - start, SHARED_MAX);
    let sharedBytes = 0;
    while (sharedBytes < sharedMax && text[previousStart + sharedBytes] === text[start + sharedBytes]) sharedBytes++;
    while (sharedBytes > 0 && isInside(text[start + sharedBytes]!) && start + sharedBytes < ends[n + 1]!) sharedBytes--;
    shared[n] = sharedBytes;
    if ((n & (STEP_WORDS - 1)) === 0) yield;
  }
  return shared;
}

/** Number of words from which a list has an index of grams. Its buckets alone take 1 MB while it is made. */
const GRAMS_WORDS_MIN = 32_768;

/** Number of bytes of a gram. */
const GRAM_BYTES = 4;

/** Number of bits of a bucket number. Several grams share a bucket, so the words are compared too. */
const BUCKET_BITS = 16;

/** An inverted index: the runs of words (see `RUN_BITS`) in which a gram of a bucket occurs, ascending. */
interface GramIndex {
  /** The runs of bucket b are in `runs` from `starts[b]` to `starts[b + 1]`. */
  readonly starts: Uint32Array;
  readonly runs: Uint16Array | Uint32Array;
}

const bytesOfGrams = (grams: GramIndex | undefined): number =>
  grams === undefined ? 0 : grams.starts.byteLength + grams.runs.byteLength;

/** Returns the bucket of the gram at a byte. */
function bucketAt(text: Uint8Array, at: number): number {
  const gram = text[at]! | (text[at + 1]! << 8) | (text[at + 2]! << 16) | (text[at + 3]! << 24);
  return Math.imul(gram, 0x9e3779b1) >>> (32 - BUCKET_BITS);
}

/** Makes the index of the grams of all words: counts the runs of each bucket, then fills them in. */
function* indexGrams({ text, ends, shared }: Pick<Layout, "text" | "ends" | "shared">): Generator<void, GramIndex> {
  const starts = new Uint32Array((1 << BUCKET_BITS) + 1);
  yield* eachGram(text, ends, shared, (bucket) => {
    starts[bucket + 1]! += 1;
  });
  for (let bucket = 1; bucket < starts.length; bucket++) starts[bucket]! += starts[bucket - 1]!;
  const size = starts.at(-1)!;
  const runs = shared.length >>> RUN_BITS < 1 << 16 ? new Uint16Array(size) : new Uint32Array(size);
  const next = starts.slice();
  yield* eachGram(text, ends, shared, (bucket, run) => {
    runs[next[bucket]!++] = run;
  });
  return { starts, runs };
}

/** Calls `take` once for each bucket of grams in each run, in the order of runs. */
function* eachGram(
  text: Uint8Array,
  ends: Uint32Array,
  shared: Uint8Array,
  take: (bucket: number, run: number) => void,
): Generator<void> {
  const lastRun = new Int32Array(1 << BUCKET_BITS).fill(-1);
  for (let n = 0; n < shared.length; n++) {
    const run = n >>> RUN_BITS;
    const isFirst = (n & ((1 << RUN_BITS) - 1)) === 0;
    // The grams of the shared beginning were those of the previous word.
    const from = isFirst ? 0 : Math.max(0, shared[n]! - GRAM_BYTES + 1);
    for (let at = ends[n]! + from; at + GRAM_BYTES <= ends[n + 1]!; at++) {
      const bucket = bucketAt(text, at);
      if (lastRun[bucket] === run) continue;
      lastRun[bucket] = run;
      take(bucket, run);
    }
    if ((n & (STEP_WORDS - 1)) === 0) yield;
  }
}

/** Returns the runs in which all grams of a text occur, each possibly in another word. */
function runsWithGrams({ starts, runs }: GramIndex, text: Uint8Array): readonly number[] {
  const lists: (Uint16Array | Uint32Array)[] = [];
  for (let at = 0; at + GRAM_BYTES <= text.length; at++) {
    const bucket = bucketAt(text, at);
    lists.push(runs.subarray(starts[bucket], starts[bucket + 1]));
  }
  const [shortest = [], ...others] = lists.sort((a, b) => a.length - b.length);
  return others.reduce((found, list) => intersectAscending(found, list), Array.from(shortest));
}

function intersectAscending(some: readonly number[], others: ArrayLike<number>): number[] {
  let at = 0;
  return some.filter((each) => {
    while (at < others.length && others[at]! < each) at++;
    return others[at] === each;
  });
}

/** Returns whether the byte continues a character. */
const isInside = (byte: number): boolean => (byte & 0xc0) === 0x80;

function makeListOfLayout(layout: Layout): WordList {
  const { text, ends, shared, grams } = layout;
  const buffer = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const word = (n: number): string => buffer.toString("utf8", ends[n], ends[n + 1]);
  const lowerBound = (wanted: string): number => {
    const bytes = Buffer.from(wanted, "utf8");
    let low = 0;
    let high = shared.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (buffer.compare(bytes, 0, bytes.length, ends[middle]!, ends[middle + 1]!) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    size: shared.length,
    bytes: text.byteLength + ends.byteLength + shared.byteLength + bytesOfGrams(grams),
    word,
    beginning(beginning, test) {
      const matches: string[] = [];
      const end = lowerBound(beginning + LAST_CHARACTER);
      for (let n = lowerBound(beginning); n < end; n++) {
        const each = word(n);
        if (test(each.slice(beginning.length))) matches.push(each);
      }
      return matches;
    },
    similar(wanted) {
      return findSimilar(layout, wanted, false).map(({ n }) => word(n));
    },
    similarBeginnings(wanted) {
      const prefixes: string[] = [];
      for (const { n, bytes } of findSimilar(layout, wanted, true)) {
        const prefix = buffer.toString("utf8", ends[n], ends[n]! + bytes);
        // Both parts of a search may find a prefix, one of them a longer one.
        const last = prefixes.at(-1);
        if (last === undefined || !prefix.startsWith(last)) prefixes.push(prefix);
      }
      return prefixes;
    },
  };
}

interface Layout {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
  readonly shared: Uint8Array;
  readonly least: SharedMinima;
  /** Undefined for a short list, which takes less time to walk than to index. */
  readonly grams: GramIndex | undefined;
}

/** A word within the edit distance, or its shortest prefix within it. */
interface Found {
  /** Number of the first word with this prefix. */
  readonly n: number;
  /** Length of the prefix in bytes. */
  readonly bytes: number;
}

/** Number of letters from which two edits are searched in two parts. */
const DIVIDED_LETTERS_MIN = 8;

/** Number of letters of the first part, and minimum number of letters behind it. */
const FIRST_LETTERS_MAX = 5;
const LAST_LETTERS_MIN = 4;

/**
 * Returns the words within the edit distance, or their shortest prefixes within it, in list order.
 *
 * Two edits are expensive in a walk, because every beginning of two letters is near any other. So a long word is
 * divided: either there is at most one edit before the division, and the walk skips most beginnings; or there are both,
 * so the letters from the last one before the division on are unchanged, and few runs of words have all of their grams.
 */
function findSimilar(layout: Layout, { word, edits }: Similarity, asPrefix: boolean): readonly Found[] {
  const letters = [...word];
  const found: Found[] = [];
  const take = (n: number, bytes: number): unknown => found.push({ n, bytes });
  if (edits === 1 || letters.length < DIVIDED_LETTERS_MIN || layout.grams === undefined) {
    walk(layout, makeDistances(letters, edits), asPrefix, take);
    return found;
  }
  const division = Math.min(FIRST_LETTERS_MAX, letters.length - LAST_LETTERS_MIN);
  walk(layout, makeDistances(letters, edits, division), asPrefix, take);
  const unchanged = Buffer.from(letters.slice(division - 1).join(""), "utf8");
  walkRuns(layout, makeDistances(letters, edits), runsWithGrams(layout.grams, unchanged), asPrefix, take);
  found.sort((a, b) => a.n - b.n || a.bytes - b.bytes);
  return found.filter(({ n }, i) => i === 0 || n !== found[i - 1]!.n);
}

/** Bits for the words of a run, and for the runs of a long run. */
const RUN_BITS = 6;

/** Minimum number of bytes that the words of each run, and of each long run, share with the previous word. */
interface SharedMinima {
  readonly runs: Uint8Array;
  readonly longRuns: Uint8Array;
}

function leastShared(shared: Uint8Array): SharedMinima {
  const runs = runMinima(shared);
  return { runs, longRuns: runMinima(runs) };
}

function runMinima(values: Uint8Array): Uint8Array {
  const minima = new Uint8Array(Math.ceil(values.length / (1 << RUN_BITS))).fill(255);
  for (let n = 0; n < values.length; n++) {
    const run = n >>> RUN_BITS;
    if (values[n]! < minima[run]!) minima[run] = values[n]!;
  }
  return minima;
}

/** Returns the next word from `n` that shares less than `bytes` bytes with the previous one. */
function nextOther({ shared, least: minima }: Layout, n: number, bytes: number): number {
  const isRunStart = (at: number): boolean => (at & ((1 << RUN_BITS) - 1)) === 0;
  let at = n;
  while (at < shared.length) {
    if (isRunStart(at)) {
      const run = at >>> RUN_BITS;
      if (isRunStart(run) && minima.longRuns[run >>> RUN_BITS]! >= bytes) {
        at += 1 << (2 * RUN_BITS);
        continue;
      }
      if (minima.runs[run]! >= bytes) {
        at += 1 << RUN_BITS;
        continue;
      }
    }
    if (shared[at]! < bytes) return at;
    at += 1;
  }
  return shared.length;
}

/**
 * Calls `take` for each word within the edit distance, or once for each shortest prefix within it, with the first word
 * that has the prefix. Words with a prefix that is too far away are skipped.
 */
function walk(layout: Layout, table: Distances, asPrefix: boolean, take: (n: number, bytes: number) => void): void {
  const { text, ends, shared } = layout;
  const reader = makeReader(text, table);
  for (let n = 0; n < shared.length; n++) {
    if (reader.deadEnd() <= shared[n]!) n = nextOther(layout, n, reader.deadEnd());
    if (n >= shared.length) return;
    const isWhole = reader.read(ends[n]!, ends[n + 1]!, shared[n]!, asPrefix ? (bytes) => take(n, bytes) : undefined);
    if (isWhole && !asPrefix) take(n, ends[n + 1]! - ends[n]!);
  }
}

/** Calls `take` as `walk` does, for the words of some runs. */
function walkRuns(
  { text, ends, shared }: Layout,
  table: Distances,
  runs: readonly number[],
  asPrefix: boolean,
  take: (n: number, bytes: number) => void,
): void {
  const reader = makeReader(text, table);
  for (const run of runs) {
    const first = run << RUN_BITS;
    const end = Math.min(shared.length, first + (1 << RUN_BITS));
    for (let n = first; n < end; n++) {
      const sharedBytes = n === first ? 0 : shared[n]!;
      if (reader.deadEnd() <= sharedBytes) continue;
      const isWhole = reader.read(
        ends[n]!,
        ends[n + 1]!,
        sharedBytes,
        asPrefix ? (bytes) => take(n, bytes) : undefined,
      );
      if (isWhole && !asPrefix) take(n, ends[n + 1]! - ends[n]!);
    }
  }
}

/** Reads words one after the other. Rows of the distance table are reused for the shared prefix of neighbours. */
interface WordReader {
  /** Number of bytes of the last word after which no match is possible; infinite if there is none. */
  deadEnd(): number;
  /**
   * Reads the word from `start` to `end`.
   * @param sharedBytes number of bytes that it shares with the last word, less than `deadEnd()`
   * @param takePrefix receives the length in bytes of the shortest prefix within the distance, where reading ends
   * @returns whether the word is within the distance
   */
  read(start: number, end: number, sharedBytes: number, takePrefix?: (bytes: number) => void): boolean;
}

function makeReader(text: Uint8Array, table: Distances): WordReader {
  // For each number of letters the bytes of the current word whose distance is computed.
  const bytesAtDepth = new Uint32Array(table.depthMax + 1);
  let depth = 0;
  let deadEnd = Number.POSITIVE_INFINITY;
  return {
    deadEnd: () => deadEnd,
    read(start, end, sharedBytes, takePrefix) {
      deadEnd = Number.POSITIVE_INFINITY;
      while (bytesAtDepth[depth]! > sharedBytes) depth--;
      let position = bytesAtDepth[depth]!;
      while (start + position < end) {
        const first = text[start + position]!;
        const bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        let letter = first;
        for (let i = 1; i < bytes; i++) letter = letter * 0x100 + text[start + position + i]!;
        position += bytes;
        if (!table.step(depth, letter)) {
          deadEnd = position;
          return false;
        }
        depth += 1;
        bytesAtDepth[depth] = position;
        if (takePrefix !== undefined && table.isNear(depth)) {
          deadEnd = position;
          takePrefix(position);
          return false;
        }
      }
      return table.isNear(depth);
    },
  };
}

interface Distances {
  /** Number of letters after which every word is too far away. */
  readonly depthMax: number;
  /** Adds a letter after the first `depth`. @returns false if every word with this prefix is too far away */
  step(depth: number, letter: number): boolean;
  /** Returns whether the first `depth` letters alone are within the edit distance. */
  isNear(depth: number): boolean;
}

/**
 * Makes the table of edit distances (optimal string alignment), limited to the band around its diagonal that can be
 * within the distance.
 * @param oneEditBefore number of letters of the word before the last of which only one edit is allowed
 */
function makeDistances(wanted: readonly string[], edits: number, oneEditBefore = 0): Distances {
  const letters = Uint32Array.from(wanted, characterCode);
  const size = letters.length;
  const far = edits + 1;
  const depthMax = size + edits;
  const width = size + 1;
  const rows = new Uint8Array((depthMax + 2) * width).fill(far);
  for (let j = 0; j <= Math.min(size, edits); j++) rows[j] = j > 1 && j < oneEditBefore ? far : j;
  const path = new Uint32Array(depthMax + 2);
  const step = (depth: number, letter: number): boolean => {
    if (depth >= depthMax) return false;
    const i = depth + 1;
    path[i] = letter;
    const row = i * width;
    const above = row - width;
    const first = Math.max(0, i - edits);
    const last = Math.min(size, i + edits);
    if (first > 0) rows[row + first - 1] = far;
    let minima = far;
    for (let j = first; j <= last; j++) {
      let best = j === 0 ? i : far;
      if (j > 0) {
        const letterAt = letters[j - 1]!;
        best = rows[above + j - 1]! + (letterAt === letter ? 0 : 1);
        if (rows[row + j - 1]! + 1 < best) best = rows[row + j - 1]! + 1;
        const isSwap = i > 1 && j > 1 && letter === letters[j - 2] && path[i - 1] === letterAt;
        if (isSwap && rows[above - width + j - 2]! + 1 < best) best = rows[above - width + j - 2]! + 1;
      }
      // Cells beyond the band of the previous row are not filled.
      if (j < i + edits && rows[above + j]! + 1 < best) best = rows[above + j]! + 1;
      // A swap of the letters around the division passes over the last column before it.
      if (best < minima && (j >= oneEditBefore - 1 || best <= 1)) minima = best;
      rows[row + j] = best > (j < oneEditBefore ? 1 : edits) ? far : best;
    }
    return minima <= edits;
  };
  return { depthMax, step, isNear: (depth) => rows[depth * width + size]! <= edits && depth + edits >= size };
}

/** Returns the bytes of a character as one number. */
function characterCode(character: string): number {
  return Buffer.from(character, "utf8").reduce((sum, byte) => sum * 0x100 + byte, 0);
}
