import type { Db } from "../connection/database.js";

/** Splits a text into tokens, as a full-text table does. */
type Tokenize = (text: string) => readonly string[];

/** Finds in a row of a full-text table the row that the sums are of, and which part of that it is. */
type PartOf = (row: number) => readonly [of: number, part: number];

/** Tokens that are read between two steps of progress. */
const TOKENS_PER_STEP = 100_000;

/**
 * Contentless full-text tables cannot be read back by row, but all their tokens can be listed, by token. A sum of
 * hashes that does not depend on their order tells whether a row has just the tokens that it should: what should be
 * there is added, what is there is taken away, and 0 must be left. Two sums of 32 bits each: tokens that are not the
 * same cancel out in one of 2^64 cases.
 */
export class TokenSums {
  readonly #hashOf = makeHashes();
  #low: Uint32Array;
  #high: Uint32Array;

  /** @param end number above all rows that are expected */
  constructor(end: number) {
    this.#low = new Uint32Array(end);
    this.#high = new Uint32Array(end);
  }

  /** Adds a text that a row should have. @param column its number in the table. @param part see `takeTable` */
  expectText(row: number, tokens: readonly string[], column: number, part = 0): void {
    for (const [offset, token] of tokens.entries()) this.add(row, token, 1, placeOf(column, offset, part));
  }

  /**
   * Takes away all tokens of a full-text table.
   * @param table, columns names of ours
   * @param partOf where a row of the sums is more than one of the table
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
    const all = db.raw.prepare<[], [token: string, row: number, column: number, offset: number]>(sql).raw().iterate();
    let done = 0;
    for (const [token, row, column, offset] of all as Iterable<[string, number, number, number]>) {
      if (++done % TOKENS_PER_STEP === 0) onProgress(done);
      const [of, part] = partOf(row);
      this.add(of, token, -1, placeOf(column, offset, part));
    }
  }

  /** @param sign 1 for what should be there, -1 for what is. @param place of the token in its row */
  add(row: number, token: string, sign: 1 | -1, place = 0): void {
    const [low, high] = this.#hashOf(token);
    if (row >= this.#low.length) this.#grow(row + 1);
    this.#low[row]! += sign * mix(low, place);
    this.#high[row]! += sign * mix(high, ~place);
  }

  /** The rows whose sums are not 0, ascending. */
  *unequal(): Generator<number> {
    for (let row = 0; row < this.#low.length; row++) if (this.#low[row] !== 0 || this.#high[row] !== 0) yield row;
  }

  #grow(least: number): void {
    const length = Math.max(least, this.#low.length * 2);
    const grown = (old: Uint32Array): Uint32Array => {
      const larger = new Uint32Array(length);
      larger.set(old);
      return larger;
    };
    this.#low = grown(this.#low);
    this.#high = grown(this.#high);
  }
}

/** Where a token stands, as one number. */
const placeOf = (column: number, offset: number, part: number): number =>
  Math.imul(part, 0x27d4eb2f) ^ ((offset << COLUMN_BITS) | column);

const COLUMN_BITS = 3;

/** Hashes that are kept. */
const HASHES_MAX = 100_000;

/** Tables list the same token again and again, and texts have some more often than others. */
function makeHashes(): (token: string) => Hash {
  const known = new Map<string, Hash>();
  let [last, lastHash] = ["", hashText("")];
  return (token) => {
    if (token === last) return lastHash;
    let hash = known.get(token);
    if (hash === undefined) {
      if (known.size > HASHES_MAX) known.clear();
      hash = hashText(token);
      known.set(token, hash);
    }
    [last, lastHash] = [token, hash];
    return hash;
  };
}

/** Two hashes of a text, 32 bits each. */
type Hash = readonly [low: number, high: number];

/** Hashed length of a token, in UTF-16 units. FTS5 cuts tokens at 32,768 bytes, which is always longer. */
const HASHED_LENGTH_MAX = 8_000;

/** FNV-1a with two beginnings. */
function hashText(text: string): Hash {
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

/** The last steps of MurmurHash3: each bit of both numbers changes half of the bits. */
function mix(hash: number, place: number): number {
  let mixed = hash ^ Math.imul(place, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Splits a text as the tokenizer `ascii` does. @param signs what `tokenchars` adds to letters and digits */
export function makeTokenize(signs: string): Tokenize {
  const escaped = signs.replace(/[\\\]^-]/g, "\\$&");
  const token = new RegExp(`[A-Za-z0-9${escaped}\\u0080-\\uffff]+`, "g");
  return (text) => (text.match(token) ?? []).map(foldAscii);
}

const foldAscii = (token: string): string =>
  /[A-Z]/.test(token) ? token.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase()) : token;
