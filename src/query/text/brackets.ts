/** Round brackets that belong to words: `Fe(III)`, `(2S)-2-aminobutane`. */
export interface Brackets {
  /** Index of the bracket that closes this one before the next blank or quote; undefined where none does. */
  closing(open: number): number | undefined;
  /** Does a word begin with this bracket? It closes, and letters follow before the next blank. */
  beginsWord(open: number): boolean;
}

/** Pairs the round brackets of a text, in one pass. */
export function pairBrackets(text: string): Brackets {
  const closings = new Map<number, number>();
  const begins = new Set<number>();
  const opens: number[] = [];
  // By depth: pairs after which only signs have come yet.
  let waiting: number[][] = [[]];
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!;
    if (sign === "\\") i++;
    else if (sign === '"' || /\s/u.test(sign)) {
      opens.length = 0;
      waiting = [[]];
    } else if (sign === "(") {
      opens.push(i);
      waiting[opens.length] = [];
    } else if (sign === ")") {
      const open = opens.pop();
      if (open === undefined) waiting = [[]];
      else {
        closings.set(open, i);
        if (!SYNTAX_AFTER.test(text.slice(i + 1, i + 4))) waiting[opens.length]!.push(open);
      }
    } else if (isLetter(sign)) {
      for (const open of waiting[opens.length]!) begins.add(open);
      waiting[opens.length] = [];
    }
  }
  return { closing: (open) => closings.get(open), beginsWord: (open) => begins.has(open) };
}

/** After a bracket: a boost, or an operator without a blank. */
const SYNTAX_AFTER = /^(?:[\^~]|AND|OR|&&|\|\|)/u;

/** Halves of surrogate pairs count as letters. */
const isLetter = (unit: string): boolean => /[\p{L}\p{N}\p{Surrogate}]/u.test(unit);
