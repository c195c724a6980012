/**
 * Distinct words in the order of their UTF-8 bytes, all in one byte array: a million of them take some 16 MB and are
 * walked in milliseconds. A list never changes.
 */
export interface WordList {
  readonly size: number;
  /** Memory that it takes. */
  readonly bytes: number;
  word(n: number): string;
  /** Those that begin so and go on as the test says, in the order of the list. */
  beginning(beginning: string, test: (rest: string) => boolean): string[];
  /** Those that are near enough, in the order of the list. */
  similar(wanted: Similarity): string[];
  /** The shortest beginnings of words that are near enough, in the order of the list. */
  similarBeginnings(wanted: Similarity): string[];
}

/** Words within so many edits of `word`, see `makeEditTest`. */
export interface Similarity {
  readonly word: string;
  readonly edits: 1 | 2;
}

/** Sorts after every character that a word holds. */
const AFTER_ALL = "\u{10ffff}";

const BLANK = 0x20;

/** Bytes that two neighbours are noted to have in common at most. */
const SHARED_MAX = 255;

/** @param texts words in ascending order, each followed by a blank or the end of its text */
export function makeWordList(texts: Iterable<string>): WordList {
  const steps = wordListSteps(texts);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps of some milliseconds. */
export function* wordListSteps(texts: Iterable<string>): Generator<void, WordList> {
  const parts = [...texts].map((text) => Buffer.from(text, "utf8"));
  const { text, ends } = yield* joinWords(parts);
  return listOf(text, ends, yield* sharedBeginnings(text, ends));
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
      const more = new Uint32Array(ends.length * 2);
      more.set(ends);
      ends = more;
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

/** Words between two steps: a power of two. */
const STEP_WORDS = 1 << 16;

/** How many bytes each word has in common with the one before it, whole characters only. */
function* sharedBeginnings(text: Uint8Array, ends: Uint32Array): Generator<void, Uint8Array> {
  const shared = new Uint8Array(Math.max(0, ends.length - 1));
  for (let n = 1; n < shared.length; n++) {
    const before = ends[n - 1]!;
    const start = ends[n]!;
    const most = Math.min(start - before, ends[n + 1]! - start, SHARED_MAX);
    let same = 0;
    while (same < most && text[before + same] === text[start + same]) same++;
    while (same > 0 && isInside(text[start + same]!) && start + same < ends[n + 1]!) same--;
    shared[n] = same;
    if ((n & (STEP_WORDS - 1)) === 0) yield;
  }
  return shared;
}

/** Does the byte go on with a character? */
const isInside = (byte: number): boolean => (byte & 0xc0) === 0x80;

function listOf(text: Uint8Array, ends: Uint32Array, shared: Uint8Array): WordList {
  const buffer = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const word = (n: number): string => buffer.toString("utf8", ends[n], ends[n + 1]);
  const layout: Layout = { text, ends, shared, least: leastShared(shared) };
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
    bytes: text.byteLength + ends.byteLength + shared.byteLength,
    word,
    beginning(beginning, test) {
      const found: string[] = [];
      const end = lowerBound(beginning + AFTER_ALL);
      for (let n = lowerBound(beginning); n < end; n++) {
        const each = word(n);
        if (test(each.slice(beginning.length))) found.push(each);
      }
      return found;
    },
    similar(wanted) {
      const found: string[] = [];
      walk(layout, wanted, false, (n) => found.push(word(n)));
      return found;
    },
    similarBeginnings(wanted) {
      const found: string[] = [];
      const take = (n: number, bytes: number): void => {
        found.push(buffer.toString("utf8", ends[n], ends[n]! + bytes));
      };
      walk(layout, wanted, true, take);
      return found;
    },
  };
}

interface Layout {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
  readonly shared: Uint8Array;
  readonly least: Least;
}

/** Words in a run, and runs in a long run. */
const RUN_BITS = 6;

/** The least of what the words of each run share with the one before, and of each long run. */
interface Least {
  readonly runs: Uint8Array;
  readonly longRuns: Uint8Array;
}

function leastShared(shared: Uint8Array): Least {
  const runs = leastOf(shared);
  return { runs, longRuns: leastOf(runs) };
}

function leastOf(values: Uint8Array): Uint8Array {
  const least = new Uint8Array(Math.ceil(values.length / (1 << RUN_BITS))).fill(255);
  for (let n = 0; n < values.length; n++) {
    const run = n >>> RUN_BITS;
    if (values[n]! < least[run]!) least[run] = values[n]!;
  }
  return least;
}

/** The next word from `n` on that shares less than so many bytes with the one before. */
function nextOther({ shared, least }: Layout, n: number, bytes: number): number {
  const isRunStart = (at: number): boolean => (at & ((1 << RUN_BITS) - 1)) === 0;
  let at = n;
  while (at < shared.length) {
    if (isRunStart(at)) {
      const run = at >>> RUN_BITS;
      if (isRunStart(run) && least.longRuns[run >>> RUN_BITS]! >= bytes) {
        at += 1 << (2 * RUN_BITS);
        continue;
      }
      if (least.runs[run]! >= bytes) {
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
 * Calls `take` for each word that is near enough, or once for each of the shortest beginnings that are, with the first
 * word that has it. The rows of the table of distances hold from one word to the next as
 * far as both begin alike, and what begins too far away is passed over.
 */
function walk(
  layout: Layout,
  { word, edits }: Similarity,
  asPrefix: boolean,
  take: (n: number, bytes: number) => void,
): void {
  const { text, ends, shared } = layout;
  const table = makeDistances([...word], edits);
  // Bytes of the present word whose distance is known, by letters; and those after which nothing is left to find.
  const known = new Uint32Array(table.depthMax + 1);
  let depth = 0;
  let done = Number.POSITIVE_INFINITY;
  for (let n = 0; n < shared.length; n++) {
    if (done <= shared[n]!) n = nextOther(layout, n, done);
    if (n >= shared.length) return;
    const same = shared[n]!;
    done = Number.POSITIVE_INFINITY;
    while (known[depth]! > same) depth--;
    const start = ends[n]!;
    const length = ends[n + 1]! - start;
    let at = known[depth]!;
    while (at < length && done > length) {
      const first = text[start + at]!;
      const bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
      let letter = first;
      for (let i = 1; i < bytes; i++) letter = letter * 0x100 + text[start + at + i]!;
      at += bytes;
      if (!table.step(depth, letter)) {
        done = at;
      } else {
        depth += 1;
        known[depth] = at;
        if (asPrefix && table.isNear(depth)) {
          done = at;
          take(n, at);
        }
      }
    }
    if (!asPrefix && done > length && table.isNear(depth)) take(n, length);
  }
}

interface Distances {
  /** Letters after which every word is too far away. */
  readonly depthMax: number;
  /** Adds a letter after the first `depth`. @returns false where every word that begins so is too far away */
  step(depth: number, letter: number): boolean;
  /** Are the first `depth` letters, and no more, near enough? */
  isNear(depth: number): boolean;
}

/** The table of edit distances (optimal string alignment), in the band around its diagonal that can still be near. */
function makeDistances(wanted: readonly string[], edits: number): Distances {
  const letters = Uint32Array.from(wanted, lettersOf);
  const size = letters.length;
  const far = edits + 1;
  const depthMax = size + edits;
  const width = size + 1;
  const rows = new Uint8Array((depthMax + 2) * width).fill(far);
  for (let j = 0; j <= Math.min(size, edits); j++) rows[j] = j;
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
    let least = far;
    for (let j = first; j <= last; j++) {
      let best = j === 0 ? i : far;
      if (j > 0) {
        const letterAt = letters[j - 1]!;
        best = rows[above + j - 1]! + (letterAt === letter ? 0 : 1);
        if (rows[row + j - 1]! + 1 < best) best = rows[row + j - 1]! + 1;
        const isSwap = i > 1 && j > 1 && letter === letters[j - 2] && path[i - 1] === letterAt;
        if (isSwap && rows[above - width + j - 2]! + 1 < best) best = rows[above - width + j - 2]! + 1;
      }
      // Beyond the band of the row above its cells are of no row.
      if (j < i + edits && rows[above + j]! + 1 < best) best = rows[above + j]! + 1;
      rows[row + j] = best < far ? best : far;
      if (best < least) least = best;
    }
    return least <= edits;
  };
  return { depthMax, step, isNear: (depth) => rows[depth * width + size]! <= edits && depth + edits >= size };
}

/** The bytes of a character as one number. */
function lettersOf(character: string): number {
  return Buffer.from(character, "utf8").reduce((sum, byte) => sum * 0x100 + byte, 0);
}
