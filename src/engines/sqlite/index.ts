import { type BackgroundReporter, WARNING_REPORTER } from "../../core/background.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { BinderyError } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { formatInstant } from "../../core/time.js";
import type { Clock } from "../../ports/clock.js";
import type { Engine } from "../../ports/engine.js";
import type { SearchIndex } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import { makeJumpGuard, watchLastChange } from "../background/clock-jump.js";
import { makeSecretBox } from "../files/secret-box.js";
import { dropRefusals, makeAuditReader, noteAudit } from "./accounts/audit-log.js";
import { makeAnswers } from "./accounts/idempotency-store.js";
import { makeShareReader, makeShareWriter } from "./accounts/shares.js";
import { makeUserReader } from "./accounts/user-reader.js";
import { makeUserWriter } from "./accounts/user-writer.js";
import { noteNewModels, startReindexing } from "./admin/background-reindex.js";
import { makeStoreAdmin } from "./admin/file-admin.js";
import { startSegmentMerges } from "./admin/segment-merges.js";
import { startCheckpoints } from "./admin/wal-checkpoints.js";
import { makeScanRunner } from "./cache/scan-batch.js";
import { type ScanLoader, singleFlight } from "./cache/single-flight.js";
import { makeChangeReader } from "./changes/change-feed.js";
import { sealSecrets } from "./changes/seal-secrets.js";
import { makePublicChanges } from "./changes/watch-public-changes.js";
import { makeWebhookReader, makeWebhookWriter } from "./changes/webhook-store.js";
import { lastChangeTime } from "./connection/change-table.js";
import { createDatabase } from "./connection/create-database.js";
import { migrateDatabase, openDatabase, type Role, readCursorKey } from "./connection/database.js";
import { keyFileIn } from "./connection/folder-access.js";
import { reading } from "./connection/map-error.js";
import { checkWrites, makeWriter } from "./connection/write-connection.js";
import { makeIndexedPaths, registerPaths } from "./documents/path-dictionary.js";
import { startWordSweeps } from "./lexicon/word-sweeps.js";
import { makeReading, openSnapshot } from "./open-reading.js";
import { tendChecksums } from "./records/background-checksums.js";
import { followAll, followTerm } from "./records/follow-terms.js";
import { makeImportKeeper, makeImportReader } from "./records/import-identities.js";
import { prepareIndex, recordWriting } from "./records/record-index.js";
import { makeRecordWriter } from "./records/record-writer.js";
import { makeDamageFinder } from "./verify/check-columns.js";
import { prepareLines } from "./vocabulary/load/prepare-lines.js";
import { startTermLoads } from "./vocabulary/load/term-loads.js";
import { makeTextBuilder, type TextBuilder } from "./vocabulary/store/build-texts.js";
import { makeTermHistoryKeeper, makeTermHistoryReader } from "./vocabulary/store/history-table.js";
import { makeDumpKeeper, makeDumpReader } from "./vocabulary/store/loaded-dumps.js";
import { declared, makeTermWriter } from "./vocabulary/store/term-writer.js";

export { checkWholeFile } from "./admin/check-whole-file.js";
export { loadDatabase } from "./admin/load-database.js";
export { type Restored, type RestoreOptions, restoreDatabase } from "./admin/restore-database.js";
export type { ScanLoader } from "./cache/single-flight.js";
export { databaseFile } from "./connection/database.js";
export { makeDataFolder, restrictAccess } from "./connection/folder-access.js";
export { lockDataFolder } from "./connection/folder-lock.js";
export { type FoundServer, findServer, markRunning, type StopMarker } from "./connection/stop-marker.js";
export { refuseNewStore, tidyAfterRun } from "./connection/unfinished-run.js";
export type { TextBuilder } from "./vocabulary/store/build-texts.js";

/** The engine, and what only an engine on one file does. */
export interface SqliteEngine extends Engine {
  /** The other side of the option `load`: reads for the searches of another thread. */
  readonly answer: ScanLoader;
  /** The other side of the option `textBuilder`: builds for the loads of another thread. */
  readonly texts: TextBuilder;
  /** Looks for a damaged value that explains an error. Returns undefined if there is none. Takes up to 2 s. */
  findDamage(error: unknown): BinderyError | undefined;
  /** From now on every write fails with this reason. */
  refuseWrites(reason: BinderyError): void;
}

export interface SqliteOptions {
  readonly folder: string;
  /** Of the key that seals the secrets of webhooks. Absent: `bindery.key` in the folder. */
  readonly keyFile?: string;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** A reader refuses to write. */
  readonly role: Role;
  /** Makes the store, and its folder, if there is none; "refused": the operator forbids it. Absent: a writer does. */
  readonly creates?: boolean | "refused";
  /** Migrates the tables of an older version: only the service may that holds the lock of the folder. */
  readonly migrates?: boolean;
  /** Writes the log back now and then: one engine beside a writer does. Absent: the writer's own. */
  readonly runsCheckpoints?: boolean;
  /** Is it a command that may write much, for whom nobody waits? Its transactions are longer. Absent: it is not. */
  readonly isBulk?: boolean;
  /** Makes the index of records again where their model has changed. Only who is sure of its catalog may. */
  readonly runsReindexing?: boolean;
  /** Maximum jump of the clock, see `makeJumpGuard`. Absent: the clock is not checked. */
  readonly clockJumpMaxMicros?: number;
  /** A search that takes longer fails: QUERY_TOO_COSTLY. */
  readonly searchTimeoutMs: number;
  /** Memory for what makes searches quick; answers are the same without. Absent: 64 MB. */
  readonly cacheBytes?: number;
  /** Rows of a set up to which it is asked for each time; absent: a good number. */
  readonly fewRows?: number;
  /** Reads what takes long on another thread. Absent: on this one. */
  readonly load?: ScanLoader;
  /** Builds the full-text tables of large loads on another thread. Absent: on this one. */
  readonly textBuilder?: TextBuilder;
  /** Hears of the work that no caller waits for. Absent: its errors are warnings of the process. */
  readonly background?: BackgroundReporter;
}

