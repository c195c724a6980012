/**
 * Posting lists of the words in the text of the ranked rows. They are saved with the generation in blocks of
 * consecutive tokens, so that a search reads only the blocks of its words; blocks that are used stay in the cache.
 */
import { addAll } from "../../../../core/collections.js";
import { compareBytes } from "../../../../core/terms/term-order.js";
import type { Clause } from "../../../../query/index-model/clause.js";
import type { StepColumns } from "../../../../query/ranking/term-steps.js";
import {
  bytesOfSet,
  copyNumbers,
  type DocIdSet,
  EMPTY_SET,
  isWords,
  makeDocIdSet,
  makeSortedSet,
  uniteSets,
} from "../../bitmaps/doc-id-set.js";
import { cachedForGeneration, savedDamaged } from "../store/generation.js";
import { hasSavedSet, readSavedSet } from "./saved-data.js";
import type { SearchContext } from "./search-context.js";

/** Columns of `term_fts`, in the order of their relevance. */
export const TEXT_COLUMNS = ["title", "names", "rest"] as const;

/** The columns of a search, as the number of the last of `TEXT_COLUMNS` that it includes. */
const LAST_COLUMN: Readonly<Record<StepColumns, number>> = { title: 0, names: 1, all: 2 };

/** Bits of the column in a posting. */
const COLUMN_BITS = 2;
const COLUMN_MASK = (1 << COLUMN_BITS) - 1;

/** Returns a posting: a row, and the first column in which it has the token. */
export const packPosting = (row: number, column: number): number => row * (1 << COLUMN_BITS) + column;

/** Returns the row and the column of a posting. */
export const unpackPosting = (posting: number): [row: number, column: number] => [
  posting >>> COLUMN_BITS,
  posting & COLUMN_MASK,
];

/** Returns the number of rows from which a token is dense: its rows are saved as a set, which takes less memory. */
export const denseRowsMin = (ranked: number): number => Math.max(64, ranked >>> 5);

/** Sorts after every character of a token. */
export const LAST_CHARACTER = "\u{10ffff}";

/** Number of postings from which the rows of a token are cached. Fewer are unpacked as fast as they are looked up. */
const CACHED_POSTINGS_MIN = 1_000;

/** Number of tokens that are read between two checks of the time limit. */
const TOKENS_BETWEEN_CHECKS = 100;

/** A block of consecutive tokens with their posting lists. */
export interface PostingBlock {
  /** In the order of their UTF-8 bytes. */
  readonly tokens: readonly string[];
  /** End of the list of each token in `postings`. The list of a dense token is empty: its rows are a saved set. */
  readonly ends: Uint32Array;
  readonly postings: Uint32Array;
}

/** Bytes of a token in memory, without its letters. */
const TOKEN_BYTES = 24;

/** Returns the first token of each block, in order. Empty if the generation was made before there were blocks. */
function firstTokens(context: SearchContext): readonly string[] {
  return cachedForGeneration(context, "posting blocks", () => {
    const tokens = context.generation.sql<string>("SELECT first FROM postings_$g ORDER BY n").pluck().all();
    return [tokens, tokens.reduce((sum, { length }) => sum + TOKEN_BYTES + length, 0)];
  });
}

/** Returns whether the posting lists of the generation are saved. Until it is made again, an older one has none. */
export const hasPostings = (context: SearchContext): boolean =>
  context.generation.ranked === 0 || firstTokens(context).length > 0;

/** Reads a block from the table, without the cache. @param n its number, from 1. @throws BinderyError STORE_DAMAGED */
export function readBlock(generation: SearchContext["generation"], n: number): PostingBlock {
  const row = generation
    .sql<[string, unknown, unknown]>("SELECT tokens, ends, postings FROM postings_$g WHERE n = ?")
    .raw()
    .get(n);
  const [text, ends, postings] = row ?? [];
  if (text === undefined || !isWords(ends) || !isWords(postings)) throw savedDamaged(generation, `postings ${n}`);
  const block: PostingBlock = { tokens: text.split(" "), ends: copyNumbers(ends), postings: copyNumbers(postings) };
  const isWhole = block.ends.length === block.tokens.length && block.ends.at(-1) === block.postings.length;
  if (!isWhole) throw savedDamaged(generation, `postings ${n}`);
  return block;
}

function cachedBlock(context: SearchContext, n: number): PostingBlock {
  return cachedForGeneration(context, `postings ${n}`, () => {
    const block = readBlock(context.generation, n);
    const textBytes = block.tokens.reduce((sum, { length }) => sum + TOKEN_BYTES + length, 0);
    return [block, textBytes + block.ends.byteLength + block.postings.byteLength];
  });
}

/** Returns the index of the first token that is not less than a text. */
function firstAtLeast(tokens: readonly string[], text: string): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(tokens[middle]!, text) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Consecutive tokens of a block. */
interface TokenRange {
  readonly block: PostingBlock;
  readonly from: number;
  readonly to: number;
}

