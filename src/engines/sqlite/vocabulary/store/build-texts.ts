import { rmSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { Sqlite } from "../../connection/driver.js";
import { mapError } from "../../connection/map-error.js";
import { TEXT_TABLES, textTables } from "../../connection/vocabulary-tables.js";

/**
 * Makes the full-text tables of a generation in a file of their own, which the load then copies. It may be on another
 * thread, so that tokens are collected and merged while the load writes rows.
 */
export interface TextBuilder {
  /** Begins with empty tables of generation `g`. @returns the number of the build, for the other calls */
  beginTexts(file: string, g: number): Promise<number>;
  /**
   * Adds items whose ranks follow on each other. An error of an earlier call that nobody waited for is thrown again.
   * @param first rank of the first one
   * @param texts title, names, rest and paths of each in turn
   */
  addTexts(build: number, first: number, texts: readonly string[]): Promise<void>;
  /** Merges what was added: then the file is whole, and closed. */
  finishTexts(build: number): Promise<void>;
  /** Ends a build, finished or not. The file stays. */
  endTexts(build: number): Promise<void>;
}

/** Texts of an item. */
export const TEXTS = 4;

/** While tables are filled nothing is merged: merging all segments once is cheaper. */
const SETTINGS = { automerge: 0, crisismerge: 1_500, hashsize: 4 * 2 ** 20 } as const;

/** Pages of a full-text table, of 4 kB, that one statement merges: some ten milliseconds. */
const MERGE_PAGES = 500;

/** FTS5 can have 2,000 segments. Each makes one of some thousand items. */
const ITEMS_BETWEEN_MERGES = 400_000;

interface Build {
  readonly file: string;
  readonly raw: Database;
  readonly g: number;
  /** Added since the last merge. */
  items: number;
}

export function makeTextBuilder(): TextBuilder {
  const builds = new Map<number, Build>();
  let last = 0;
  /** @throws what the file refuses, as an error of the store */
  const withBuild = async (number: number, work: (build: Build) => Promise<void>): Promise<void> => {
    const build = builds.get(number);
    if (build === undefined) throw new Error(`There is no build ${number} of full-text tables.`);
    try {
      await work(build);
    } catch (error) {
      throw mapError(error, build.file);
    }
  };
  const end = async (number: number): Promise<void> => {
    builds.get(number)?.raw.close();
    builds.delete(number);
  };
  return {
    beginTexts: async (file, g) => {
      last += 1;
      builds.set(last, { file, raw: open(file, g), g, items: 0 });
      return last;
    },
    addTexts: (number, first, texts) =>
      withBuild(number, async (build) => {
        insert(build, first, texts);
        build.items += texts.length / TEXTS;
        if (build.items < ITEMS_BETWEEN_MERGES) return;
        await merge(build);
        build.items = 0;
      }),
    finishTexts: (number) =>
      withBuild(number, async (build) => {
        await merge(build);
        build.raw.exec("COMMIT");
        await end(number);
      }),
    endTexts: end,
  };
}

/** One transaction, without a journal: what is left of it when it fails is of no use. */
function open(file: string, g: number): Database {
  rmSync(file, { force: true });
  let raw: Database | undefined;
  try {
    raw = new Sqlite(file);
    raw.pragma("journal_mode = OFF");
    raw.pragma("synchronous = OFF");
    raw.pragma("cache_size = -32768");
    raw.exec(textTables(g));
    for (const table of TEXT_TABLES) {
      for (const [name, value] of Object.entries(SETTINGS)) {
        raw.exec(`INSERT INTO ${table}_${g}(${table}_${g}, rank) VALUES('${name}', ${value})`);
      }
    }
    raw.exec("BEGIN");
    return raw;
  } catch (error) {
    raw?.close();
    throw mapError(error, file);
  }
}

function insert({ raw, g }: Build, first: number, texts: readonly string[]): void {
  const words = raw.prepare(`INSERT INTO term_fts_${g}(rowid, title, names, rest) VALUES(?, ?, ?, ?)`);
  const paths = raw.prepare(`INSERT INTO term_at_${g}(rowid, paths) VALUES(?, ?)`);
  let id = first;
  for (let at = 0; at < texts.length; at += TEXTS) {
    words.run(id, texts[at], texts[at + 1], texts[at + 2]);
    paths.run(id, texts[at + 3]);
    id += 1;
  }
}

/** Many small segments become few: each costs every look-up of a word. */
async function merge({ raw, g }: Build): Promise<void> {
  const changes = raw.prepare<[], number>("SELECT total_changes()").pluck();
  for (const table of TEXT_TABLES) {
    const name = `${table}_${g}`;
    const some = raw.prepare(`INSERT INTO ${name}(${name}, rank) VALUES('merge', ${MERGE_PAGES})`);
    for (;;) {
      const before = changes.get() ?? 0;
      some.run();
      // One change is the statement itself: nothing was left to merge.
      if ((changes.get() ?? 0) - before <= 1) break;
      await turn();
    }
  }
}
