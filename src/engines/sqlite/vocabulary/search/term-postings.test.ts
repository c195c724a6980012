import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { contractCatalog, makeClock } from "../../../../../test/support/engines/engine-under-test.js";
import { item, loadAll, putTerms } from "../../../../../test/support/engines/term-fixtures.js";
import { tinyVocabulary } from "../../../../../test/support/tiny-catalog.js";
import { makeCache } from "../../../../core/caches.js";
import type { Engine } from "../../../../ports/engine.js";
import { isBreak } from "../../../../query/index-model/term-document.js";
import { STEP_COLUMNS } from "../../../../query/ranking/term-steps.js";
import { toIds } from "../../bitmaps/doc-id-set.js";
import { makeSearchRunner } from "../../cache/missing-parts.js";
import { type Db, openDatabase } from "../../connection/database.js";
import { phrase } from "../../documents/fts-expression.js";
import { makeCountCache } from "../../facets/count-facet.js";
import { openSqlite } from "../../index.js";
import { currentGeneration } from "../store/generation.js";
import { makeLineage } from "../store/lineage.js";
import { phraseRows } from "./match-rows.js";
import { makeContext, type SearchContext } from "./search-context.js";
import { termWords } from "./term-lexicon.js";
import { anyTokenRows, hasPostings, tokenRows } from "./term-postings.js";

let folder: string;
let engine: Engine;
let db: Db;

/** Words that sort differently by UTF-8 bytes and by UTF-16 units are among them, and several blocks of tokens. */
const ITEMS = Array.from({ length: 1_500 }, (_, n) => {
  // Rare words that sort after the token between values.
  const sign = ["", n < 40 ? "\u{20BB7}" : "x", n < 40 ? "\uFA0E" : "y", "é"][n % 4];
  const synonyms = n % 3 === 0 ? { synonyms: [{ name: `Name${n % 40} dense`, kind: "synonym" }] } : {};
  return item(n, `${sign}word${n} group${n % 100} dense`, synonyms);
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-postings-"));
  engine = openSqlite({
    folder,
    catalog: contractCatalog(),
    clock: makeClock(),
    role: "writer",
    searchTimeoutMs: 5_000,
  });
  await loadAll(engine, ITEMS);
  db = openDatabase(folder, "reader");
});
afterAll(async () => {
  db.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

function inContext<T>(work: (context: SearchContext) => T): T {
  const cache = makeCache(64 << 20);
  return db.read(() => {
    const counts = makeCountCache(makeCache(0));
    const shared = { db, cache, shown: cache, counts, runner: makeSearchRunner(db), lineage: makeLineage(db, cache) };
    const generation = currentGeneration(db, "species")!;
    return work(makeContext(tinyVocabulary(), generation, { ...shared, searchTimeoutMs: 5_000 }));
  });
}

const FILTERS = { all: undefined, names: ["title", "names"], title: ["title"] } as const;
const COLUMNS = ["all", "names", "title"] as const;

function rowsOfFts({ generation }: SearchContext, token: string, isPrefix: boolean, columns: keyof typeof FILTERS) {
  const match = generation.sql<number>("SELECT rowid FROM term_fts_$g WHERE term_fts_$g MATCH ? ORDER BY rowid");
  return match.pluck().all(phrase([token], isPrefix, FILTERS[columns]));
}

const tokensOf = ({ generation }: SearchContext): string[] =>
  generation
    .sql<string>("SELECT term FROM term_fts_word_$g")
    .pluck()
    .all()
    .filter((token) => !isBreak(token));

it("has the rows of each token and of each prefix, by column, as the full-text table has them", () => {
  inContext((context) => {
    expect(context.generation.sql<number>("SELECT count(*) FROM postings_$g").pluck().get()).toBeGreaterThan(2);
    for (const token of tokensOf(context)) {
      const prefixes = new Set([1, 2, 5].map((length) => [...token].slice(0, length).join("")));
      for (const columns of COLUMNS) {
        expect([...toIds(tokenRows(context, token, false, columns))]).toEqual(
          rowsOfFts(context, token, false, columns),
        );
      }
      for (const prefix of prefixes) {
        expect([...toIds(tokenRows(context, prefix, true, "all"))]).toEqual(rowsOfFts(context, prefix, true, "all"));
      }
    }
  });
});

it("has no rows for tokens before, between and after all others", () => {
  inContext((context) => {
    for (const token of ["!", "group5x", "word", "\u{10FFFD}"]) {
      expect(toIds(tokenRows(context, token, false, "all"))).toHaveLength(0);
    }
    expect(toIds(tokenRows(context, "\u{10FFFD}", true, "all"))).toHaveLength(0);
  });
});

it("unites the rows of several tokens, each row once", () => {
  inContext((context) => {
    const tokens = ["group1", "group2", "none", "dense"];
    const found = anyTokenRows(context, tokens, false, STEP_COLUMNS);
    for (const columns of STEP_COLUMNS) {
      const expected = new Set(tokens.flatMap((token) => rowsOfFts(context, token, false, columns)));
      expect([...toIds(found[columns])]).toEqual([...expected].sort((a, b) => a - b));
    }
    const prefixed = rowsOfFts(context, "group1", true, "all");
    expect([...toIds(anyTokenRows(context, ["group1", "group12"], true, ["all"]).all)]).toEqual(prefixed);
  });
});

it("knows the words of terms, also of those that were added later", async () => {
  const known = (...words: string[]) => engine.index.knownWords?.({ in: "terms", vocabulary: "species" }, words);
  expect(await known("group1", "groups", "dense", "later")).toEqual(["group1", "dense"]);
  await putTerms(engine, [item(9_000, "later")]);
  expect(await known("group1", "groups", "dense", "later")).toEqual(["group1", "dense", "later"]);
});

it("reads the full-text table of a generation that was made before there were posting lists", () => {
  const words = inContext((context) => {
    const { generation, cache } = context;
    const list = termWords(generation, tinyVocabulary(), cache).similar({ word: "group1", edits: 1 });
    return [...list].sort();
  });
  const writer = openDatabase(folder, "writer");
  try {
    writer.raw.exec(`BEGIN; DELETE FROM postings_${currentGeneration(db, "species")!.g}; COMMIT`);
  } finally {
    writer.close();
  }
  inContext((context) => {
    expect(hasPostings(context)).toBe(false);
    const group: Parameters<typeof phraseRows>[1] = {
      table: "term_fts",
      tokens: ["group1"],
      isPrefix: false,
      columns: "all",
    };
    expect(toIds(phraseRows(context, group))).toHaveLength(15);
    const similar = termWords(context.generation, tinyVocabulary(), context.cache).similar({
      word: "group1",
      edits: 1,
    });
    expect([...similar].sort()).toEqual(words);
  });
});
