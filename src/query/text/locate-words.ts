import { LIMITS } from "../../core/limits.js";
import { analyse, cutWord, fold, isAscii, SPLIT_STEPS } from "./analyse.js";
import type { Span } from "./positions.js";

/** An analysed word with its span in the original text. */
interface LocatedWord extends Span {
  readonly word: string;
}

/**
 * Returns the words of a text (see `analyse`) with their ranges in the original text. Analysis changes lengths (`ß`,
 * `ﬁ`, `α`, marks), so each folded character keeps the range of its source. Unless the text is ASCII, this takes about
 * 20 times as long as `analyse`.
 */
export function locateWords(text: string): LocatedWord[] {
  return isAscii(text) ? locateAscii(text) : locateAny(text);
}

/** Length of the pieces that `locateSomeWords` reads, in UTF-16 units. */
const PIECE_LENGTH = 2_048;

/**
 * Locates some of the words of a text, which may be long. Reads it in pieces, and locates only the words of the first
 * pieces that contain any of them.
 *
 * @param numbers of the words, as `analyse` counts them, ascending
 * @returns the words of these pieces, by number
 */
export function locateSomeWords(
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
      for (const [i, { word, from, to }] of locateWords(piece).entries()) {
        located.set(first + i, { word, from: start + from, to: start + to });
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

/** Locates words as `splitAscii` splits them. Folding ASCII changes no lengths. */
function locateAscii(text: string): LocatedWord[] {
  return [...text.matchAll(/[a-z0-9]+/gi)].map(({ 0: long, index }) => {
    const word = long.slice(0, LIMITS.wordLengthMax).toLowerCase();
    return { word, from: index, to: index + word.length };
  });
}

function locateAny(text: string): LocatedWord[] {
  let traced = traceFold(text);
  for (const [what, by] of SPLIT_STEPS) traced = replaceTraced(traced, what, by);
  return [...traced.text.matchAll(/[^ ]+/gu)].map(({ 0: long, index }) => {
    const word = cutWord(long);
    return { word, from: traced.starts[index]!, to: traced.ends[index + word.length - 1]! };
  });
}

/** A derived text, with the range in the original text for each of its units. */
interface Traced {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * A character with everything that normalisation may join with it: marks, Hangul letters that continue a syllable,
 * half-width voicing marks, and invisible characters. Folding these pieces separately is the same as folding the text.
 */
const PIECE = /[\s\S][\p{M}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7fb\uff9e-\uffdc]*/gu;

function traceFold(text: string): Traced {
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = "";
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const foldedPiece = fold(piece);
    folded += foldedPiece;
    for (let i = 0; i < foldedPiece.length; i++) {
      starts.push(index);
      ends.push(index + piece.length);
    }
  }
  return { text: folded, starts, ends };
}

function replaceTraced(traced: Traced, what: RegExp, by: (match: string) => string): Traced {
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
  for (const { 0: match, index } of traced.text.matchAll(what)) {
    keep(index);
    const replacement = by(match);
    text += replacement;
    at = index + match.length;
    for (let i = 0; i < replacement.length; i++) {
      starts.push(traced.starts[index]!);
      ends.push(traced.ends[at - 1]!);
    }
  }
  keep(traced.text.length);
  return { text, starts, ends };
}
