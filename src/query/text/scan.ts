import type { MarkedText } from "./pattern.js";

/** A word of a query, without the backslashes before escaped characters. */
export interface Word extends MarkedText {
  /** Text in the query, with backslashes. */
  readonly raw: string;
}

/** Scanner of a query text. `at` is its position in UTF-16 units. */
export class Scanner {
  at = 0;
  readonly #brackets: Brackets;

  constructor(readonly text: string) {
    this.#brackets = pairBrackets(text);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Next UTF-16 unit, or "" at the end. */
  get next(): string {
    return this.text[this.at] ?? "";
  }

  skipBlanks(): void {
    while (!this.isAtEnd && /\s/u.test(this.next)) this.at++;
  }

  /** Reads the match of a sticky expression at the position, or returns undefined. */
  take(expression: RegExp): string | undefined {
    const match = this.peek(expression);
    this.at += match?.length ?? 0;
    return match;
  }

  /** Returns the match of a sticky expression at the position, without reading it. */
  peek(expression: RegExp): string | undefined {
    expression.lastIndex = this.at;
    return expression.exec(this.text)?.[0];
  }

  /** Whether the position is the start, or after a blank or bracket. Only there, a sign is an operator. */
  get isAfterBlank(): boolean {
    return this.at === 0 || /[\s()]/u.test(this.text[this.at - 1]!);
  }

  /** Whether the next character is a bracket that opens a group and does not belong to a word. */
  get isAtGroup(): boolean {
    return this.next === "(" && !this.#brackets.beginsWord(this.at);
  }

  /** Reads a word up to a blank, a quote, or a bracket that does not belong to the word. */
  readWord(): Word {
    const start = this.at;
    const escaped = new Set<number>();
    let text = "";
    let depth = 0;
    for (; !this.isAtEnd; this.at++) {
      const sign = this.next;
      if (sign === "\\") {
        if (this.at + 1 < this.text.length) escaped.add(text.length);
        this.at++;
        text += this.next;
        continue;
      }
      if (sign === '"' || /\s/u.test(sign)) break;
      if (sign === "(" && this.#brackets.closing(this.at) === undefined) break;
      if (sign === ")" && depth === 0) break;
      if (sign === "(") depth++;
      if (sign === ")") depth--;
      text += sign;
    }
    return { text, isEscaped: (index) => escaped.has(index), raw: this.text.slice(start, this.at) };
  }

  /** Reads from a quote up to the next one, or to the end of the text. */
  readQuoted(): { readonly text: string; readonly isClosed: boolean } {
    let text = "";
    for (this.at++; !this.isAtEnd; this.at++) {
      if (this.next === '"') {
        this.at++;
        return { text, isClosed: true };
      }
      if (this.next === "\\") this.at++;
      text += this.next;
    }
    return { text, isClosed: false };
  }
}

/** Returns the beginning of a word, with the positions of its escaped characters. */
export function sliceWord(word: Word, end: number): Word {
  return { ...word, text: word.text.slice(0, end) };
}

/** Round brackets that belong to words: `Fe(III)`, `(2S)-2-aminobutane`. */
interface Brackets {
  /** Returns the index of the closing bracket before the next blank or quote, or undefined. */
  closing(open: number): number | undefined;
  /** Returns whether a word begins with this bracket: it is closed, and letters follow before the next blank. */
  beginsWord(open: number): boolean;
}

/** Pairs the round brackets of a text, in one pass. */
function pairBrackets(text: string): Brackets {
  const closings = new Map<number, number>();
  const begins = new Set<number>();
  const opens: number[] = [];
  // By depth: opening brackets of closed pairs that no letter has followed yet.
  let pendingPairs: number[][] = [[]];
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!;
    if (sign === "\\") i++;
    else if (sign === '"' || /\s/u.test(sign)) {
      opens.length = 0;
      pendingPairs = [[]];
    } else if (sign === "(") {
      opens.push(i);
      pendingPairs[opens.length] = [];
    } else if (sign === ")") {
      const open = opens.pop();
      if (open === undefined) pendingPairs = [[]];
      else {
        closings.set(open, i);
        if (!SYNTAX_AFTER.test(text.slice(i + 1, i + 4))) pendingPairs[opens.length]!.push(open);
      }
    } else if (isLetter(sign)) {
      for (const open of pendingPairs[opens.length]!) begins.add(open);
      pendingPairs[opens.length] = [];
    }
  }
  return { closing: (open) => closings.get(open), beginsWord: (open) => begins.has(open) };
}

/** Syntax after a bracket: a boost, or an operator without a blank. */
const SYNTAX_AFTER = /^(?:[\^~]|AND|OR|&&|\|\|)/u;

/** Returns whether a UTF-16 unit is a letter or digit. Halves of surrogate pairs count as letters. */
const isLetter = (unit: string): boolean => /[\p{L}\p{N}\p{Surrogate}]/u.test(unit);

// Look-alikes of the characters of the syntax: typographic quotes, and the wide signs, digits and letters of East Asian
// keyboards. Each is replaced by one character, so that positions in the text stay the same.

/** Double quotes that people type or paste, for use in a character class. */
const QUOTES = '"“”„‟«»〝〞＂';

/** Pairs of a wide sign and its plain form. Wide brackets, stars and question marks are not syntax. */
const SIGN_PAIRS = "：: ﹕: ∶: ．. ，, ％% ＜< ﹤< ＞> ﹥> ＝= ﹦= ≪< ≦≤ ⩽≤ ≲≤ ≫> ≧≥ ⩾≥ ≳≥".split(" ");
const SIGNS = new Map(SIGN_PAIRS.map((pair) => [pair[0]!, pair[1]!]));
const WIDE = `${[...SIGNS.keys()].join("")}０-９Ａ-Ｚａ-ｚ`;

/** All look-alikes, for use in a character class. After a backslash and in quotes they are text. */
export const LOOK_ALIKES = QUOTES.slice(1) + WIDE;

const ESCAPED = String.raw`\\[\s\S]`;

/** Pieces that stay unchanged (escaped characters, phrases), and those to replace: other quotes and single signs. */
const PIECES = new RegExp(
  String.raw`${ESCAPED}|"(?:[^"\\]|${ESCAPED})*"|[${QUOTES}]((?:[^${QUOTES}\\]|${ESCAPED})*)[${QUOTES}]|([${WIDE}])`,
  "gu",
);

/** Replaces look-alikes by the characters of the syntax. The length of the text stays the same. */
export function plainSigns(text: string): string {
  return text.replace(PIECES, (piece: string, phrase: string | undefined, sign: string | undefined) => {
    if (phrase !== undefined) return `"${phrase}"`;
    return sign === undefined ? piece : (SIGNS.get(sign) ?? sign.normalize("NFKC"));
  });
}
