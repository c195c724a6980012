import { setImmediate as turn } from "node:timers/promises";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { existsToken, isTitle, isWord, pathToken } from "../../../../query/index-model/term-document.js";
import { andNot, cardinality, type DocIdSet, EMPTY_SET, or, packRows, setOfSorted } from "../../bitmaps/doc-id-set.js";
import { phrase } from "../../documents/fts-expression.js";
import { joinIds } from "../search/match-rows.js";
import type { Phrase } from "../search/phrases.js";
import { postingsName, savedPostingsMin } from "../search/saved-data.js";
import type { Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat } from "./claim.js";
import { type CommonPrefix, CommonPrefixes } from "./frequent-tokens.js";
import type { Ranking } from "./rank-terms.js";

/** Rows read in one query: some milliseconds. */
const ROWS_AT_ONCE = 50_000;

/** Tokens in one full-text expression. */
const TOKENS_AT_ONCE = 200;

/** Bytes after which rows are written. */
const FLUSH_BYTES = 2_000_000;

/** Rows with a token in titles, in names, and in the rest. Paths have no such columns: all rows are in the last set. */
type ByColumn = readonly [title: DocIdSet, names: DocIdSet, rest: DocIdSet];

const NO_ROWS: ByColumn = [EMPTY_SET, EMPTY_SET, EMPTY_SET];

const unionByColumn = (a: ByColumn, b: ByColumn): ByColumn => [or(a[0], b[0]), or(a[1], b[1]), or(a[2], b[2])];

type PostingsRow = readonly [
  name: string,
  count: number,
  all: Buffer,
  notTitle: Buffer | null,
  notNames: Buffer | null,
];

/**
 * Saves the posting lists of common tokens of one table, see saved-data.ts. The posting list of a prefix is the
 * union of those of longer prefixes, so that each posting is read once.
 */
class PostingsWriter {
  readonly #loader: BulkLoader;
  readonly #generation: Generation;
  readonly #table: Phrase["table"];
  readonly #minRows: number;
  #rows: PostingsRow[] = [];
  #bytes = 0;

  constructor(loader: BulkLoader, generation: Generation, table: Phrase["table"], minRows: number) {
    this.#loader = loader;
    this.#generation = generation;
    this.#table = table;
    this.#minRows = minRows;
  }

  /** Saves the posting lists of a prefix, of all longer ones, and of their words. @returns the rows of the prefix */
  async savePrefix({ token, longer, rare, word, isLast }: CommonPrefix): Promise<ByColumn> {
    let rows = NO_ROWS;
    if (word === "common") rows = await this.saveToken(token);
    for (const each of longer) rows = unionByColumn(rows, await this.savePrefix(each));
    const expressions = rare.map((each) => phrase([each], true));
    if (word === "rare") expressions.push(phrase([token]));
    if (isLast) expressions.push(phrase([token], true));
    for (let from = 0; from < expressions.length; from += TOKENS_AT_ONCE) {
      rows = unionByColumn(rows, await this.#read(expressions.slice(from, from + TOKENS_AT_ONCE)));
    }
    await this.#save(postingsName(token, true), rows);
    return rows;
  }

  /** Saves the posting list of one token if it is common. @returns its rows */
  async saveToken(token: string): Promise<ByColumn> {
    const rows = await this.#read([phrase([token])]);
    await this.#save(postingsName(token, false), rows);
    return rows;
  }

  /** Writes pending rows. */
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
    // For a prefix only the sum of the rows of its words was known, in which rows with several of them count several
    // times.
    if (cardinality(all) < this.#minRows) return;
    const packed = packRows(all);
    const packRowsOutside = (...some: DocIdSet[]): Buffer | null => {
      const otherRows = some.reduce(andNot, all);
      return cardinality(otherRows) === 0 ? null : packRows(otherRows);
    };
    const isText = this.#table === "term_fts";
    this.#rows.push([
      name,
      cardinality(all),
      packed,
      isText ? packRowsOutside(title) : null,
      isText ? packRowsOutside(title, names) : null,
    ]);
    this.#bytes += packed.length;
    if (this.#bytes > FLUSH_BYTES) await this.flush();
  }