/** Finds a token, or all tokens with a prefix. */
function findTokens(context: SearchContext, token: string, isPrefix: boolean): readonly TokenRange[] {
  const firsts = firstTokens(context);
  const end = token + LAST_CHARACTER;
  const following = firstAtLeast(firsts, token);
  // Unless the token is the first one of a block, it is in the block before the next one. Numbers begin with 1.
  let n = firsts[following] === token ? following + 1 : following;
  const ranges: TokenRange[] = [];
  const addFrom = (block: PostingBlock): void => {
    const from = firstAtLeast(block.tokens, token);
    const to = isPrefix ? firstAtLeast(block.tokens, end) : from + (block.tokens[from] === token ? 1 : 0);
    if (to > from) ranges.push({ block, from, to });
  };
  if (n > 0) addFrom(cachedBlock(context, n));
  if (!isPrefix) return ranges;
  for (n += 1; n <= firsts.length && compareBytes(firsts[n - 1]!, end) < 0; n++) addFrom(cachedBlock(context, n));
  return ranges;
}

/** Returns the ranked rows with a token, or with any token that has this prefix. Some may be deleted rows. */
export function tokenRows(context: SearchContext, token: string, isPrefix: boolean, columns: StepColumns): DocIdSet {
  const saved = isPrefix ? readSavedSet(context, token, true, columns) : undefined;
  if (saved !== undefined) return saved;
  const ranges = isPrefix ? [] : findTokens(context, token, false);
  const isShort = ranges.every((range) => listLength(range) < CACHED_POSTINGS_MIN);
  if (!isPrefix && isShort) return rowsInRanges(context, ranges, columns);
  return cachedForGeneration(context, `rows ${columns} ${token}${isPrefix ? "*" : ""}`, () => {
    const rows = rowsInRanges(context, isPrefix ? findTokens(context, token, true) : ranges, columns);
    return [rows, bytesOfSet(rows)];
  });
}

/**
 * Returns the ranked rows with any of some tokens, or of the tokens that have one of these prefixes: a set for each of
 * the requested columns.
 * @throws BinderyError QUERY_TOO_COSTLY
 */
export function anyTokenRows<C extends StepColumns>(
  context: SearchContext,
  tokens: readonly string[],
  isPrefix: boolean,
  columns: readonly C[],
  clause?: Clause,
): Readonly<Record<C, DocIdSet>> {
  const rows = Object.fromEntries(columns.map((name) => [name, EMPTY_SET])) as Record<C, DocIdSet>;
  let ranges: TokenRange[] = [];
  const collect = (): void => {
    context.checkTime(clause);
    for (const name of columns) rows[name] = uniteSets(rows[name], rowsInRanges(context, ranges, name));
    ranges = [];
  };
  for (const [i, token] of tokens.entries()) {
    const isSaved = isPrefix && hasSavedSet(context, token, true);
    if (isSaved)
      for (const name of columns) rows[name] = uniteSets(rows[name], readSavedSet(context, token, true, name)!);
    else addAll(ranges, findTokens(context, token, isPrefix));
    if ((i + 1) % TOKENS_BETWEEN_CHECKS === 0) collect();
  }
  collect();
  return rows;
}

const listStart = ({ ends }: PostingBlock, i: number): number => (i === 0 ? 0 : ends[i - 1]!);

const listLength = ({ block, from, to }: TokenRange): number => block.ends[to - 1]! - listStart(block, from);

/** Returns the rows of the lists, and of the saved sets of dense tokens. */
function rowsInRanges(context: SearchContext, ranges: readonly TokenRange[], columns: StepColumns): DocIdSet {
  const ids = new Uint32Array(ranges.reduce((sum, range) => sum + listLength(range), 0));
  let size = 0;
  let dense: DocIdSet | undefined;
  for (const { block, from, to } of ranges) {
    for (let i = from; i < to; i++) {
      if (isDense(block, i)) dense = uniteSets(dense ?? EMPTY_SET, denseRows(context, block.tokens[i]!, columns));
      else size = unpackList(block, i, columns, ids, size);
    }
  }
  // The cache would hold the whole memory of a part.
  const found = size === ids.length ? ids : ids.slice(0, size);
  const isOneList = ranges.length === 1 && ranges[0]!.to - ranges[0]!.from === 1;
  const rows = isOneList ? makeSortedSet(found) : makeDocIdSet(found, context.generation.ranked + 1);
  return dense === undefined ? rows : uniteSets(rows, dense);
}

/** Returns whether the rows of a token are saved as a set. */
export const isDense = (block: PostingBlock, i: number): boolean => listStart(block, i) === block.ends[i];

function denseRows(context: SearchContext, token: string, columns: StepColumns): DocIdSet {
  const rows = readSavedSet(context, token, false, columns);
  if (rows === undefined) throw savedDamaged(context.generation, `postings of ${token}`);
  return rows;
}

/** Returns the rows of the list of a token, ascending. */
export function listedRows(block: PostingBlock, i: number, columns: StepColumns): Uint32Array {
  const ids = new Uint32Array(block.ends[i]! - listStart(block, i));
  return ids.subarray(0, unpackList(block, i, columns, ids, 0));
}

/** Appends the rows of a list to `ids`, which has `size` rows. @returns the new number of rows */
function unpackList(block: PostingBlock, i: number, columns: StepColumns, ids: Uint32Array, size: number): number {
  const { postings, ends } = block;
  const last = LAST_COLUMN[columns];
  const end = ends[i]!;
  let newSize = size;
  for (let at = listStart(block, i); at < end; at++) {
    const posting = postings[at]!;
    if ((posting & COLUMN_MASK) <= last) ids[newSize++] = posting >>> COLUMN_BITS;
  }
  return newSize;
}
