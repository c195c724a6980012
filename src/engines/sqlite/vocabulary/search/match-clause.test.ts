import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Statement } from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contractCatalog, makeClock } from "../../../../../test/support/engines/engine-under-test.js";
import { item, loadAll, putTerms } from "../../../../../test/support/engines/term-fixtures.js";
import { tinyVocabulary } from "../../../../../test/support/tiny-catalog.js";
import { makeCache } from "../../../../core/caches.js";
import type { Engine } from "../../../../ports/engine.js";
import type { Clause } from "../../../../query/index-model/clause.js";
import { cardinality } from "../../bitmaps/doc-id-set.js";
import { makeSearchRunner } from "../../cache/missing-parts.js";
import { type Db, openDatabase } from "../../connection/database.js";
import { makeCountCache } from "../../facets/count-facet.js";
import { openSqlite } from "../../index.js";
import { currentGeneration, type Generation } from "../store/generation.js";
import { makeLineage } from "../store/lineage.js";
import { liveAmong } from "./live-docs.js";
import { matchClause } from "./match-clause.js";
import { makeContext } from "./search-context.js";

let folder: string;
let engine: Engine;
let db: Db;

/** `common` and `usual` are in many titles, `rare<n>` in one, `seldom` in a few synonyms. */
const ITEMS = Array.from({ length: 2_000 }, (_, n) => {
  const words = ["rare", n % 2 === 0 ? "common" : "usual", n % 3 === 0 ? "usual" : "other", `rare${n}`];
  const synonyms = n % 400 === 0 ? { synonyms: [{ name: "Seldom common", kind: "synonym" }] } : {};
  return item(n, words.slice(1).join(" "), { ...synonyms, props: { rank: n % 2 === 0 ? "species" : "genus" } });
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-evaluate-"));
  const options = { folder, catalog: contractCatalog(), clock: makeClock() };
  engine = openSqlite({ ...options, role: "writer", searchTimeoutMs: 5_000 });
  await loadAll(engine, ITEMS);
  db = openDatabase(folder, "reader");
});
afterAll(async () => {
  db.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A generation that notes what its full-text tables are asked for. */
function noting(generation: Generation, asked: string[]): Generation {
  const note = (text: string, statement: Statement<unknown[], unknown>): unknown =>
    new Proxy(statement, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...params: unknown[]) => {
          const isAsking = (name === "all" || name === "get") && text.includes(" MATCH ?");
          if (isAsking) asked.push(`${/FROM (\w+)_\$g/.exec(text)![1]} ${params.join(" ")}`);
          const result: unknown = Reflect.apply(value, target, params);
          return result === target ? note(text, target) : result;
        };
      },
    });
  return { ...generation, sql: <Row>(text: string) => note(text, generation.sql(text)) as Statement<unknown[], Row> };
}

/** How many items a clause finds, and what FTS5 was asked for. */
function ask(clause: Clause, cache = makeCache(64 << 20)): { count: number; asked: string[] } {
  return db.read(() => {
    const asked: string[] = [];
    const generation = noting(currentGeneration(db, "species")!, asked);
    const context = makeContext(tinyVocabulary(), generation, {
      db,
      cache,
      shown: cache,
      runner: makeSearchRunner(db),
      lineage: makeLineage(db, cache),
      counts: makeCountCache(makeCache(0)),
      searchTimeoutMs: 5_000,
    });
    return { count: cardinality(liveAmong(context, matchClause(context, clause))), asked };
  });
}

const text = { in: "text" } as const;
const words = (...all: string[]): Clause => ({ kind: "words", place: text, words: all });
const prefix = (...all: string[]): Clause => ({ kind: "prefix", place: text, words: all });
const all = (...of: Clause[]): Clause => ({ kind: "all", of });
const any = (...of: Clause[]): Clause => ({ kind: "any", of });
const not = (of: Clause): Clause => ({ kind: "not", of });
const synonym = (word: string): Clause => ({
  kind: "words",
  place: { in: "paths", paths: ["synonyms"] },
  words: [word],
});
const rareAtPath: Clause = { kind: "words", place: { in: "paths", paths: ["id"] }, words: ["17"] };
const rank: Clause = { kind: "words", place: { in: "paths", paths: ["props.rank"] }, words: ["species"] };

