import { LIMITS } from "../../core/limits.js";
import { analyse, cutWord, fold, isAscii, SPLIT_STEPS } from "./analyse.js";

/** A word of a text, analysed, and where it stands: from `start` up to `end`, in UTF-16 units of the text itself. */
interface LocatedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the words of a text as `analyse` gives them, each with its place in the text as it was written. Analysis
 * changes lengths (`ß`, `ﬁ`, `α`, marks), so every folded character carries the place of what it was made of. To locate
 * a word takes about 20 times as long as to analyse it, unless the text is ASCII.
 */
export function locateWords(text: string): LocatedWord[] {
  return isAscii(text) ? locateAscii(text) : locateAny(text);
}

/** Length of the pieces that `locateSome` reads, in UTF-16 units. */
const PIECE_LENGTH = 2_048;

/**
 * Locates some of the words of a text, which may be long. Reads it in pieces, and locates only the words of the first
 * pieces that contain any of them.
 *
 * @param numbers of the words, as `analyse` counts them, ascending
 * @returns the words of these pieces, by number
 */
export function locateSome(
  text: string,
  numbers: readonly number[],
  piecesMax: number,
  pieceLength: number = PIECE_LENGTH,
): ReadonlyMap<number, LocatedWord> {
  const located = new Map<number, LocatedWord>();
  let [next, first, pieces] = [0, 0, 0];
  for (let start = 0; start < text.length && next < numbers.length && pieces < piecesMax; ) {
    const end = endOfPiece(text, start + pieceLength);
    const piece = text.slice(start, end);
    const behind = first + analyse(piece).length;
    if (numbers[next]! < behind) {
      pieces += 1;
      for (const [i, { word, start: from, end: to }] of locateWords(piece).entries()) {
        located.set(first + i, { word, start: start + from, end: start + to });
      }
    }
    while (next < numbers.length && numbers[next]! < behind) next += 1;
    first = behind;
    start = end;
  }
  return located;
}

/** Characters that no analysis joins with the preceding text: signs of ASCII, and ideographs. */
const BOUNDARY = /[\0-/:-@[-`{-\x7f\u4e00-\u9fff]/g;

/** Returns the first place, from a given one on, in front of which a text can be cut without changing its words. */
function endOfPiece(text: string, from: number): number {
  BOUNDARY.lastIndex = from;
  return BOUNDARY.exec(text)?.index ?? text.length;
}

/** As `splitAscii`, with places: folding changes no lengths. */
function locateAscii(text: string): LocatedWord[] {
  return [...text.matchAll(/[a-z0-9]+/gi)].map(({ 0: long, index }) => {
    const word = long.slice(0, LIMITS.wordLengthMax).toLowerCase();
    return { word, start: index, end: index + word.length };
  });
}

function locateAny(text: string): LocatedWord[] {
  let traced = traceFold(text);
  for (const [what, by] of SPLIT_STEPS) traced = replaceTraced(traced, what, by);
  return [...traced.text.matchAll(/[^ ]+/gu)].map(({ 0: long, index }) => {
    const word = cutWord(long);
    return { word, start: traced.starts[index]!, end: traced.ends[index + word.length - 1]! };
  });
}

/** A text that was made of another: for each of its units, from where up to where the other was read for it. */
interface Traced {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * A character with everything that normalisation may join with it: marks, letters of Hangul that go on a syllable, and
 * the half-width voicing marks, and with invisible characters. Folding such pieces one by one is folding the whole.
 */
const PIECE = /[\s\S][\p{M}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7fb\uff9e-\uffdc]*/gu;

function traceFold(text: string): Traced {
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = "";
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const made = fold(piece);
    folded += made;
    for (let i = 0; i < made.length; i++) {
      starts.push(index);
      ends.push(index + piece.length);
    }
  }
  return { text: folded, starts, ends };
}

function replaceTraced(traced: Traced, what: RegExp, by: (found: string) => string): Traced {
  const starts: number[] = [];
  const ends: number[] = [];
  let text = "";
  let at = 0;
  const keep = (end: number): void => {
    text += traced.text.slice(at, end);
    for (; at < end; at++) {
      starts.push(traced.starts[at]!);
      ends.push(traced.ends[at]!);
    }
  };
  for (const { 0: found, index } of traced.text.matchAll(what)) {
    keep(index);
    const made = by(found);
    text += made;
    at = index + found.length;
    for (let i = 0; i < made.length; i++) {
      starts.push(traced.starts[index]!);
      ends.push(traced.ends[at - 1]!);
    }
  }
  keep(traced.text.length);
  return { text, starts, ends };
}
