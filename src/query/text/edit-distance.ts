import { leastOf } from "../../core/collections.js";

/**
 * Makes a test of words: is it within so many edits of `word`? An edit inserts, deletes or replaces a character (code
 * point) or swaps two neighbours, and no character is touched twice.
 *
 * The rows of the table of distances are kept from one word to the next as far as both begin alike, so that words are
 * best asked for in their order.
 */
export function makeEditTest(word: string, edits: number): (other: string) => boolean {
  const wanted = [...word];
  // Row i, place j: edits between the first i characters of the other word and the first j of this one.
  const rows: number[][] = [wanted.map((_, j) => j).concat(wanted.length)];
  let letters: readonly string[] = [];
  // Rows that hold for `letters`, and how many of their characters suffice to be too far away.
  let filled = 0;
  let lost = Number.POSITIVE_INFINITY;
  return (other) => {
    const now = [...other];
    let same = 0;
    while (same < filled && same < now.length && now[same] === letters[same]) same++;
    if (lost <= same) return false;
    letters = now;
    filled = same;
    lost = Number.POSITIVE_INFINITY;
    if (Math.abs(now.length - wanted.length) > edits) return false;
    for (let i = same + 1; i <= now.length; i++) {
      const row = nextRow(i, now, wanted, rows);
      rows[i] = row;
      filled = i;
      // A swap skips this row, but costs one, and the row above is less by one at most.
      if (leastOf(row) > edits) {
        lost = i;
        return false;
      }
    }
    return rows[now.length]![wanted.length]! <= edits;
  };
}

function nextRow(
  i: number,
  letters: readonly string[],
  wanted: readonly string[],
  rows: readonly (readonly number[])[],
): number[] {
  const above = rows[i - 1]!;
  const row = [i];
  for (let j = 1; j <= wanted.length; j++) {
    const isSame = letters[i - 1] === wanted[j - 1];
    let best = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1));
    const isSwap = i > 1 && j > 1 && letters[i - 1] === wanted[j - 2] && letters[i - 2] === wanted[j - 1];
    if (isSwap) best = Math.min(best, rows[i - 2]![j - 2]! + 1);
    row.push(best);
  }
  return row;
}
