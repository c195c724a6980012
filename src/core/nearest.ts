/** Maximum length of compared names, because the time to compare is the product of both lengths. */
const NAME_LENGTH_MAX = 256;

/**
 * Returns the known names that are similar to a name, best first: by edits (a transposition is one edit; case, and u
 * for micro, do not count), then by code point. A name is similar if the edits are at most a third of its length (at
 * least one), or if one name begins with the other.
 *
 * @param max maximum number of names
 */
export function nearestNames(name: string, known: Iterable<string>, max: number): readonly string[] {
  const target = fold(name);
  if (target === "" || target.length > NAME_LENGTH_MAX) return [];
  const letters = countLetters(target);
  const near: { name: string; edits: number }[] = [];
  for (const candidate of known) {
    const folded = fold(candidate);
    if (folded.length > NAME_LENGTH_MAX) continue;
    const bound = Math.max(1, Math.floor(Math.max(target.length, folded.length) / 3));
    const isFar = Math.abs(target.length - folded.length) > bound || lettersApart(letters, folded) > bound;
    const edits = isFar ? bound + 1 : countEdits(target, folded, bound);
    const begins = target.length >= 3 && folded.length >= 3 && (folded.startsWith(target) || target.startsWith(folded));
    if (edits <= bound || begins) near.push({ name: candidate, edits });
  }
  near.sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return near.slice(0, max).map((each) => each.name);
}

/** Normalizes a name. The micro sign and the Greek letter look alike, and keyboards lack both, so they become `u`. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[µμ]/g, "u");
}

/** Number of counters for letters. Letters that share a counter only make texts seem more similar. */
const COUNTERS = 64;

function countLetters(text: string): Int16Array {
  const counts = new Int16Array(COUNTERS);
  for (let i = 0; i < text.length; i++) counts[text.charCodeAt(i) % COUNTERS]! += 1;
  return counts;
}

/** Returns a lower bound of the number of edits, from the counts of letters. It is much faster than counting edits. */
function lettersApart(letters: Int16Array, text: string): number {
  const textLetters = countLetters(text);
  let more = 0;
  let less = 0;
  for (let i = 0; i < COUNTERS; i++) {
    const difference = letters[i]! - textLetters[i]!;
    if (difference > 0) more += difference;
    else less -= difference;
  }
  return Math.max(more, less);
}

/**
 * Counts insertions, deletions, replacements and swaps of neighbours (optimal string alignment) between two texts, or
 * between two lists of characters.
 *
 * @param most if there are more edits, may return any greater number to save time
 */
export function countEdits(a: ArrayLike<string>, b: ArrayLike<string>, most = Number.POSITIVE_INFINITY): number {
  let rowBeforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  let leastOfLast = 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let leastOfRow = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, rowBeforeLast[j - 2]! + 1);
      row.push(least);
      if (least < leastOfRow) leastOfRow = least;
    }
    // A swap reads the row before the last one, and adds one edit to it.
    if (leastOfRow > most && leastOfLast >= most) return most + 1;
    leastOfLast = leastOfRow;
    rowBeforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
