import { leastOf } from "../../core/collections.js";

/**
 * Makes a function that tests whether a word is within an edit distance of `word`. An edit inserts, deletes or replaces
 * a character (code point) or swaps two neighbours; no character is edited twice.
 *
 * The function reuses the rows of the distance table for the common prefix of consecutive words, so it is fastest if
 * the words come in sorted order.
 */
export function makeEditTest(word: string, edits: number): (other: string) => boolean {
  const target = [...word];
  // rows[i][j]: edits between the first i characters of the other word and the first j of this one.
  const rows: number[][] = [target.map((_, j) => j).concat(target.length)];
  let letters: readonly string[] = [];
  // Number of rows that are valid for `letters`, and the length of a prefix that has already too many edits.
  let filledRows = 0;
  let failedLength = Number.POSITIVE_INFINITY;
  return (other) => {
    const next = [...other];
    let same = 0;
    while (same < filledRows && same < next.length && next[same] === letters[same]) same++;
    if (failedLength <= same) return false;
    letters = next;
    filledRows = same;
    failedLength = Number.POSITIVE_INFINITY;
    if (Math.abs(next.length - target.length) > edits) return false;
    for (let i = same + 1; i <= next.length; i++) {
      const row = nextRow(i, next, target, rows);
      rows[i] = row;
      filledRows = i;
      // A swap skips this row, but costs one edit, and the row above is smaller by at most one.
      if (leastOf(row) > edits) {
        failedLength = i;
        return false;
      }
    }
    return rows[next.length]![target.length]! <= edits;
  };
}

function nextRow(
  i: number,
  letters: readonly string[],
  target: readonly string[],
  rows: readonly (readonly number[])[],
): number[] {
  const above = rows[i - 1]!;
  const row = [i];
  for (let j = 1; j <= target.length; j++) {
    const isSame = letters[i - 1] === target[j - 1];
    let best = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1));
    const isSwap = i > 1 && j > 1 && letters[i - 1] === target[j - 2] && letters[i - 2] === target[j - 1];
    if (isSwap) best = Math.min(best, rows[i - 2]![j - 2]! + 1);
    row.push(best);
  }
  return row;
}
