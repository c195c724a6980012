import { SAVED_PREFIX_MAX } from "../search/saved-postings.js";

/**
 * A beginning of tokens that is in many rows, and what those rows are together: the rows of its longer beginnings that
 * are common too, of those that are not, and of the token itself where there is one.
 */
export interface CommonBeginning {
  readonly token: string;
  readonly longer: readonly CommonBeginning[];
  readonly rare: readonly string[];
  /** Is there a token that does not go on? */
  readonly word: "common" | "rare" | undefined;
  /** Tokens that go on are not told apart any more: they are asked for as one. */
  readonly isLast: boolean;
}

interface Open {
  readonly token: string;
  readonly longer: CommonBeginning[];
  readonly rare: string[];
  /** Rows of all its tokens, of which some are the same. */
  rows: number;
  /** Rows of the token that does not go on. */
  word: number;
}

/** Finds the common ones among tokens that come in their order. */
export class CommonTokens {
  readonly #least: number;
  readonly #before: string;
  /** The beginnings of the last token, the shortest first; below them one of no letters. */
  readonly #open: Open[];
  #letters: readonly string[] = [];

  /** @param least rows from which on a token is common. @param before stands before the letters of each token */
  constructor(least: number, before = "") {
    this.#least = least;
    this.#before = before;
    this.#open = [open(before)];
  }

  add(tokens: readonly (readonly [token: string, rows: number])[]): void {
    for (const [token, rows] of tokens) {
      const letters = [...token.slice(this.#before.length)];
      const first = letters.slice(0, SAVED_PREFIX_MAX);
      let same = 0;
      while (same < first.length && first[same] === this.#letters[same]) same++;
      this.#close(same);
      for (let i = same; i < first.length; i++) this.#open.push(open(this.#open.at(-1)!.token + first[i]));
      this.#letters = first;
      const last = this.#open.at(-1)!;
      last.rows += rows;
      if (letters.length === first.length) last.word = rows;
    }
  }

  /** The common beginnings of one letter, after the last token. */
  found(): readonly CommonBeginning[] {
    this.#close(0);
    this.#letters = [];
    return this.#open[0]!.longer;
  }

  /** No further token has more than so many first letters in common with the last one. */
  #close(same: number): void {
    while (this.#open.length > same + 1) {
      const { token, longer, rare, rows, word } = this.#open.pop()!;
      const above = this.#open.at(-1)!;
      above.rows += rows;
      if (rows < this.#least) above.rare.push(token);
      else {
        const kind = word === 0 ? undefined : word < this.#least ? "rare" : "common";
        above.longer.push({ token, longer, rare, word: kind, isLast: this.#open.length === SAVED_PREFIX_MAX });
      }
    }
  }
}

const open = (token: string): Open => ({ token, longer: [], rare: [], rows: 0, word: 0 });
