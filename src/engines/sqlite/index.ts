import { type BackgroundReporter, WARNING_REPORTER } from "../../core/background.js";
import { type Caches, makeCaches } from "../../core/caches.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { BinderyError } from "../../core/errors.js";
import { formatInstant } from "../../core/time.js";
import type { Engine } from "../../ports/engine.js";
import type { Clock } from "../../ports/environment.js";
import type { SearchIndex, StoreSnapshot } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import { makeJumpGuard, watchLastChange } from "../background/clock-jump.js";
import { makeSecretBox } from "../files/secret-box.js";
import { makeShareReader, makeShareWriter, makeUserReader, makeUserWriter } from "./accounts/accounts.js";
import { dropRefusals, makeAnswers, makeAuditReader, noteAudit } from "./accounts/write-log.js";
import { noteNewModels, startReindexing } from "./admin/background-reindex.js";
import { makeStoreAdmin } from "./admin/file-admin.js";
import { startSegmentMerges } from "./admin/segment-merges.js";
import { startCheckpoints } from "./admin/wal-checkpoints.js";
import { makeSearchRunner } from "./cache/missing-parts.js";
import { makeScanRunner, type ScanLoader } from "./cache/scan-loading.js";
import { makeChangeReader, makeDataChanges } from "./changes/change-feed.js";
import { makeWebhookReader, makeWebhookWriter, sealSecrets } from "./changes/webhook-store.js";
import { lastChangeTime } from "./connection/change-table.js";
import { keyFilePath } from "./connection/data-folder.js";
import {
  type ConnectionRole,
  createDatabase,
  type Db,
  logBytes,
  migrateDatabase,
  openDatabase,
  readCursorKey,
} from "./connection/database.js";
import { runRead } from "./connection/map-error.js";
import { checkWrites, makeWriter } from "./connection/write-connection.js";
import { makeIndexedPaths, makePathDictionary, registerPaths } from "./documents/dictionaries.js";
import { makeCountCache } from "./facets/count-facet.js";
import { startWordSweeps } from "./lexicon/record-words.js";
import { startChecksumUpdates } from "./records/checksums.js";
import { followAll, followTerm } from "./records/follow-terms.js";
import { prepareIndex, recordWriting } from "./records/record-index.js";
import { makeImportKeeper, makeImportReader, makeRecordReader } from "./records/record-reader.js";
import { makeRecordWriter } from "./records/record-writer.js";
import { makeRecordSearch } from "./search/make-record-search.js";
import { makeWordIndex } from "./search/nearest-words.js";
import { makeDamageFinder } from "./verify/check-columns.js";
import { prepareLines } from "./vocabulary/load/stage-terms.js";
import { startTermLoads } from "./vocabulary/load/term-loads.js";
import { makeTermIndex } from "./vocabulary/search/term-index.js";
import { makeTextBuilder, type TextBuilder } from "./vocabulary/store/build-texts.js";
import { makeTermHistoryKeeper, makeTermHistoryReader } from "./vocabulary/store/history-table.js";
import { makeLineage } from "./vocabulary/store/lineage.js";
import { makeTermReader } from "./vocabulary/store/term-reader.js";
import { makeDumpKeeper, makeDumpReader } from "./vocabulary/store/term-sources.js";
import { makeTermWriter, requireVocabulary } from "./vocabulary/store/term-writer.js";

export { checkWholeFile } from "./admin/check-files.js";
export { loadDatabase } from "./admin/dump-and-load.js";
export { type Restored, type RestoreOptions, restoreDatabase } from "./admin/restore-database.js";
export type { ScanLoader } from "./cache/scan-loading.js";
export { makeDataFolder, restrictAccess } from "./connection/data-folder.js";
export { databaseFile } from "./connection/database.js";
export {
  type FoundServer,
  findServer,
  lockDataFolder,
  markRunning,
  type StopMarker,
} from "./connection/running-server.js";
export { refuseNewStore, tidyAfterRun } from "./connection/unfinished-run.js";
export type { TextBuilder } from "./vocabulary/store/build-texts.js";

/** The engine, with functions that only an engine on one file has. */
export interface SqliteEngine extends Engine {
  /** Runs scans for the searches of another thread (see the option `load`). */
  readonly answer: ScanLoader;
  /** Builds full-text tables for the loads of another thread (see the option `textBuilder`). */
  readonly texts: TextBuilder;
  /** Looks for a damaged value that explains an error. Returns undefined if there is none. Takes up to 2 s. */
  findDamage(error: unknown): BinderyError | undefined;
  /** Makes every further write fail with this reason. */
  refuseWrites(reason: BinderyError): void;
}

