import { type BackgroundReporter, WARNING_REPORTER } from "../../core/background.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { BinderyError } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { formatInstant } from "../../core/time.js";
import type { Clock } from "../../ports/clock.js";
import type { Engine } from "../../ports/engine.js";
import type { SearchIndex } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import type { Upkeep } from "../../ports/upkeep.js";
import { makeAnswerer } from "./answer-question.js";
import { makeAnswers } from "./answers.js";
import { dropRefusals, makeAuditReader, noteAudit } from "./audit.js";
import { makeChangeReader } from "./change-feed.js";
import { createDatabase } from "./create-database.js";
import { openDatabase, type Role } from "./database.js";
import { startDeadline } from "./deadline.js";
import { makeImports } from "./imports.js";
import { startMaintenance } from "./maintenance.js";
import { reading } from "./map-error.js";
import { makeMemory } from "./memory.js";
import { nearestWords } from "./nearest-words.js";
import { makePaths, registerPaths } from "./paths.js";
import { makeRecordReader } from "./record-reader.js";
import { facetPaths, makeRecordWriter, prepareIndex } from "./record-writer.js";
import { sealSecrets } from "./seal-secrets.js";
import { makeRecordSearch } from "./search-records.js";
import { makeSecretBox } from "./secret-box.js";
import { type Loader, shareLoads } from "./share-loads.js";
import { makeShareReader, makeShareWriter } from "./shares.js";
import { startWordSweeps } from "./sweep-words.js";
import { tendChecksums } from "./tend-checksums.js";
import { tendIndex } from "./tend-index.js";
import { tendLog } from "./tend-log.js";
import { makeLineage } from "./terms/lineage.js";
import { makeTermIndex } from "./terms/term-index.js";
import { startTermLoads } from "./terms/term-loads.js";
import { makeTermReader } from "./terms/term-reader.js";
import { makeTermWriter } from "./terms/term-writer.js";
import { makeWriter } from "./transaction.js";
import { makeUpkeep } from "./upkeep.js";
import { makeUserReader } from "./user-reader.js";
import { makeUserWriter } from "./user-writer.js";
import { makeWebhookReader, makeWebhookWriter } from "./webhooks.js";

export { checkWholeFile } from "./check-whole-file.js";
export { databaseFile } from "./database.js";
export { lockDataFolder } from "./lock.js";
export { makeDataFolder, restrictAccess } from "./new-file.js";
export { type Restored, restoreDatabase } from "./restore.js";
export type { Loader } from "./share-loads.js";
export { markRunning, type StopMarker } from "./stop-marker.js";

/** The engine, and what it does for the searches of another thread. */
export interface SqliteEngine extends Engine {
  /** The other side of the option `load`. */
  readonly answer: Loader;
  /** On the file as a whole, with connections of its own. */
  readonly upkeep: Upkeep;
  /** From now on every write fails with this reason. */
  refuseWrites(reason: BinderyError): void;
}

export interface SqliteOptions {
  readonly folder: string;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** A reader refuses to write, and finds the file set up by a writer before it. */
  readonly role: Role;
  /** Makes the store, and its folder, where there is none. Absent: a writer does. */
  readonly creates?: boolean;
  /** Writes the log back now and then: one engine beside a writer does. Absent: the writer's own. */
  readonly tendsLog?: boolean;
  /** Makes the index of records again where their model has changed. Only who is sure of its catalog may. */
  readonly tendsIndex?: boolean;
  /** A search that takes longer fails: QUERY_TOO_COSTLY. */
  readonly searchTimeoutMs: number;
  /** Memory for what makes searches quick; answers are the same without. Absent: 64 MB. */
  readonly cacheBytes?: number;
  /** Rows of a set up to which it is asked for each time; absent: a good number. */
  readonly fewRows?: number;
  /** Answers what takes long on another thread. Absent: on this one. */
  readonly load?: Loader;
  /** Hears of the work that no caller waits for. Absent: its errors are warnings of the process. */
  readonly background?: BackgroundReporter;
}

const CACHE_BYTES = 64 * 2 ** 20;

/** Asking FTS5 for so many rows takes a fraction of a millisecond. */
const FEW_ROWS = 2_000;

/**
 * Opens store and index on the one file of the data folder. Reads have a connection of their own, so that they never
 * see a transaction that is not finished.
 * @throws Error with a clear word, see `openDatabase`; BinderyError STORE_UNAVAILABLE
 */
