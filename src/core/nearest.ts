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
  const near: { name: string; edits: number }[] = [];
  for (const candidate of known) {
    const folded = fold(candidate);
    if (folded.length > NAME_LENGTH_MAX) continue;
    const bound = Math.max(1, Math.floor(Math.max(wanted.length, folded.length) / 3));
    const edits = Math.abs(wanted.length - folded.length) > bound ? bound + 1 : countEdits(wanted, folded);
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

/**
 * Insertions, deletions, replacements and swaps of neighbours (optimal string alignment) between two texts, or between
 * two lists of characters.
 */
export function countEdits(a: ArrayLike<string>, b: ArrayLike<string>): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