/** Options of the engine. */
export interface SqliteOptions {
  readonly folder: string;
  /** Key file that encrypts the secrets of webhooks. Default: `bindery.key` in the folder. */
  readonly keyFile?: string;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** A reader refuses to write. */
  readonly role: ConnectionRole;
  /**
   * Makes the store, and its folder, if there is none; "refused": the operator forbids it. Default: only for a writer.
   */
  readonly creates?: boolean | "refused";
  /** Migrates the tables of an older version. Only the service that holds the lock of the folder may do this. */
  readonly migrates?: boolean;
  /** Writes the log back from time to time, for an engine that accompanies a writer. Default: only for a writer. */
  readonly runsCheckpoints?: boolean;
  /** Whether this is a command that writes much while nobody waits, so that its transactions are longer. */
  readonly isBulk?: boolean;
  /** Rebuilds the index of records whose model has changed. Only for a process whose catalog is the current one. */
  readonly runsReindexing?: boolean;
  /** Maximum jump of the clock, see `makeJumpGuard`. If undefined, the clock is not checked. */
  readonly clockJumpMaxMicros?: number;
  /** A search that takes longer fails with QUERY_TOO_COSTLY. */
  readonly searchTimeoutMs: number;
  /** Caches, on which answers do not depend. */
  readonly caches?: Caches;
  /** Number of rows up to which a set is scanned each time. The default suits most stores. */
  readonly fewRows?: number;
  /** Runs slow scans on another thread. If undefined, they run on this one. */
  readonly load?: ScanLoader | undefined;
  /** Builds the full-text tables of large loads on another thread. If undefined, they are built on this one. */
  readonly textBuilder?: TextBuilder | undefined;
  /** Reports errors of background work. If undefined, they become process warnings. */
  readonly background?: BackgroundReporter;
}

/** Length of a write in UTF-16 units above which others do not wait for its commit, because it takes long. */
const SHARED_LENGTH_MAX = 64 * 1024;

/** Maximum time of a transaction with many writes, and the maximum if nobody else seems to write. */
const HOLD_MS = 40;
const HOLD_ALONE_MS = 250;

/** Scanning this many rows with FTS5 takes a fraction of a millisecond. */
const FEW_ROWS = 2_000;

/**
 * Opens store and index on the file of the data folder. Reads use a connection of their own, so that they never see an
 * unfinished transaction.
 * @throws Error with a clear message, see `openDatabase`; BinderyError STORE_UNAVAILABLE
 */
export function openSqlite(options: SqliteOptions): SqliteEngine {
  const { folder, catalog, role, searchTimeoutMs, caches = makeCaches(), fewRows = FEW_ROWS, load } = options;
  const { background = WARNING_REPORTER, keyFile = keyFilePath(folder) } = options;
  const { creates = role === "writer" } = options;
  const isNew = creates !== false && createDatabase(folder, { isRefused: creates === "refused" });
  if (options.migrates === true) migrateDatabase(folder);
  const writing = role === "writer" ? openWriter(options) : undefined;
  const db = openDatabase(folder, "reader");
  const log = (options.runsCheckpoints ?? role === "writer") ? startCheckpoints(folder, background) : undefined;
  const indexedPath = makeIndexedPaths(catalog);
  const limits = { catalog, searchTimeoutMs, fewRows };
  const { paths, cache, index: searches, records, terms } = makeReading(db, { ...limits, caches, background, load });
  const close = async (): Promise<void> => {
    log?.stop();
    if (db.raw.open) db.close();
    await writing?.close();
  };
  const refuseWrite = async (): Promise<never> => {
    throw new Error("This engine was opened to read.");
  };
  const store: Store = {
    records,
    terms,
    users: makeUserReader(db),
    shares: makeShareReader(db),
    audit: makeAuditReader(db),
    changes: makeChangeReader(db),
    imports: makeImportReader(db),
    dumps: makeDumpReader(db),
    history: makeTermHistoryReader(db),
    webhooks: makeWebhookReader(db, makeSecretBox(keyFile)),
    prepareTerms: (vocabulary, lines) => prepareLines(db, requireVocabulary(catalog, vocabulary), lines),
    prepareIndex: (leaves, terms) => prepareIndex({ db, paths, indexedPath, cache }, leaves, terms),
    transaction: writing?.transaction ?? refuseWrite,
    loadTerms: writing?.loadTerms ?? refuseWrite,
    followTerms: writing?.followTerms ?? refuseWrite,
    cursorKey: () => runRead(() => readCursorKey(db)),
    check: () => runRead(() => void db.sql("SELECT count(*) FROM meta").get()),
    checkWrites: writing?.checkWrites ?? refuseWrite,
    close,
  };
  const index: SearchIndex = { ...searches, openSnapshot: () => openSnapshot(folder, limits), close };
  const refuseWrites = (reason: BinderyError): void => writing?.refuseWrites(reason);
  const dataChanges = makeDataChanges(db);
  const admin = makeStoreAdmin(folder, catalog);
  return {
    store,
    index,
    dataChanges,
    answer: makeScanRunner(db),
    texts: makeTextBuilder(),
    admin,
    isNew,
    findDamage: makeDamageFinder(folder),
    refuseWrites,
    close,
  };
}

