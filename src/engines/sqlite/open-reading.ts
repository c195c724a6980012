import type { Catalog } from "../../core/catalog/types.js";
import type { SearchIndex, StoreSnapshot } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import { makeLruCache } from "./cache/lru-cache.js";
import type { SharedScanLoader } from "./cache/scan-loading.js";
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
  /** Number of rows up to which a set is scanned each time. */
  readonly fewRows: number;
  /** Memory for caches, on which answers do not depend. */
  readonly cacheBytes: number;
  readonly load?: SharedScanLoader;
}

/** Share of it for shown records and terms: some thousands by default. */
const SHOWN_PART = 1 / 8;

/** Terms take half of a small cache, up to this size, because small stores mostly read by id and in long pages. */
const SHOWN_BYTES = 24 * 2 ** 20;

/** Makes everything that reads over one connection. */
export function makeReading(db: Db, { catalog, searchTimeoutMs, fewRows, cacheBytes, load }: ReadingOptions) {
  const paths = makePathDictionary(db);
  const shownBytes = Math.max(cacheBytes * SHOWN_PART, Math.min(cacheBytes / 2, SHOWN_BYTES));
  const shown = makeLruCache(shownBytes);
  const cache = makeLruCache(cacheBytes - shownBytes);
  const slowParts = makeSlowParts(db);
  const lineage = makeLineage(db, cache);
  const { nearestIds, named, ...searches } = makeTermIndex(catalog, {
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
      // The next loaded value may be as large as the largest cached one.
      hasRoom: () => cache.bytes < cacheBytes / 2,
      loadWords: words.load,
    },
  };
  const terms: Store["terms"] = { ...makeTermReader(db, catalog, shown), nearestIds, named };
  return { paths, cache, index, records: makeRecordReader(db), terms };
}

/** Memory for the sets that the pages of one result use repeatedly. Nothing else is cached. */
const SNAPSHOT_CACHE_BYTES = 32 * 2 ** 20;

/**
 * Opens a snapshot of the file on a connection of its own: one read transaction for everything that is read from it.
 * Until it is closed, the log of the database cannot be emptied.
 */
export function openSnapshot(
  folder: string,
  options: Pick<ReadingOptions, "catalog" | "searchTimeoutMs" | "fewRows">,
): Promise<StoreSnapshot> {
  return reading(() => {
    const db = openDatabase(folder, "reader");
    // The first read, made immediately, determines the snapshot.
    db.raw.exec("BEGIN");
    const { index, records, terms } = makeReading(db, { ...options, cacheBytes: SNAPSHOT_CACHE_BYTES });
    return {
      // A result that is written to a file has no suggestions.
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
