import { SAVED_PREFIX_MAX } from "../search/saved-data.js";

/**
 * A trie node for a token prefix that occurs in at least `minRows` rows. Its rows are the union of the rows of its
 * common longer prefixes (`longer`), its rare ones (`rare`), and the token that equals the prefix (`word`).
 */
export interface CommonPrefix {
  readonly token: string;
  readonly longer: readonly CommonPrefix[];
  readonly rare: readonly string[];
  /** Whether the token that equals the prefix is common or rare; undefined if there is none. */
  readonly word: "common" | "rare" | undefined;
  /** Whether the prefix has the maximum saved length, so that longer tokens are queried as one. */
  readonly isLast: boolean;
}

interface OpenNode {
  readonly token: string;
  readonly longer: CommonPrefix[];
  readonly rare: string[];
  /** Sum of the rows of all its tokens; rows with several of them count several times. */
  rows: number;
  /** Number of rows of the token that equals the prefix. */
  word: number;
}

/** Finds common prefixes among tokens that are added in sorted order. */
export class CommonPrefixes {
  readonly #minRows: number;
  readonly #lead: string;
  /** The open trie nodes of the last token, the shortest prefix first; the first one has no letters. */
  readonly #open: OpenNode[];
  #letters: readonly string[] = [];

  /** @param minRows number of rows from which a token is common. @param lead text before the letters of each token */
  constructor(minRows: number, lead = "") {
    this.#minRows = minRows;
    this.#lead = lead;
    this.#open = [openNode(lead)];
  }

  add(tokens: readonly (readonly [token: string, rows: number])[]): void {
    for (const [token, rows] of tokens) {
      const letters = [...token.slice(this.#lead.length)];
      const prefix = letters.slice(0, SAVED_PREFIX_MAX);
      let same = 0;
      while (same < prefix.length && prefix[same] === this.#letters[same]) same++;
      this.#close(same);
      for (let i = same; i < prefix.length; i++) this.#open.push(openNode(this.#open.at(-1)!.token + prefix[i]));
      this.#letters = prefix;
      const lastNode = this.#open.at(-1)!;
      lastNode.rows += rows;
      if (letters.length === prefix.length) lastNode.word = rows;
    }
  }

  /** Returns the common prefixes of one letter, after the last token was added. */
  prefixes(): readonly CommonPrefix[] {
    this.#close(0);
    this.#letters = [];
    return this.#open[0]!.longer;
  }

  /** Closes nodes deeper than `same` letters, which no further token shares. */
  #close(same: number): void {
    while (this.#open.length > same + 1) {
      const { token, longer, rare, rows, word } = this.#open.pop()!;
      const parent = this.#open.at(-1)!;
      parent.rows += rows;
      if (rows < this.#minRows) parent.rare.push(token);
      else {
        const kind = word === 0 ? undefined : word < this.#minRows ? "rare" : "common";
        parent.longer.push({ token, longer, rare, word: kind, isLast: this.#open.length === SAVED_PREFIX_MAX });
      }
    }
  }
}

const openNode = (token: string): OpenNode => ({ token, longer: [], rare: [], rows: 0, word: 0 });
