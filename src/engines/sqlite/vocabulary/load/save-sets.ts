import { setImmediate as turn } from "node:timers/promises";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { existsToken, isTitle, pathToken } from "../../../../query/index-model/term-document.js";
import {
  cardinality,
  type DocIdSet,
  EMPTY_SET,
  joinIds,
  makeSortedSet,
  packRows,
  subtractSet,
  uniteSets,
} from "../../bitmaps/doc-id-set.js";
import { phrase } from "../../documents/fts-expression.js";
import type { Phrase } from "../search/phrases.js";
import { SAVED_PREFIX_MAX, savedSetName, savedSetRowsMin } from "../search/saved-data.js";
import { LAST_CHARACTER } from "../search/term-postings.js";
import type { Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat } from "./claim.js";
import type { Ranking } from "./rank-terms.js";

/** Rows read in one query: some milliseconds. */
const ROWS_AT_ONCE = 50_000;

/** Tokens in one full-text expression. */
const TOKENS_AT_ONCE = 200;

/** Bytes after which rows are written. */
const FLUSH_BYTES = 2_000_000;

/** Rows with a token in titles, in names, and in the rest. Paths have no such columns: all rows are in the last set. */
export type ByColumn = readonly [title: DocIdSet, names: DocIdSet, rest: DocIdSet];

const NO_ROWS: ByColumn = [EMPTY_SET, EMPTY_SET, EMPTY_SET];

const unionByColumn = (a: ByColumn, b: ByColumn): ByColumn => [
  uniteSets(a[0], b[0]),
  uniteSets(a[1], b[1]),
  uniteSets(a[2], b[2]),
];

type PostingsRow = readonly [
  name: string,
  count: number,
  all: Buffer,
  notTitle: Buffer | null,
  notNames: Buffer | null,
];

/**
 * Saves the rows of common tokens of one table as sets, see saved-data.ts. The set of a prefix is the union of those of
 * longer prefixes, so that each row is read once.
 */
export class SetWriter {
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

  /** Saves the sets of a prefix, of all longer ones, and of their words. @returns the rows of the prefix */
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
    await this.save(savedSetName(token, true), rows);
    return rows;
  }

  /** Saves the set of one token if it is common. @returns its rows */
  async saveToken(token: string): Promise<ByColumn> {
    const rows = await this.#read([phrase([token])]);
    await this.save(savedSetName(token, false), rows);
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

  /** Saves the rows of a token or prefix if they are enough. */
  async save(name: string, [title, names, rest]: ByColumn): Promise<void> {
    const all = uniteSets(uniteSets(title, names), rest);
    // For a prefix only the sum of the rows of its words was known, in which rows with several of them count several
    // times.
    if (cardinality(all) < this.#minRows) return;
    const packed = packRows(all);
    const packRowsOutside = (...some: DocIdSet[]): Buffer | null => {
      const otherRows = some.reduce(subtractSet, all);
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
      if (rows.length < ROWS_AT_ONCE) return makeSortedSet(joinIds(parts));
      lastRow = rows.at(-1)!;
      await turn();
    }
  }
}

/** Tokens read in one query: some milliseconds. */
const TOKENS_READ = 4_000;

/** Saves the rows of common tokens and prefixes of `term_at` of the filled generation as sets. */
export async function savePathSets(
  loader: BulkLoader,
  generation: Generation,
  vocabulary: Vocabulary,
  { ranked }: Ranking,
): Promise<void> {
  const minRows = savedSetRowsMin(ranked);
  const atPaths = new SetWriter(loader, generation, "term_at", minRows);
  for (const tokenPrefix of sharedPaths(vocabulary)) {
    const values = new CommonPrefixes(minRows, tokenPrefix);
    await readTokens(loader, generation, "term_at", [tokenPrefix, tokenPrefix + LAST_CHARACTER], (tokens) =>
      values.add(tokens),
    );
    for (const prefix of values.prefixes()) await atPaths.savePrefix(prefix);
  }
  for (const path of vocabulary.leaves.keys()) await atPaths.saveToken(existsToken(path));
  await atPaths.flush();
}

/** Tokens in order, with the number of rows that have each. */
export type TokenCounts = readonly (readonly [token: string, rows: number])[];

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
export async function readTokens(
  loader: BulkLoader,
  generation: Generation,
  table: Phrase["table"],
  [from, to]: readonly [from: string, to: string],
  onBatch: (tokens: TokenCounts) => void,
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

  add(tokens: TokenCounts): void {
    for (const [token, rows] of tokens) {
      const letters = [...token.slice(this.#lead.length)];
      const prefix = letters.slice(0, SAVED_PREFIX_MAX);
      let sharedLength = 0;
      while (sharedLength < prefix.length && prefix[sharedLength] === this.#letters[sharedLength]) sharedLength++;
      this.#close(sharedLength);
      for (let i = sharedLength; i < prefix.length; i++)
        this.#open.push(openNode(this.#open.at(-1)!.token + prefix[i]));
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
