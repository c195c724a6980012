import type { Vocabulary } from "../../../../core/catalog/types.js";
import { existsToken, isTitle, isWord, pathToken } from "../../../../query/index-model/term-tokens.js";
import type { Phrase } from "../search/phrases.js";
import { savedPostingsMin } from "../search/saved-postings.js";
import type { Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat } from "./claim.js";
import { CommonTokens } from "./frequent-tokens.js";
import type { Ranking } from "./rank-items.js";
import { PostingsWriter } from "./save-postings.js";

/** Tokens that are read in one go: some milliseconds. */
const TOKENS_AT_ONCE = 4_000;

/**
 * Saves the words of the filled generation in their order, and the sets of the common tokens: both from the full-text
 * tables of `texts`.
 */
export async function saveSets(
  loader: BulkLoader,
  generation: Generation,
  vocabulary: Vocabulary,
  { ranked }: Ranking,
): Promise<void> {
  const least = savedPostingsMin(ranked);
  const words = new CommonTokens(least);
  const save = generation.sql("INSERT INTO word_$g(words) VALUES(?)");
  await readTokens(loader, generation, "term_fts", ["", AFTER_ALL], (tokens) => {
    words.add(tokens);
    const some = tokens.flatMap(([token]) => (isWord(token) ? [token] : []));
    if (some.length > 0) save.run(some.join(" "));
  });
  const text = new PostingsWriter(loader, generation, "term_fts", least);
  for (const beginning of words.found()) await text.saveBeginning(beginning);
  await text.flush();

  const atPaths = new PostingsWriter(loader, generation, "term_at", least);
  for (const before of sharedPaths(vocabulary)) {
    const values = new CommonTokens(least, before);
    await readTokens(loader, generation, "term_at", [before, before + AFTER_ALL], (tokens) => values.add(tokens));
    for (const beginning of values.found()) await atPaths.saveBeginning(beginning);
  }
  for (const path of vocabulary.leaves.keys()) await atPaths.saveToken(existsToken(path));
  await atPaths.flush();
}

/** Sorts after every character that a token holds. */
const AFTER_ALL = "\u{10ffff}";

/**
 * What stands before the words at paths whose values many items share. Each item has an id and a parent of its own;
 * titles and synonyms are columns of the other table.
 */
function sharedPaths({ leaves }: Vocabulary): string[] {
  const own = (path: string): boolean => path === "id" || path === "parent" || path === "synonyms" || isTitle(path);
  return [...leaves.keys()].filter((path) => !own(path)).map((path) => pathToken(path, ""));
}

/** Reads tokens in their order, with the number of rows that have each. */
async function readTokens(
  loader: BulkLoader,
  generation: Generation,
  table: Phrase["table"],
  [from, to]: readonly [from: string, to: string],
  take: (tokens: readonly (readonly [token: string, rows: number])[]) => void,
): Promise<void> {
  const columns = `SELECT term, doc FROM texts.${table}_word_$g`;
  const first = generation.sql<[string, number]>(`${columns} WHERE term >= ? AND term < ? LIMIT ${TOKENS_AT_ONCE}`);
  const next = generation.sql<[string, number]>(`${columns} WHERE term > ? AND term < ? LIMIT ${TOKENS_AT_ONCE}`);
  let tokens = first.raw().all(from, to);
  await loader.steps((isLate) => {
    heartbeat(loader.db, generation.g);
    for (;;) {
      take(tokens);
      if (tokens.length < TOKENS_AT_ONCE) return "done";
      tokens = next.raw().all(tokens.at(-1)![0], to);
      if (isLate()) return "more";
    }
  });
}
