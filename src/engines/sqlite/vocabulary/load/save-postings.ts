import { setImmediate as turn } from "node:timers/promises";
import { isBreak } from "../../../../query/index-model/term-document.js";
import { wordsFor } from "../../bitmaps/bit-words.js";
import { makeBitmapSet, toIds } from "../../bitmaps/doc-id-set.js";
import { savedSetName, savedSetRowsMin } from "../search/saved-data.js";
import {
  denseRowsMin,
  LAST_CHARACTER,
  type PostingBlock,
  packPosting,
  TEXT_COLUMNS,
  unpackPosting,
} from "../search/term-postings.js";
import type { Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat } from "./claim.js";
import {
  type ByColumn,
  type CommonPrefix,
  CommonPrefixes,
  readTokens,
  SetWriter,
  type TokenCounts,
} from "./save-sets.js";

/** Maximum number of tokens of a block. A search reads a block for each of its words, so blocks are small. */
const BLOCK_TOKENS = 512;

/** Number of postings from which no token is added to a block. */
const BLOCK_POSTINGS = 65_536;

/** Number of blocks that are read and then written in one transaction: some milliseconds. */
const BLOCKS_AT_ONCE = 8;

/**
 * Saves the posting lists of `term_fts` in blocks, and the rows of dense tokens and of common prefixes as
 * sets, see term-postings.ts.
 */
export async function saveTextPostings(loader: BulkLoader, generation: Generation, ranked: number): Promise<void> {
  const denseMin = denseRowsMin(ranked);
  const blocks: TokenCounts[] = [];
  const prefixMinRows = savedSetRowsMin(ranked);
  const tree = new CommonPrefixes(prefixMinRows);
  await readTokens(loader, generation, "term_fts", ["", LAST_CHARACTER], (tokens) => {
    tree.add(tokens.filter(([token]) => !isBreak(token)));
    for (const block of splitIntoBlocks(tokens, denseMin)) blocks.push(block);
  });
  const sets = new SetWriter(loader, generation, "term_fts", denseMin);
  const prefixSets = new SetWriter(loader, generation, "term_fts", prefixMinRows);
  const prefixes = new PrefixRows(tree.prefixes().flatMap(prefixTokens), ranked, (prefix, rows) =>
    prefixSets.save(savedSetName(prefix, true), rows),
  );
  const instances = `temp.term_fts_instance_${generation.g}`;
  loader.db.raw.exec(`CREATE VIRTUAL TABLE ${instances} USING fts5vocab(texts, term_fts_${generation.g}, instance)`);
  try {
    const readPostings = makePostingsReader(loader, instances, denseMin);
    const save = generation.sql("INSERT INTO postings_$g(first, tokens, ends, postings) VALUES(?, ?, ?, ?)");
    for (let from = 0; from < blocks.length; from += BLOCKS_AT_ONCE) {
      const rows: unknown[][] = [];
      for (const tokens of blocks.slice(from, from + BLOCKS_AT_ONCE)) {
        const { ends, postings } = readPostings(tokens);
        let start = 0;
        for (const [i, [token, count]] of tokens.entries()) {
          await prefixes.begin(token);
          if (count >= denseMin) prefixes.addSets(await sets.saveToken(token));
          else prefixes.addPostings(postings.subarray(start, ends[i]));
          start = ends[i]!;
        }
        const texts = tokens.map(([token]) => token);
        rows.push([texts[0], texts.join(" "), Buffer.from(ends.buffer), Buffer.from(postings.buffer)]);
      }
      await turn();
      await loader.steps(() => {
        heartbeat(loader.db, generation.g);
        for (const row of rows) save.run(row);
        return "done";
      });
    }
    await prefixes.end();
    await sets.flush();
    await prefixSets.flush();
  } finally {
    loader.db.raw.exec(`DROP TABLE ${instances}`);
  }
}

/** Splits tokens into blocks. The token between values has no list, and no block has tokens before and after it. */
function* splitIntoBlocks(tokens: TokenCounts, denseMin: number): Generator<TokenCounts> {
  let block: TokenCounts[number][] = [];
  let postings = 0;
  for (const entry of tokens) {
    const [token, rows] = entry;
    const isFull = block.length === BLOCK_TOKENS || postings >= BLOCK_POSTINGS;
    if (block.length > 0 && (isFull || isBreak(token))) {
      yield block;
      block = [];
      postings = 0;
    }
    if (isBreak(token)) continue;
    block.push(entry);
    if (rows < denseMin) postings += rows;
  }
  if (block.length > 0) yield block;
}

