import type { BackgroundReporter } from "../../core/background.js";
import { type Caches, makeCaches } from "../../core/caches.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { SearchIndex, StoreSnapshot } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import { makeSearchRunner } from "./cache/missing-parts.js";
import type { ScanLoader } from "./cache/scan-loading.js";
import { type Db, logBytes, openDatabase } from "./connection/database.js";
import { reading } from "./connection/map-error.js";
import { makePathDictionary } from "./documents/dictionaries.js";
import { makeCountCache } from "./facets/count-facet.js";
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
  /** Caches, on which answers do not depend. */
  readonly caches: Caches;
  /** Runs slow scans on another thread. If undefined, they run on this one. */
  readonly load?: ScanLoader | undefined;
  readonly background?: BackgroundReporter;
}

/** Makes everything that reads over one connection. */
export function makeReading(db: Db, { catalog, searchTimeoutMs, fewRows, caches, load, background }: ReadingOptions) {
  const paths = makePathDictionary(db);
  const shown = caches.open("shown");
  const cache = caches.open("views");
  const counts = makeCountCache(caches.open("counts"));
  const runner = makeSearchRunner(db, background);
  const lineage = makeLineage(db, cache);
  const { nearestIds, named, knownWords, ...searches } = makeTermIndex(catalog, {
    db,
    lineage,
    cache,
    shown,
    counts,
    runner,
    searchTimeoutMs,
  });
  const words = makeWordIndex(db, runner, { catalog, cache, searchTimeoutMs });
  const search = { db, catalog, paths, cache, shown, counts, lineage, searchTimeoutMs, fewRows, runner };
  const index: Omit<SearchIndex, "openSnapshot" | "close"> = {
    searchRecords: makeRecordSearch({ ...search, load }),
    nearestWords: words.nearest,
    knownWords: (where, some) => (where.in === "records" ? words.known(some) : knownWords(where.vocabulary, some)),
    ...searches,
    preloading: {
      // The next loaded value may be as large as the largest cached one.
      hasRoom: () => cache.bytes < cache.budget / 2,
      loadWords: words.load,
    },
  };
  const terms: Store["terms"] = { ...makeTermReader(db, catalog, shown), nearestIds, named };
  return { paths, cache, index, records: makeRecordReader(db), terms };
}

/** Memory for each cache of a snapshot, for what the pages of one result use repeatedly. */
const SNAPSHOT_CACHE_BYTES = 16 * 2 ** 20;

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
    const caches = makeCaches(() => SNAPSHOT_CACHE_BYTES);
    const { index, records, terms } = makeReading(db, { ...options, caches });
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
