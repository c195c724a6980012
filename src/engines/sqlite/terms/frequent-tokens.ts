import { HOT_PREFIX_MAX } from "./hot-rows.js";
import type { Phrase } from "./match-words.js";

/** A token, or a beginning of tokens, that may be in many rows. */
export interface Common {
  readonly table: Phrase["table"];
  readonly token: string;
  readonly isPrefix: boolean;
}

/** Finds the tokens, and the beginnings of tokens, that may be common, of tokens that come in their order. */
export class CommonTokens {
  readonly #table: Phrase["table"];
  readonly #before: string;
  readonly #least: number;
  readonly #found: Common[] = [];
  /** The letters of the last token: each of their beginnings is open until a token begins otherwise. */
  #letters: readonly string[] = [];
  /** How many rows the tokens of each open beginning have together; a row with two of them counts twice. */
  readonly #rows: number[] = [];

  /** @param least rows from which on they are common. @param before stands before the letters of each token */
  constructor(table: Phrase["table"], least: number, before = "") {
    this.#table = table;
    this.#least = least;
    this.#before = before;
  }

  add(tokens: readonly (readonly [token: string, rows: number])[]): void {
    for (const [token, rows] of tokens) {
      const letters = [...token.slice(this.#before.length)].slice(0, HOT_PREFIX_MAX);
      let same = 0;
      while (same < letters.length && letters[same] === this.#letters[same]) same++;
      this.#close(same);
      this.#letters = letters;
      for (let i = 0; i < letters.length; i++) this.#rows[i] = (this.#rows[i] ?? 0) + rows;
      if (rows >= this.#least) this.#found.push({ table: this.#table, token, isPrefix: false });
    }
  }

  /** All that was found, after the last token. */
  found(): readonly Common[] {
    this.#close(0);
    this.#letters = [];
    return this.#found;
  }

  /** No further token has more than so many first letters in common with the last one. */
  #close(same: number): void {
    for (let i = this.#letters.length - 1; i >= same; i--) {
      if (this.#rows[i]! >= this.#least) {
        const token = this.#before + this.#letters.slice(0, i + 1).join("");
        this.#found.push({ table: this.#table, token, isPrefix: true });
      }
      this.#rows[i] = 0;
    }
  }
}