interface EngineWriter extends Pick<Store, "transaction" | "loadTerms" | "followTerms" | "checkWrites" | "close"> {
  refuseWrites(reason: BinderyError): void;
}

function openWriter({
  folder,
  keyFile = keyFilePath(folder),
  catalog,
  clock,
  background,
  isBulk = false,
  runsReindexing: maintainsIndex = false,
  textBuilder,
  clockJumpMaxMicros,
}: SqliteOptions): EngineWriter {
  const db = openDatabase(folder, "writer");
  const secrets = makeSecretBox(keyFile);
  sealSecrets(db, secrets);
  registerPaths(db, catalog);
  noteNewModels(db, catalog);
  const writing = recordWriting(db, catalog);
  const jumps = clockJumpMaxMicros === undefined ? undefined : makeJumpGuard(clock, clockJumpMaxMicros);
  const writer = makeWriter(db, clock, { isBulk, jumps, background });
  const termLoads = startTermLoads(writer, catalog, (isStopped) => followAll(writer, catalog, isStopped), textBuilder);
  const maintenance = startSegmentMerges(writer);
  const checksumUpdates = maintainsIndex ? startChecksumUpdates(writer) : undefined;
  const lastChangeWatch =
    maintainsIndex && background && jumps
      ? watchLastChange(async () => lastChangeTime(db), clock, background)
      : undefined;
  const wordSweeps = maintainsIndex ? startWordSweeps(writer) : undefined;
  const reindexing = maintainsIndex ? startReindexing(writer, catalog) : undefined;
  return {
    transaction: (work, { length = 0 } = {}) =>
      (length > SHARED_LENGTH_MAX ? writer.run : writer.share)((now) =>
        work({
          now: formatInstant(now),
          holdMs: writer.isAlone() ? HOLD_ALONE_MS : HOLD_MS,
          records: makeRecordWriter(writing, now),
          terms: makeTermWriter(db, catalog, now, (vocabulary, id) => followTerm(db, catalog, vocabulary, id, now)),
          users: makeUserWriter(db, now),
          shares: makeShareWriter(db, now),
          answers: makeAnswers(db, now),
          imports: makeImportKeeper(db),
          dumps: makeDumpKeeper(db),
          history: makeTermHistoryKeeper(db, now),
          webhooks: makeWebhookWriter(db, now, secrets),
          audit: async (actor, entry) => noteAudit(db, now, actor, entry),
          dropRefusals: async (keep) => dropRefusals(db, keep),
        }),
      ),
    loadTerms: termLoads.loadTerms,
    followTerms: () => followAll(writer, catalog, () => false),
    checkWrites: () => checkWrites(writer),
    refuseWrites: writer.gate.close,
    close: async () => {
      await Promise.all([
        termLoads.stop(),
        reindexing?.stop(),
        checksumUpdates?.stop(),
        wordSweeps?.stop(),
        lastChangeWatch?.stop(),
      ]);
      maintenance.stop();
      await writer.idle();
      if (db.raw.open) db.close();
    },
  };
}

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
function makeReading(db: Db, { catalog, searchTimeoutMs, fewRows, caches, load, background }: ReadingOptions) {
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
  return runRead(() => {
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
