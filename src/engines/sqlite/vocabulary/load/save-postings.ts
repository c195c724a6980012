import { setImmediate as turn } from "node:timers/promises";
import { andNot, cardinality, type DocIdSet, EMPTY_SET, or, setOfSorted } from "../../bitmaps/doc-id-set.js";
import { packRows } from "../../bitmaps/doc-id-set-codec.js";
import { phrase } from "../../documents/fts-expression.js";
import { joinIds } from "../search/match-rows.js";
import type { Phrase } from "../search/phrases.js";
import { postingsName } from "../search/saved-postings.js";
import type { Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat } from "./claim.js";
import type { CommonBeginning } from "./frequent-tokens.js";

/** Rows that are read in one go: some milliseconds. */
const ROWS_AT_ONCE = 50_000;

/** Tokens that one expression asks for. */
const TOKENS_AT_ONCE = 200;

/** Bytes that are written in one go. */
const FLUSH_BYTES = 2_000_000;

/** Rows with a token: in titles, in names, in the rest. Paths have no such columns: all is in the last one. */
type ByColumn = readonly [title: DocIdSet, names: DocIdSet, rest: DocIdSet];

const NONE: ByColumn = [EMPTY_SET, EMPTY_SET, EMPTY_SET];

const eitherOf = (a: ByColumn, b: ByColumn): ByColumn => [or(a[0], b[0]), or(a[1], b[1]), or(a[2], b[2])];

type PostingsRow = readonly [
  name: string,
  count: number,
  all: Buffer,
  notTitle: Buffer | null,
  notNames: Buffer | null,
];

/**
 * Saves the sets of common tokens of one table, see saved-postings.ts. The set of a beginning is put together from
 * those of longer ones, so that each posting is read once.
 */
export class PostingsWriter {
  readonly #loader: BulkLoader;
  readonly #generation: Generation;
  readonly #table: Phrase["table"];
  readonly #least: number;
  #rows: PostingsRow[] = [];
  #bytes = 0;

  constructor(loader: BulkLoader, generation: Generation, table: Phrase["table"], least: number) {
    this.#loader = loader;
    this.#generation = generation;
    this.#table = table;
    this.#least = least;
  }

  /** Saves the sets of a beginning, of all longer ones, and of their words. @returns its rows */
  async saveBeginning({ token, longer, rare, word, isLast }: CommonBeginning): Promise<ByColumn> {
    let rows = NONE;
    if (word === "common") rows = await this.saveToken(token);
    for (const each of longer) rows = eitherOf(rows, await this.saveBeginning(each));
    const others = rare.map((each) => phrase([each], true));
    if (word === "rare") others.push(phrase([token]));
    if (isLast) others.push(phrase([token], true));
    for (let from = 0; from < others.length; from += TOKENS_AT_ONCE) {
      rows = eitherOf(rows, await this.#read(others.slice(from, from + TOKENS_AT_ONCE)));
    }
    await this.#save(postingsName(token, true), rows);
    return rows;
  }

  /** Saves the set of one token, if it is common. @returns its rows */
  async saveToken(token: string): Promise<ByColumn> {
    const rows = await this.#read([phrase([token])]);
    await this.#save(postingsName(token, false), rows);
    return rows;
  }

  /** Writes what is not written yet. */
  async flush(): Promise<void> {
    const save = this.#generation.sql(
      "INSERT INTO hot_$g(name, count, all_rows, not_title, not_names) VALUES(?, ?, ?, ?, ?)",
    );
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    await this.#loader.steps((isLate) => {
      heartbeat(this.#loader.db, this.#generation.g);
      for (let row = rows.pop(); row !== undefined; row = rows.pop()) {
        save.run(row);
        if (isLate()) return "more";
      }
      return "done";
    });
  }

  async #save(name: string, [title, names, rest]: ByColumn): Promise<void> {
    const all = or(or(title, names), rest);
    // Of a beginning it was only known how many rows have its words: some have several.
    if (cardinality(all) < this.#least) return;
    const packed = packRows(all);
    const inNone = (...some: DocIdSet[]): Buffer | null => {
      const others = some.reduce(andNot, all);
      return cardinality(others) === 0 ? null : packRows(others);
    };
    const isText = this.#table === "term_fts";
    this.#rows.push([
      name,
      cardinality(all),
      packed,
      isText ? inNone(title) : null,
      isText ? inNone(title, names) : null,
    ]);
    this.#bytes += packed.length;
    if (this.#bytes > FLUSH_BYTES) await this.flush();
  }

  async #read(expressions: readonly string[]): Promise<ByColumn> {
    const any = `(${expressions.join(" OR ")})`;
    if (this.#table === "term_at") return [EMPTY_SET, EMPTY_SET, await this.#readRows(any)];
    const inColumn = (column: string): Promise<DocIdSet> => this.#readRows(`{${column}} : ${any}`);
    return [await inColumn("title"), await inColumn("names"), await inColumn("rest")];
  }

  async #readRows(expression: string): Promise<DocIdSet> {
    const table = this.#table;
    const statement = this.#generation
      .sql<number>(
        `SELECT rowid FROM texts.${table}_$g WHERE ${table}_$g MATCH ? AND rowid > ?
         ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
      )
      .pluck();
    const parts: number[][] = [];
    let last = 0;
    for (;;) {
      // A bound that is no integer to SQLite is ignored by FTS5 in silence, and numbers of JavaScript are none.
      const rows = statement.all(expression, BigInt(last));
      parts.push(rows);
      if (rows.length < ROWS_AT_ONCE) return setOfSorted(joinIds(parts));
      last = rows.at(-1)!;
      await turn();
    }
  }
}
