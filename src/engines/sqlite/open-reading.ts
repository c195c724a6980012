import type { Catalog } from "../../core/catalog/types.js";
import type { SearchIndex, StoreSnapshot } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import { makeLruCache } from "./cache/lru-cache.js";
import type { SharedScanLoader } from "./cache/single-flight.js";
import { makeSlowParts } from "./cache/slow-parts.js";
import { type Db, logBytes, openDatabase } from "./connection/database.js";
import { reading } from "./connection/map-error.js";
import { makePathDictionary } from "./documents/path-dictionary.js";
import { makeRecordReader } from "./records/record-reader.js";
import { makeRecordSearch } from "./search/make-record-search.js";
import { makeWordIndex } from "./search/nearest-words.js";
import { makeTermIndex } from "./vocabulary/search/term-index.js";
import { makeLineage } from "./vocabulary/store/lineage.js";
import { makeTermReader } from "./vocabulary/store/term-reader.js";

interface ReadingOptions {
  readonly catalog: Catalog;
  readonly searchTimeoutMs: number;
  /** Rows of a set up to which it is asked for each time. */
  readonly fewRows: number;
  /** Memory for what makes searches quick; answers are the same without. */
  readonly cacheBytes: number;
  readonly load?: SharedScanLoader;
}

/** The part of it that keeps records and terms that were shown: some thousands, by default. */
const SHOWN_PART = 1 / 8;

/** Of little memory they take half up to so much: who searches has more, who has less reads by id and long pages. */
const SHOWN_BYTES = 24 * 2 ** 20;

/** What reads over one connection. */
export function makeReading(db: Db, { catalog, searchTimeoutMs, fewRows, cacheBytes, load }: ReadingOptions) {
  const paths = makePathDictionary(db);
  const shownBytes = Math.max(cacheBytes * SHOWN_PART, Math.min(cacheBytes / 2, SHOWN_BYTES));
  const shown = makeLruCache(shownBytes);
  const cache = makeLruCache(cacheBytes - shownBytes);
  const slowParts = makeSlowParts(db);
  const lineage = makeLineage(db, cache);
  const { nearest, named, ...searches } = makeTermIndex(catalog, {
    db,
    lineage,
    cache,
    shown,
    slowParts,
    searchTimeoutMs,
  });
  const words = makeWordIndex(db, slowParts, { catalog, cache, searchTimeoutMs });
  const search = { db, catalog, paths, cache, shown, lineage, searchTimeoutMs, fewRows };
  const index: Omit<SearchIndex, "openSnapshot" | "close"> = {
    searchRecords: makeRecordSearch({ ...search, ...(load === undefined ? {} : { load }) }),
    nearestWords: words.nearest,
    ...searches,
    preloading: {
      // What is loaded next may be as large as anything that is cached.
      hasRoom: () => cache.bytes < cacheBytes / 2,
      loadWords: words.load,
    },
  };
  const terms: Store["terms"] = { ...makeTermReader(db, catalog, shown), nearest, named };
  return { paths, cache, index, records: makeRecordReader(db), terms };
}

/** Sets that the pages of one result are made of, over and over again; nothing else is kept. */
const SNAPSHOT_CACHE_BYTES = 32 * 2 ** 20;

/**
 * Opens a state of the file on a connection of its own: a read transaction, in which all that is asked of the snapshot
 * runs. As long as it is open, the log of the database cannot be emptied.
 */
export function openSnapshot(
  folder: string,
  options: Pick<ReadingOptions, "catalog" | "searchTimeoutMs" | "fewRows">,
): Promise<StoreSnapshot> {
  return reading(() => {
    const db = openDatabase(folder, "reader");
    // The state is that of the first read, which is made at once.
    db.raw.exec("BEGIN");
    const { index, records, terms } = makeReading(db, { ...options, cacheBytes: SNAPSHOT_CACHE_BYTES });
    return {
      // Nobody reads what else a result that is written to a file could have been asked for.
      index: { ...index, nearestWords: async () => [] },
      records,
      terms,
      heldBytes: () => logBytes(folder),
      close: () => {
        if (db.raw.open) db.close();
      },
    };
  });
}
