import { rmSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { Sqlite } from "../../connection/database.js";
import { mapError } from "../../connection/map-error.js";
import { TEXT_TABLES, textTables } from "../../connection/vocabulary-tables.js";

/**
 * Builds the full-text tables of a generation in a separate file, which the load then copies. It may run on another
 * thread, so that tokens are collected and merged while the load writes rows.
 */
export interface TextBuilder {
  /** Begins with empty tables of generation `g`. @returns the number of the build, for the other calls */
  beginTexts(file: string, g: number): Promise<number>;
  /**
   * Adds terms with consecutive ranks. Rethrows an error of an earlier call that was not awaited.
   * @param first rank of the first one
   * @param texts title, names, rest and paths of each term in turn
   */
  addTexts(build: number, first: number, texts: readonly string[]): Promise<void>;
  /** Merges everything that was added. Afterwards the file is complete and closed. */
  finishTexts(build: number): Promise<void>;
  /** Ends a build, finished or not. The file stays. */
  endTexts(build: number): Promise<void>;
}

/** Number of texts of a term. */
const TEXTS_PER_TERM = 4;

/** Nothing is merged while tables are filled: merging all segments once is cheaper. */
const SETTINGS = { automerge: 0, crisismerge: 1_500, hashsize: 4 * 2 ** 20 } as const;

/** Pages of 4 kB of a full-text table merged by one statement: some ten milliseconds. */
const MERGE_PAGES = 500;

/** FTS5 supports 2,000 segments, of which each holds some thousand terms. */
const ITEMS_BETWEEN_MERGES = 400_000;

interface Build {
  readonly file: string;
  readonly raw: Database;
  readonly g: number;
  /** Number of terms added since the last merge. */
  items: number;
}

/** Makes a builder, which may run several builds. */
export function makeTextBuilder(): TextBuilder {
  const builds = new Map<number, Build>();
  let lastNumber = 0;
  /** Runs work on a build. @throws errors of the file as errors of the store */
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
      lastNumber += 1;
      builds.set(lastNumber, { file, raw: open(file, g), g, items: 0 });
      return lastNumber;
    },
    addTexts: (number, first, texts) =>
      withBuild(number, async (build) => {
        insert(build, first, texts);
        build.items += texts.length / TEXTS_PER_TERM;
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

/** Opens a file with one transaction and no journal: the file is useless after a failure. */
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
  for (let i = 0; i < texts.length; i += TEXTS_PER_TERM) {
    words.run(id, texts[i], texts[i + 1], texts[i + 2]);
    paths.run(id, texts[i + 3]);
    id += 1;
  }
}

/** Merges many small segments into few, because each slows every look-up of a word. */
async function merge({ raw, g }: Build): Promise<void> {
  const changes = raw.prepare<[], number>("SELECT total_changes()").pluck();
  for (const table of TEXT_TABLES) {
    const name = `${table}_${g}`;
    const mergeStep = raw.prepare(`INSERT INTO ${name}(${name}, rank) VALUES('merge', ${MERGE_PAGES})`);
    for (;;) {
      const changesBefore = changes.get() ?? 0;
      mergeStep.run();
      // One change is the statement itself: nothing was left to merge.
      if ((changes.get() ?? 0) - changesBefore <= 1) break;
      await turn();
    }
  }
}