describe("what FTS5 is asked for, by class of query", () => {
  it.each<[string, Clause, number, string[]]>([
    ["a common word: its set", words("common"), 1_000, []],
    ["a rare word: its list", words("rare17"), 1, []],
    ["common words: their sets", all(words("common"), words("usual")), 334, []],
    ["rare words: their lists", all(words("rare17"), words("rare18")), 0, []],
    ["a rare word among common ones", all(words("common"), words("rare18")), 1, []],
    ["a word that is not there", all(words("none"), prefix("rare1999")), 0, []],
    ["any of rare words", any(words("rare17"), words("rare18")), 2, []],
    ["a word of synonyms", synonym("seldom"), 5, ['term_fts names : "seldom" 0 2000']],
    ["a rare word at a path", rareAtPath, 1, ['term_at "id_17" 0 2000']],
    ["not a common word", not(words("common")), 1_000, []],
    ["a common word, not another", all(words("common"), not(words("usual"))), 666, []],
    ["a short beginning", prefix("c"), 1_000, []],
    ["a long beginning of common words", prefix("commo"), 1_000, []],
    ["a beginning of few words", prefix("rare199"), 11, []],
    ["a common value at a path", rank, 1_000, []],
    ["a phrase with a rare word: its rows", words("other", "rare16"), 1, ['term_fts "other rare16" 13']],
    ["a phrase of common words", words("common", "usual"), 334, ['term_fts "common usual" 0 2000']],
    ["a phrase of common words that are never together", words("genus", "common"), 0, []],
    ["everything, nothing", all({ kind: "everything" }, not({ kind: "nothing" })), 2_000, []],
  ])("%s", (_, clause, count, asked) => {
    expect(ask(clause)).toEqual({ count, asked });
  });

  it("asks once for what is kept, and each time where nothing can be kept", () => {
    const cache = makeCache(64 << 20);
    expect(ask(rareAtPath, cache).asked).toHaveLength(1);
    expect(ask(rareAtPath, cache)).toEqual({ count: 1, asked: [] });
    const none = makeCache(0);
    for (let i = 0; i < 2; i++) {
      expect(ask(all(words("common"), rareAtPath), none)).toMatchObject({ asked: [{}] });
      expect(ask(all(words("common"), prefix("u")), none)).toEqual({ count: 334, asked: [] });
      expect(ask({ kind: "fuzzy", place: text, word: "comnom", edits: 2 }, none).count).toBe(1_000);
      expect(ask(not(words("usual")), none).count).toBe(666);
    }
  });

  it("asks for the same fuzzy word once, however often it stands in a query", () => {
    const near: Clause = { kind: "fuzzy", place: text, word: "rare1", edits: 2 };
    const once = ask(near).asked;
    expect(ask(all(...Array.from({ length: 200 }, () => near))).asked).toEqual(once);
  });

  it("asks for rows that came later besides, once until the next write, and leaves out those that went", async () => {
    const cache = makeCache(64 << 20);
    const count = (clause: Clause): number => ask(clause, cache).count;
    const clauses = [words("common"), prefix("c"), rank, words("common", "usual"), not(words("usual"))];
    const before = clauses.map(count);
    await putTerms(engine, [item(0, "Common usual later", { props: { rank: "species" } }), item(9_000, "Usual")]);
    await engine.store.transaction((tx) => tx.terms.delete("species", "sp:6"));
    // sp:0 was common usual already, sp:6 too.
    expect(clauses.map(count)).toEqual([before[0]! - 1, before[1]! - 1, before[2]! - 1, before[3]! - 1, before[4]!]);
    expect(ask(words("common"), cache).asked).toEqual([]);
    await putTerms(engine, [item(9_001, "Usual")]);
    expect(ask(words("common"), cache).asked).toEqual(['term_fts "common" 2000']);
    expect(count({ kind: "fuzzy", place: text, word: "latre", edits: 1 })).toBe(1);
  });
});
