import { setImmediate as turn } from "node:timers/promises";
import type { Vocabulary } from "../../../core/catalog/types.js";
import { countRows, type Rows, rowsOf, without } from "../rows.js";
import { showLife } from "./claim.js";
import { type Common, CommonTokens } from "./frequent-tokens.js";
import type { Generation } from "./generation.js";
import { hotName, hotRowsMin } from "./hot-rows.js";
import type { Loader } from "./loader.js";
import { joinIds } from "./match-rows.js";
import { expressionOf, type Phrase, type TextColumns } from "./match-words.js";
import type { Ranking } from "./rank-items.js";
import { packRows } from "./saved-rows.js";
import { existsToken, isWord, pathToken } from "./tokens.js";

/** Tokens that are read in one go: some milliseconds. */
const TOKENS_AT_ONCE = 4_000;

/** Rows that are read in one go: some milliseconds. */
const ROWS_AT_ONCE = 50_000;

/** Saves the words of the filled generation in their order, and the sets of the common ones. */
export async function saveSets(
  loader: Loader,
  generation: Generation,
  vocabulary: Vocabulary,
  { ranked }: Ranking,
): Promise<void> {
  const least = hotRowsMin(ranked);
  const common = new CommonTokens("term_fts", least);
  const save = generation.sql("INSERT INTO word_$g(words) VALUES(?)");
  await readTokens(loader, generation, "term_fts", ["", AFTER_ALL], (tokens) => {
    common.add(tokens);
    const words = tokens.flatMap(([token]) => (isWord(token) ? [token] : []));
    if (words.length > 0) save.run(words.join(" "));
  });
  await saveHot(loader, generation, least, common.found());
  for (const range of pathRanges(vocabulary)) {
    const atPath = new CommonTokens("term_at", least, range[0]);
    await readTokens(loader, generation, "term_at", range, (tokens) => atPath.add(tokens));
    await saveHot(loader, generation, least, atPath.found());
  }
}

/** Sorts after every character that a token holds. */
const AFTER_ALL = "\u{10ffff}";

type Between = readonly [from: string, to: string];

/** Tokens of paths that many items share. Each item has an id and a parent of its own. */
function pathRanges({ leaves }: Vocabulary): Between[] {
  const paths = [...leaves.keys()].filter((path) => path !== "id" && path !== "parent");
  const beginnings = [...paths.map((path) => pathToken(path, "")), ...[...leaves.keys()].map(existsToken)];
  return beginnings.map((beginning) => [beginning, beginning + AFTER_ALL]);
}

/** Reads tokens in their order, with the number of rows that have each. */
async function readTokens(
  loader: Loader,
  generation: Generation,
  table: Phrase["table"],
  [from, to]: Between,
  take: (tokens: readonly (readonly [token: string, rows: number])[]) => void,
): Promise<void> {
  const columns = `SELECT term, doc FROM ${table}_word_$g`;
  const first = generation.sql<[string, number]>(`${columns} WHERE term >= ? AND term < ? LIMIT ${TOKENS_AT_ONCE}`);
  const next = generation.sql<[string, number]>(`${columns} WHERE term > ? AND term < ? LIMIT ${TOKENS_AT_ONCE}`);
  let tokens = first.raw().all(from, to);
  await loader.steps((isLate) => {
    showLife(loader.db, generation.g);
    for (;;) {
      take(tokens);
      if (tokens.length < TOKENS_AT_ONCE) return "done";
      tokens = next.raw().all(tokens.at(-1)![0], to);
      if (isLate()) return "more";
    }
  });
}

async function saveHot(
  loader: Loader,
  generation: Generation,
  least: number,
  common: readonly Common[],
): Promise<void> {
  const save = generation.sql(
    "INSERT OR IGNORE INTO hot_$g(name, count, all_rows, not_title, not_names) VALUES(?, ?, ?, ?, ?)",
  );
  for (const { table, token, isPrefix } of common) {
    const rowsIn = (columns: TextColumns): Promise<Rows> =>
      readRows(generation, { table, tokens: [token], isPrefix, columns });
    const all = await rowsIn("all");
    // Of a beginning it was only known how many rows have its words: some have several.
    if (countRows(all) < least) continue;
    const isElsewhere = table === "term_fts" && isInRest(generation, token, isPrefix);
    const [notTitle, notNames] = isElsewhere
      ? [without(all, await rowsIn("title")), without(all, await rowsIn("names"))].map(packRows)
      : [null, null];
    await loader.steps(() => {
      save.run(hotName(token, isPrefix), countRows(all), packRows(all), notTitle, notNames);
      return "done";
    });
  }
}

/** Is the token in any other column than the title? */
function isInRest(generation: Generation, token: string, isPrefix: boolean): boolean {
  const expression = `{names rest} : ("${token}"${isPrefix ? " *" : ""})`;
  const first = generation.sql("SELECT 1 FROM term_fts_$g WHERE term_fts_$g MATCH ? LIMIT 1");
  return first.get(expression) !== undefined;
}

async function readRows(generation: Generation, phrase: Phrase): Promise<Rows> {
  const { table } = phrase;
  const statement = generation
    .sql<number>(
      `SELECT rowid FROM ${table}_$g WHERE ${table}_$g MATCH ? AND rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
    )
    .pluck();
  const parts: number[][] = [];
  let last = 0;
  for (;;) {
    // A bound that is no integer to SQLite is ignored by FTS5 in silence, and numbers of JavaScript are none.
    const rows = statement.all(expressionOf(phrase), BigInt(last));
    parts.push(rows);
    if (rows.length < ROWS_AT_ONCE) return rowsOf(joinIds(parts));
    last = rows.at(-1)!;
    await turn();
  }
}
