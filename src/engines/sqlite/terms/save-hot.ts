import { setImmediate as turn } from "node:timers/promises";
import { countRows, either, NO_ROWS, type Rows, rowsOf, without } from "../rows.js";
import { showLife } from "./claim.js";
import type { CommonBeginning } from "./frequent-tokens.js";
import type { Generation } from "./generation.js";
import { hotName } from "./hot-rows.js";
import type { Loader } from "./loader.js";
import { joinIds } from "./match-rows.js";
import { type Phrase, quote } from "./match-words.js";
import { packRows } from "./saved-rows.js";

/** Rows that are read in one go: some milliseconds. */
const ROWS_AT_ONCE = 50_000;

/** Tokens that one expression asks for. */
const TOKENS_AT_ONCE = 200;

/** Bytes that are written in one go. */
const FLUSH_BYTES = 2_000_000;

/** Rows with a token: in titles, in names, in the rest. Paths have no such columns: all is in the last one. */
type ByColumn = readonly [title: Rows, names: Rows, rest: Rows];

const NONE: ByColumn = [NO_ROWS, NO_ROWS, NO_ROWS];

const eitherOf = (a: ByColumn, b: ByColumn): ByColumn => [either(a[0], b[0]), either(a[1], b[1]), either(a[2], b[2])];

type HotRow = readonly [name: string, count: number, all: Buffer, notTitle: Buffer | null, notNames: Buffer | null];

/**
 * Saves the sets of common tokens of one table, see hot-rows.ts. The set of a beginning is put together from those of
 * longer ones, so that each posting is read once.
 */
export class HotSaver {
  readonly #loader: Loader;
  readonly #generation: Generation;
  readonly #table: Phrase["table"];
  readonly #least: number;
  #rows: HotRow[] = [];
  #bytes = 0;

  constructor(loader: Loader, generation: Generation, table: Phrase["table"], least: number) {
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
    const others = rare.map((each) => `${quote([each])} *`);
    if (word === "rare") others.push(quote([token]));
    if (isLast) others.push(`${quote([token])} *`);
    for (let from = 0; from < others.length; from += TOKENS_AT_ONCE) {
      rows = eitherOf(rows, await this.#read(others.slice(from, from + TOKENS_AT_ONCE)));
    }
    await this.#save(hotName(token, true), rows);
    return rows;
  }

  /** Saves the set of one token, if it is common. @returns its rows */
  async saveToken(token: string): Promise<ByColumn> {
    const rows = await this.#read([quote([token])]);
    await this.#save(hotName(token, false), rows);
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
      showLife(this.#loader.db, this.#generation.g);
      for (let row = rows.pop(); row !== undefined; row = rows.pop()) {
        save.run(row);
        if (isLate()) return "more";
      }
      return "done";
    });
  }

  async #save(name: string, [title, names, rest]: ByColumn): Promise<void> {
    const all = either(either(title, names), rest);
    // Of a beginning it was only known how many rows have its words: some have several.
    if (countRows(all) < this.#least) return;
    const packed = packRows(all);
    const inNone = (...some: Rows[]): Buffer | null => {
      const others = some.reduce(without, all);
      return countRows(others) === 0 ? null : packRows(others);
    };
    const isText = this.#table === "term_fts";
    this.#rows.push([
      name,
      countRows(all),
      packed,
      isText ? inNone(title) : null,
      isText ? inNone(title, names) : null,
    ]);
    this.#bytes += packed.length;
    if (this.#bytes > FLUSH_BYTES) await this.flush();
  }

  async #read(expressions: readonly string[]): Promise<ByColumn> {
    const any = `(${expressions.join(" OR ")})`;
    if (this.#table === "term_at") return [NO_ROWS, NO_ROWS, await this.#readRows(any)];
    const inColumn = (column: string): Promise<Rows> => this.#readRows(`{${column}} : ${any}`);
    return [await inColumn("title"), await inColumn("names"), await inColumn("rest")];
  }

  async #readRows(expression: string): Promise<Rows> {
    const table = this.#table;
    const statement = this.#generation
      .sql<number>(
        `SELECT rowid FROM ${table}_$g WHERE ${table}_$g MATCH ? AND rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
      )
      .pluck();
    const parts: number[][] = [];
    let last = 0;
    for (;;) {
      // A bound that is no integer to SQLite is ignored by FTS5 in silence, and numbers of JavaScript are none.
      const rows = statement.all(expression, BigInt(last));
      parts.push(rows);
      if (rows.length < ROWS_AT_ONCE) return rowsOf(joinIds(parts));
      last = rows.at(-1)!;
      await turn();
    }
  }
}