export function openSqlite(options: SqliteOptions): SqliteEngine {
  const { folder, catalog, role, searchTimeoutMs, cacheBytes = CACHE_BYTES, fewRows = FEW_ROWS, load } = options;
  const { background = WARNING_REPORTER } = options;
  if (options.creates ?? role === "writer") createDatabase(folder);
  const writing = role === "writer" ? openWriting(options) : undefined;
  const db = openDatabase(folder, "reader");
  const log = (options.tendsLog ?? role === "writer") ? tendLog(folder, background) : undefined;
  const paths = makePaths(db);
  const facetPathsHere = facetPaths(catalog);
  const memory = makeMemory(cacheBytes);
  const lineage = makeLineage(db, memory);
  const loading = load === undefined ? {} : { load: shareLoads(load, LIMITS.loadMsMax, background) };
  const close = async (): Promise<void> => {
    log?.stop();
    if (db.raw.open) db.close();
    await writing?.close();
  };
  const refuse = async (): Promise<never> => {
    throw new Error("This engine was opened to read.");
  };
  const store: Store = {
    records: makeRecordReader(db),
    terms: makeTermReader(db, catalog, memory),
    users: makeUserReader(db),
    shares: makeShareReader(db),
    audit: makeAuditReader(db),
    changes: makeChangeReader(db),
    webhooks: makeWebhookReader(db, makeSecretBox(folder)),
    prepareIndex: (leaves, terms) => prepareIndex({ db, paths, facetPaths: facetPathsHere }, leaves, terms),
    transaction: writing?.transaction ?? refuse,
    loadTerms: writing?.loadTerms ?? refuse,
    check: () => reading(() => void db.sql("SELECT count(*) FROM meta").get()),
    close,
  };
  const index: SearchIndex = {
    supports: { fuzzy: true, sameElement: true, within: true },
    searchRecords: makeRecordSearch({ db, catalog, paths, memory, lineage, searchTimeoutMs, fewRows, ...loading }),
    nearestWords: async (where, word, limit) => {
      const deadline = startDeadline(searchTimeoutMs, () => word);
      return reading(() => db.read(() => nearestWords(db, where, word, limit, { catalog, memory, deadline })));
    },
    ...makeTermIndex(db, catalog, { searchTimeoutMs, memory }),
    // What is asked for next may be as large as anything that is kept.
    hasRoom: () => memory.bytes < cacheBytes / 2,
    close,
  };
  const refuseWrites = (reason: BinderyError): void => writing?.refuseWrites(reason);
  return { store, index, answer: makeAnswerer(db), upkeep: makeUpkeep(folder, catalog), refuseWrites, close };
}

interface Writing extends Pick<Store, "transaction" | "loadTerms" | "close"> {
  refuseWrites(reason: BinderyError): void;
}

function openWriting({ folder, catalog, clock, background, tendsIndex = false }: SqliteOptions): Writing {
  const db = openDatabase(folder, "writer");
  const secrets = makeSecretBox(folder);
  sealSecrets(db, secrets);
  registerPaths(db, catalog);
  const writing = { db, catalog, paths: makePaths(db), facetPaths: facetPaths(catalog) };
  const writer = makeWriter(db, clock, background === undefined ? {} : { background });
  const termLoads = startTermLoads(writer, catalog);
  const maintenance = startMaintenance(writer);
  const checksumTending = tendsIndex ? tendChecksums(writer) : undefined;
  const wordSweeps = tendsIndex ? startWordSweeps(writer) : undefined;
  const indexTending = tendsIndex ? tendIndex(writer, catalog) : undefined;
  return {
    transaction: (work) =>
      writer.run((now) =>
        work({
          now: formatInstant(now),
          records: makeRecordWriter(writing, now),
          terms: makeTermWriter(db, catalog, now),
          users: makeUserWriter(db, now),
          shares: makeShareWriter(db, now),
          answers: makeAnswers(db, now),
          imports: makeImports(db),
          webhooks: makeWebhookWriter(db, now, secrets),
          audit: async (actor, entry) => noteAudit(db, now, actor, entry),
          dropRefusals: async (keep) => dropRefusals(db, keep),
        }),
      ),
    loadTerms: termLoads.loadTerms,
    refuseWrites: writer.gate.close,
    close: async () => {
      await Promise.all([termLoads.stop(), indexTending?.stop(), checksumTending?.stop(), wordSweeps?.stop()]);
      maintenance.stop();
      await writer.idle();
      if (db.raw.open) db.close();
    },
  };
}
