import type { Db } from "../connection/database.js";

/**
 * Contentless full-text tables cannot be read back by row, but all their tokens can be listed, by token. A sum of
 * hashes that does not depend on their order tells whether a row has just the tokens that it should: what should be
 * there is added, what is there is taken away, and 0 must be left. Two sums of 32 bits each: tokens that are not the
 * same cancel out in one of 2^64 cases.
 */
export class TokenSums {
  #low: Uint32Array;
  #high: Uint32Array;

  /** @param end number above all rows that are expected */
  constructor(end: number) {
    this.#low = new Uint32Array(end);
    this.#high = new Uint32Array(end);
  }

  /** @param sign 1 for what should be there, -1 for what is. @param place of the token in its row */
  add(row: number, [low, high]: Hash, place: number, sign: 1 | -1): void {
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

/** Two hashes of a text, 32 bits each. */
export type Hash = readonly [low: number, high: number];

/** FTS5 cuts tokens off at 32,768 bytes; so many UTF-16 units are below that in any case. */
const TOKEN_LENGTH_MAX = 8_000;

/** FNV-1a with two beginnings. */
export function hashText(text: string): Hash {
  const end = Math.min(text.length, TOKEN_LENGTH_MAX);
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

/** A token where it stands in a full-text table; `place` as `lowerBoundOfValue` gives it. */
export type Instance = readonly [token: string, row: number, place: number];

/** Every token of a full-text table, by token and row. @param table, columns names of ours */
export function instancesOf(db: Db, table: string, columns: readonly string[]): IterableIterator<Instance> {
  db.raw.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.${table}_instance USING fts5vocab(main, ${table}, instance)`);
  const numbers = columns.map((column, i) => `WHEN '${column}' THEN ${i}`).join(" ");
  // Each value that a row does not carry over into JavaScript saves a tenth of the time.
  const sql = `SELECT term, doc, "offset" << ${COLUMN_BITS} | CASE col ${numbers} END FROM temp.${table}_instance`;
  return db.raw.prepare<[], Instance>(sql).raw().iterate() as IterableIterator<Instance>;
}

/** Splits a text as the tokenizer `ascii` does. @param signs what `tokenchars` adds to letters and digits */
export function makeTokenize(signs: string): (text: string) => readonly string[] {
  const escaped = signs.replace(/[\\\]^-]/g, "\\$&");
  const token = new RegExp(`[A-Za-z0-9${escaped}\\u0080-\\uffff]+`, "g");
  return (text) => (text.match(token) ?? []).map(foldAscii);
}

const foldAscii = (token: string): string =>
  /[A-Z]/.test(token) ? token.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase()) : token;

const COLUMN_BITS = 3;

/** Where a token stands, as one number: column and offset. */
export const placeOf = (column: number, offset: number): number => (offset << COLUMN_BITS) | column;

export const columnOf = (place: number): number => place & (2 ** COLUMN_BITS - 1);