const CACHE_BYTES = 64 * 2 ** 20;

/** Text of a work, in UTF-16 units, above which others do not wait for its commit: it writes for long. */
const SHARED_LENGTH_MAX = 64 * 1024;

/** How long a transaction of many writes may take, and how long where nobody else seems to write. */
const HOLD_MS = 40;
const HOLD_ALONE_MS = 250;

/** Asking FTS5 for so many rows takes a fraction of a millisecond. */
const FEW_ROWS = 2_000;

/**
 * Opens store and index on the one file of the data folder. Reads have a connection of their own, so that they never
 * see a transaction that is not finished.
 * @throws Error with a clear word, see `openDatabase`; BinderyError STORE_UNAVAILABLE
 */
export function openSqlite(options: SqliteOptions): SqliteEngine {
  const { folder, catalog, role, searchTimeoutMs, cacheBytes = CACHE_BYTES, fewRows = FEW_ROWS, load } = options;
  const { background = WARNING_REPORTER, keyFile = keyFileIn(folder) } = options;
  const { creates = role === "writer" } = options;
  const isNew = creates !== false && createDatabase(folder, { isRefused: creates === "refused" });
  if (options.migrates === true) migrateDatabase(folder);
  const writing = role === "writer" ? openWriting(options) : undefined;
  const db = openDatabase(folder, "reader");
  const log = (options.runsCheckpoints ?? role === "writer") ? startCheckpoints(folder, background) : undefined;
  const indexedPath = makeIndexedPaths(catalog);
  const limits = { catalog, searchTimeoutMs, fewRows };
  const loading = load === undefined ? {} : { load: singleFlight(load, LIMITS.loadMsMax, background) };
  const { paths, cache, index: searches, records, terms } = makeReading(db, { ...limits, cacheBytes, ...loading });
  const close = async (): Promise<void> => {
    log?.stop();
    if (db.raw.open) db.close();
    await writing?.close();
  };
  const refuse = async (): Promise<never> => {
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
    prepareTerms: (vocabulary, lines) => prepareLines(db, declared(catalog, vocabulary), lines),
    prepareIndex: (leaves, terms) => prepareIndex({ db, paths, indexedPath, cache }, leaves, terms),
    transaction: writing?.transaction ?? refuse,
    loadTerms: writing?.loadTerms ?? refuse,
    followTerms: writing?.followTerms ?? refuse,
    cursorKey: () => reading(() => readCursorKey(db)),
    check: () => reading(() => void db.sql("SELECT count(*) FROM meta").get()),
    checkWrites: writing?.checkWrites ?? refuse,
    close,
  };
  const index: SearchIndex = { ...searches, openSnapshot: () => openSnapshot(folder, limits), close };
  const refuseWrites = (reason: BinderyError): void => writing?.refuseWrites(reason);
  const publicChanges = makePublicChanges(db);
  const admin = makeStoreAdmin(folder, catalog);
  return {
    store,
    index,
    publicChanges,
    answer: makeScanRunner(db),
    texts: makeTextBuilder(),
    admin,
    isNew,
    findDamage: makeDamageFinder(folder),
    refuseWrites,
    close,
  };
}

interface Writing extends Pick<Store, "transaction" | "loadTerms" | "followTerms" | "checkWrites" | "close"> {
  refuseWrites(reason: BinderyError): void;
}

function openWriting({
  folder,
  keyFile = keyFileIn(folder),
  catalog,
  clock,
  background,
  isBulk = false,
  runsReindexing: tendsIndex = false,
  textBuilder,
  clockJumpMaxMicros,
}: SqliteOptions): Writing {
  const db = openDatabase(folder, "writer");
  const secrets = makeSecretBox(keyFile);
  sealSecrets(db, secrets);
  registerPaths(db, catalog);
  noteNewModels(db, catalog);
  const writing = recordWriting(db, catalog);
  const jumps = clockJumpMaxMicros === undefined ? undefined : makeJumpGuard(clock, clockJumpMaxMicros);
  const writer = makeWriter(db, clock, { isBulk, jumps, ...(background === undefined ? {} : { background }) });
  const termLoads = startTermLoads(writer, catalog, (isStopped) => followAll(writer, catalog, isStopped), textBuilder);
  const maintenance = startSegmentMerges(writer);
  const checksumTending = tendsIndex ? tendChecksums(writer) : undefined;
  const lastChangeWatch =
    tendsIndex && background && jumps ? watchLastChange(async () => lastChangeTime(db), clock, background) : undefined;
  const wordSweeps = tendsIndex ? startWordSweeps(writer) : undefined;
  const indexTending = tendsIndex ? startReindexing(writer, catalog) : undefined;
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
        indexTending?.stop(),
        checksumTending?.stop(),
        wordSweeps?.stop(),
        lastChangeWatch?.stop(),
      ]);
      maintenance.stop();
      await writer.idle();
      if (db.raw.open) db.close();
    },
  };
}