  async #read(expressions: readonly string[]): Promise<ByColumn> {
    const anyExpression = `(${expressions.join(" OR ")})`;
    if (this.#table === "term_at") return [EMPTY_SET, EMPTY_SET, await this.#readRows(anyExpression)];
    const readColumn = (column: string): Promise<DocIdSet> => this.#readRows(`{${column}} : ${anyExpression}`);
    return [await readColumn("title"), await readColumn("names"), await readColumn("rest")];
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
    let lastRow = 0;
    for (;;) {
      // FTS5 silently ignores a bound that is not an SQLite integer; JavaScript numbers are bound as REAL.
      const rows = statement.all(expression, BigInt(lastRow));
      parts.push(rows);
      if (rows.length < ROWS_AT_ONCE) return setOfSorted(joinIds(parts));
      lastRow = rows.at(-1)!;
      await turn();
    }
  }
}

/** Tokens read in one query: some milliseconds. */
const TOKENS_READ = 4_000;

/**
 * Saves the sorted words of the filled generation and the posting lists of common tokens, both from the full-text
 * tables of `texts`.
 */
export async function savePostings(
  loader: BulkLoader,
  generation: Generation,
  vocabulary: Vocabulary,
  { ranked }: Ranking,
): Promise<void> {
  const minRows = savedPostingsMin(ranked);
  const words = new CommonPrefixes(minRows);
  const save = generation.sql("INSERT INTO word_$g(words) VALUES(?)");
  await readTokens(loader, generation, "term_fts", ["", LAST_CHARACTER], (tokens) => {
    words.add(tokens);
    const batch = tokens.flatMap(([token]) => (isWord(token) ? [token] : []));
    if (batch.length > 0) save.run(batch.join(" "));
  });
  const text = new PostingsWriter(loader, generation, "term_fts", minRows);
  for (const prefix of words.prefixes()) await text.savePrefix(prefix);
  await text.flush();

  const atPaths = new PostingsWriter(loader, generation, "term_at", minRows);
  for (const lead of sharedPaths(vocabulary)) {
    const values = new CommonPrefixes(minRows, lead);
    await readTokens(loader, generation, "term_at", [lead, lead + LAST_CHARACTER], (tokens) => values.add(tokens));
    for (const prefix of values.prefixes()) await atPaths.savePrefix(prefix);
  }
  for (const path of vocabulary.leaves.keys()) await atPaths.saveToken(existsToken(path));
  await atPaths.flush();
}

/** Sorts after every character of a token. */
const LAST_CHARACTER = "\u{10ffff}";

/**
 * Returns the token prefixes of paths whose values many terms share. Ids and parents differ for each term; titles and
 * synonyms are columns of the other table.
 */
function sharedPaths({ leaves }: Vocabulary): string[] {
  const isOwnPath = (path: string): boolean =>
    path === "id" || path === "parent" || path === "synonyms" || isTitle(path);
  return [...leaves.keys()].filter((path) => !isOwnPath(path)).map((path) => pathToken(path, ""));
}

/** Reads tokens in sorted order, with the number of rows that have each. */
async function readTokens(
  loader: BulkLoader,
  generation: Generation,
  table: Phrase["table"],
  [from, to]: readonly [from: string, to: string],
  onBatch: (tokens: readonly (readonly [token: string, rows: number])[]) => void,
): Promise<void> {
  const columns = `SELECT term, doc FROM texts.${table}_word_$g`;
  const firstBatch = generation.sql<[string, number]>(`${columns} WHERE term >= ? AND term < ? LIMIT ${TOKENS_READ}`);
  const nextBatch = generation.sql<[string, number]>(`${columns} WHERE term > ? AND term < ? LIMIT ${TOKENS_READ}`);
  let tokens = firstBatch.raw().all(from, to);
  await loader.steps((isLate) => {
    heartbeat(loader.db, generation.g);
    for (;;) {
      onBatch(tokens);
      if (tokens.length < TOKENS_READ) return "done";
      tokens = nextBatch.raw().all(tokens.at(-1)![0], to);
      if (isLate()) return "more";
    }
  });
}
