import type { Db } from "../connection/database.js";

/** Splits a text into tokens like a full-text table. */
type Tokenize = (text: string) => readonly string[];

/** Maps a row of a full-text table to the row that the sums belong to, and the part of that row. */
type PartOf = (row: number) => readonly [targetRow: number, part: number];

/** Number of tokens between two progress reports. */
const TOKENS_PER_STEP = 100_000;

/**
 * Compares the tokens of a full-text table with the expected ones. Contentless tables cannot be read by row, but their
 * tokens can be listed. A sum of hashes that does not depend on the order tells whether a row has exactly the expected
 * tokens: expected tokens are added, existing ones are subtracted, and the result must be 0. With two sums of 32 bits,
 * different tokens cancel out in one of 2^64 cases.
 */
export class TokenSums {
  readonly #hashOf = makeHashes();
  #low: Uint32Array;
  #high: Uint32Array;

  /** @param end number greater than all expected rows */
  constructor(end: number) {
    this.#low = new Uint32Array(end);
    this.#high = new Uint32Array(end);
  }

  /** Adds a text that a row should have. @param column index of the column in the table. @param part see `takeTable` */
  expectText(row: number, tokens: readonly string[], column: number, part = 0): void {
    for (const [offset, token] of tokens.entries()) this.add(row, token, 1, packPosition(column, offset, part));
  }

  /**
   * Subtracts all tokens of a full-text table.
   * @param table, columns names from code
   * @param partOf maps rows, if several rows of the table belong to one row of the sums
   */
  takeTable(
    db: Db,
    table: string,
    columns: readonly string[],
    onProgress: (done: number) => void,
    partOf: PartOf = (row) => [row, 0],
  ): void {
    db.raw.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.${table}_instance USING fts5vocab(main, ${table}, instance)`);
    const numbers = columns.map((column, i) => `WHEN '${column}' THEN ${i}`).join(" ");
    const sql = `SELECT term, doc, CASE col ${numbers} END, "offset" FROM temp.${table}_instance`;
    const instances = db.raw
      .prepare<[], [token: string, row: number, column: number, offset: number]>(sql)
      .raw()
      .iterate();
    let done = 0;
    for (const [token, row, column, offset] of instances as Iterable<[string, number, number, number]>) {
      if (++done % TOKENS_PER_STEP === 0) onProgress(done);
      const [targetRow, part] = partOf(row);
      this.add(targetRow, token, -1, packPosition(column, offset, part));
    }
  }

  /**
   * Adds or subtracts one token. @param sign 1 for an expected token, -1 for an existing one. @param place of the token
   * in its row
   */
  add(row: number, token: string, sign: 1 | -1, place = 0): void {
    const [low, high] = this.#hashOf(token);
    if (row >= this.#low.length) this.#grow(row + 1);
    this.#low[row]! += sign * mix(low, place);
    this.#high[row]! += sign * mix(high, ~place);
  }

  /** Yields the rows whose sums are not 0, ascending. */
  *unequal(): Generator<number> {
    for (let row = 0; row < this.#low.length; row++) if (this.#low[row] !== 0 || this.#high[row] !== 0) yield row;
  }

  #grow(least: number): void {
    const length = Math.max(least, this.#low.length * 2);
    const enlarge = (current: Uint32Array): Uint32Array => {
      const larger = new Uint32Array(length);
      larger.set(current);
      return larger;
    };
    this.#low = enlarge(this.#low);
    this.#high = enlarge(this.#high);
  }
}

/** Returns the position of a token as one number. */
const packPosition = (column: number, offset: number, part: number): number =>
  Math.imul(part, 0x27d4eb2f) ^ ((offset << COLUMN_BITS) | column);

const COLUMN_BITS = 3;

/** Maximum number of cached hashes. */
const HASHES_MAX = 100_000;

/** Makes a hash function with a cache: tables list a token many times in a row, and texts repeat frequent ones. */
function makeHashes(): (token: string) => TokenHash {
  const hashCache = new Map<string, TokenHash>();
  let [lastToken, lastHash] = ["", hashText("")];
  return (token) => {
    if (token === lastToken) return lastHash;
    let hash = hashCache.get(token);
    if (hash === undefined) {
      if (hashCache.size > HASHES_MAX) hashCache.clear();
      hash = hashText(token);
      hashCache.set(token, hash);
    }
    [lastToken, lastHash] = [token, hash];
    return hash;
  };
}

/** Two 32-bit hashes of a text. */
type TokenHash = readonly [low: number, high: number];

/** Hashed length of a token in UTF-16 units. FTS5 cuts tokens at 32,768 bytes, which is always longer. */
const HASHED_LENGTH_MAX = 8_000;

/** Computes FNV-1a with two offset bases. */
function hashText(text: string): TokenHash {
  const end = Math.min(text.length, HASHED_LENGTH_MAX);
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let i = 0; i < end; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x5bd1e995);
  }
  return [low, high];
}

/** Applies the finalizer of MurmurHash3, in which each input bit changes half of the output bits. */
function mix(hash: number, place: number): number {
  let mixed = hash ^ Math.imul(place, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * Makes a function that splits a text like the tokenizer `ascii`. @param signs characters that `tokenchars` adds to
 * letters and digits
 */
export function makeTokenize(signs: string): Tokenize {
  const escaped = signs.replace(/[\\\]^-]/g, "\\$&");
  const token = new RegExp(`[A-Za-z0-9${escaped}\\u0080-\\uffff]+`, "g");
  return (text) => (text.match(token) ?? []).map(foldAscii);
}

const foldAscii = (token: string): string =>
  /[A-Z]/.test(token) ? token.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase()) : token;
