import { type Brackets, pairBrackets } from "./brackets.js";
import type { MarkedText } from "./pattern.js";

/** A word as it was written, without the backslashes that escaped some of its characters. */
export interface Word extends MarkedText {
  /** As it stands in the query. */
  readonly raw: string;
}

/** Reads a query's text from left to right; `at` only ever grows. */
export class Scanner {
  at = 0;
  readonly #brackets: Brackets;

  constructor(readonly text: string) {
    this.#brackets = pairBrackets(text);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The UTF-16 unit that comes next; "" at the end. */
  get next(): string {
    return this.text[this.at] ?? "";
  }

  skipBlanks(): void {
    while (!this.isAtEnd && /\s/u.test(this.next)) this.at++;
  }

  /** Reads what a sticky expression finds here. */
  take(expression: RegExp): string | undefined {
    const found = this.peek(expression);
    this.at += found?.length ?? 0;
    return found;
  }

  peek(expression: RegExp): string | undefined {
    expression.lastIndex = this.at;
    return expression.exec(this.text)?.[0];
  }

  /** Does nothing, a blank or a bracket stand before? Only there a sign is an operator. */
  get isAfterBlank(): boolean {
    return this.at === 0 || /[\s()]/u.test(this.text[this.at - 1]!);
  }

  /** Opens a group here, and not a word? */
  get isAtGroup(): boolean {
    return this.next === "(" && !this.#brackets.beginsWord(this.at);
  }

  /** Up to a blank, a quote or a bracket that does not belong to the word. */
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

  /** From a quote up to the next one, or to the end. */
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

/** A part of a word, with its marks. */
export function sliceWord(word: Word, end: number): Word {
  return { ...word, text: word.text.slice(0, end) };
}
