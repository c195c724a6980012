/** A name longer than this is near to nothing: the distance costs the product of both lengths. */
const NAME_LENGTH_MAX = 256;

/**
 * Known names near to what was written, best first: by edits (a transposition is one; capitals, and u for micro, do
 * not count), then by code point. A name is near within a third of its length, at least one edit, or when one begins
 * with the other.
 *
 * @param max length of the answer at most
 */
export function nearestNames(name: string, known: Iterable<string>, max: number): readonly string[] {
  const wanted = fold(name);
  if (wanted === "" || wanted.length > NAME_LENGTH_MAX) return [];
  const letters = countLetters(wanted);
  const near: { name: string; edits: number }[] = [];
  for (const candidate of known) {
    const folded = fold(candidate);
    if (folded.length > NAME_LENGTH_MAX) continue;
    const bound = Math.max(1, Math.floor(Math.max(wanted.length, folded.length) / 3));
    const isFar = Math.abs(wanted.length - folded.length) > bound || lettersApart(letters, folded) > bound;
    const edits = isFar ? bound + 1 : countEdits(wanted, folded, bound);
    const begins = wanted.length >= 3 && folded.length >= 3 && (folded.startsWith(wanted) || wanted.startsWith(folded));
    if (edits <= bound || begins) near.push({ name: candidate, edits });
  }
  near.sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return near.slice(0, max).map((found) => found.name);
}

/** The micro sign and the Greek letter look alike, and keyboards have neither. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[µμ]/g, "u");
}

/** Number of counters for letters. Letters that share a counter only make texts look nearer than they are. */
const COUNTERS = 64;

function countLetters(text: string): Int16Array {
  const counts = new Int16Array(COUNTERS);
  for (let i = 0; i < text.length; i++) counts[text.charCodeAt(i) % COUNTERS]! += 1;
  return counts;
}

/** Returns a number of edits that is needed at least, by the letters of two texts in any order: much faster. */
function lettersApart(letters: Int16Array, text: string): number {
  const others = countLetters(text);
  let [more, less] = [0, 0];
  for (let i = 0; i < COUNTERS; i++) {
    const difference = letters[i]! - others[i]!;
    if (difference > 0) more += difference;
    else less -= difference;
  }
  return Math.max(more, less);
}

/**
 * Insertions, deletions, replacements and swaps of neighbours (optimal string alignment) between two texts, or between
 * two lists of characters.
 *
 * @param most if there are more edits, any greater number may be returned, sooner
 */
export function countEdits(a: ArrayLike<string>, b: ArrayLike<string>, most = Number.POSITIVE_INFINITY): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  let leastOfLast = 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let leastOfRow = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
      if (least < leastOfRow) leastOfRow = least;
    }
    // A swap reads the row before the last one, and adds one edit to it.
    if (leastOfRow > most && leastOfLast >= most) return most + 1;
    leastOfLast = leastOfRow;
    before = last;
    last = row;
  }
  return last[b.length]!;
}