/** Returns a prefix and all longer ones below it, in the order of tokens. */
const prefixTokens = ({ token, longer }: CommonPrefix): readonly string[] => [token, ...longer.flatMap(prefixTokens)];

/** Makes a function that reads the posting lists of the tokens of a block. */
function makePostingsReader(
  { db }: BulkLoader,
  instances: string,
  denseMin: number,
): (tokens: TokenCounts) => Omit<PostingBlock, "tokens"> {
  const columns = TEXT_COLUMNS.map((column, i) => `WHEN '${column}' THEN ${i}`).join(" ");
  const instancesOf = db.raw
    .prepare<[string, string], [token: string, row: number, column: number]>(
      `SELECT term, doc, CASE col ${columns} END FROM ${instances} WHERE term >= ? AND term <= ?`,
    )
    .raw();
  return (tokens) => {
    const ends = new Uint32Array(tokens.length);
    const postings: number[] = [];
    for (let from = 0; from < tokens.length; ) {
      let to = from;
      // Dense tokens have many instances and are not read here.
      while (to < tokens.length && tokens[to]![1] < denseMin) to++;
      let at = from;
      let lastRow = 0;
      const range = to === from ? [] : instancesOf.iterate(tokens[from]![0], tokens[to - 1]![0]);
      for (const [token, row, column] of range as Iterable<[token: string, row: number, column: number]>) {
        while (tokens[at]![0] !== token) {
          ends[at++] = postings.length;
          lastRow = 0;
        }
        // The instances of a row are in the order of its columns.
        if (row !== lastRow) postings.push(packPosting(row, column));
        lastRow = row;
      }
      // The dense token after the range has an empty list.
      ends.fill(postings.length, at, to + 1);
      from = to + 1;
    }
    return { ends, postings: Uint32Array.from(postings) };
  };
}

/** Collects the rows of common prefixes by column, while their tokens are added in order. */
class PrefixRows {
  readonly #prefixes: readonly string[];
  readonly #ranked: number;
  readonly #save: (prefix: string, rows: ByColumn) => Promise<void>;
  /** Number of prefixes whose tokens have begun. */
  #begun = 0;
  /** Prefixes of the last token, the shortest first, with a bitmap for each column. */
  readonly #open: { readonly prefix: string; readonly columns: readonly Uint32Array[] }[] = [];

  /** @param prefixes in the order of tokens */
  constructor(prefixes: readonly string[], ranked: number, save: (prefix: string, rows: ByColumn) => Promise<void>) {
    this.#prefixes = prefixes;
    this.#ranked = ranked;
    this.#save = save;
  }

  /** Begins the rows of the next token. */
  async begin(token: string): Promise<void> {
    await this.#close((prefix) => token.startsWith(prefix));
    for (; this.#begun < this.#prefixes.length && token.startsWith(this.#prefixes[this.#begun]!); this.#begun++) {
      const columns = TEXT_COLUMNS.map(() => new Uint32Array(wordsFor(this.#ranked + 1)));
      this.#open.push({ prefix: this.#prefixes[this.#begun]!, columns });
    }
  }

  addPostings(postings: Uint32Array): void {
    if (this.#open.length === 0) return;
    for (const posting of postings) this.#add(...unpackPosting(posting));
  }

  addSets(byColumn: ByColumn): void {
    if (this.#open.length === 0) return;
    for (const [column, rows] of byColumn.entries()) for (const row of toIds(rows)) this.#add(row, column);
  }

  async end(): Promise<void> {
    await this.#close(() => false);
  }

  #add(row: number, column: number): void {
    for (const { columns } of this.#open) columns[column]![row >>> 5]! |= 1 << (row & 31);
  }

  async #close(stays: (prefix: string) => boolean): Promise<void> {
    for (let last = this.#open.at(-1); last !== undefined && !stays(last.prefix); last = this.#open.at(-1)) {
      this.#open.pop();
      const [title, names, rest] = last.columns.map(makeBitmapSet);
      await this.#save(last.prefix, [title!, names!, rest!]);
    }
  }
}
