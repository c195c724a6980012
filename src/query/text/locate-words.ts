import { cutWord, fold, SPLIT_STEPS } from "./analyse.js";

/** A word of a text, analysed, and where it stands: from `start` up to `end`, in UTF-16 units of the text itself. */
export interface LocatedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The words of a text as `analyse` gives them, each with its place in the text as it was written. Analysis changes
 * lengths (`ß`, `ﬁ`, `α`, marks), so every folded character carries the place of what it was made of.
 */
export function locateWords(text: string): LocatedWord[] {
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
 * the half-width voicing marks. Folding such pieces one by one is folding the whole.
 */
const PIECE = /[\s\S][\p{M}\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7fb\uff9e-\uffdc]*/gu;

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
