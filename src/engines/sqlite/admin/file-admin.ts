import { statSync } from "node:fs";
import type { Catalog } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import type { StoredRecord } from "../../../core/record.js";
import { formatInstant } from "../../../core/time.js";
import type { StoreAdmin, StoreStatus, Unserved } from "../../../ports/store-admin.js";
import { freeBytes } from "../../files/disk-files.js";
import { lastChange, lastChangeTime } from "../connection/change-table.js";
import { type Db, databaseFile, logBytes, openDatabase, readMeta } from "../connection/database.js";
import { mapError } from "../connection/map-error.js";
import { recordsAfter } from "../records/record-reader.js";
import { largestUsers } from "../records/usage-counters.js";
import { repairStore } from "../verify/repair.js";
import { verifyStore } from "../verify/run-checks.js";
import { backupStore, readLastBackup } from "./backup-store.js";
import { dumpDatabase } from "./dump-and-load.js";

/** Records read in one query, so that the log is kept no longer than by a search. */
const RECORDS_AT_ONCE = 100;

/** Makes the administration of the whole file. Each call opens its own connections. */
export function makeStoreAdmin(folder: string, catalog: Catalog): StoreAdmin {
  return {
    status: async () => readStatus(folder),
    findUnserved: async () => {
      const db = openDatabase(folder, "reader");
      try {
        return db.read(() => findUnserved(db, catalog));
      } finally {
        db.close();
      }
    },
    readRecords: () => readRecords(folder),
    verify: async (onProgress) => verifyStore(folder, catalog, onProgress).verification,
    repair: (onProgress) => repairStore(folder, catalog, onProgress),
    backup: (file, options) => backupStore(folder, file, options),
    dump: () => dumpDatabase(folder),
    reindex: refuseReindex,
    indexes: async () => [],
  };
}

async function refuseReindex(): Promise<never> {
  throw fail("FEATURE_UNSUPPORTED", { feature: "`reindex`: its index is in the data folder; see `verify --repair`" });
}

async function* readRecords(folder: string): AsyncGenerator<readonly StoredRecord[]> {
  const db = openDatabase(folder, "reader");
  try {
    for (let row = 0; ; ) {
      const { records, last } = recordsAfter(db, row, RECORDS_AT_ONCE);
      if (last === row) return;
      row = last;
      yield records;
    }
  } catch (error) {
    throw mapError(error);
  } finally {
    db.close();
  }
}

/** Reads the status of one snapshot of the file. */
function readStatus(folder: string): StoreStatus {
  const db = openDatabase(folder, "reader");
  try {
    return db.read(() => {
      const seq = lastChange(db);
      const lastBackup = readLastBackup(db.raw);
      const diskFreeBytes = freeBytes(folder);
      return {
        schema: Number(readMeta(db.raw, "schema")),
        analysis: Number(readMeta(db.raw, "analysis")),
        bytes: statSync(databaseFile(folder)).size,
        logBytes: logBytes(folder),
        diskFreeBytes,
        models: countModels(db),
        vocabularies: countTerms(db),
        largestUsers: largestUsers(db),
        lastChange: seq === 0 ? undefined : { seq, time: formatInstant(lastChangeTime(db)) },
        lastBackup,
      };
    });
  } finally {
    db.close();
  }
}

/** The index `rec_public` has all these columns. */
const MODELS = `SELECT model AS name, sum(state = 1 AND latest = 1) AS published,
    sum(state = 1 AND latest = 0) AS olderVersions, sum(state = 0) AS drafts
  FROM rec GROUP BY model ORDER BY model`;

const countModels = (db: Db): StoreStatus["models"] => db.sql<StoreStatus["models"][number]>(MODELS).all();

function countTerms(db: Db): StoreStatus["vocabularies"] {
  const sql = "SELECT vocabulary AS name, count AS terms FROM generation WHERE state = 'current' ORDER BY vocabulary";
  return db.sql<StoreStatus["vocabularies"][number]>(sql).all();
}

/** Finds stored models and vocabularies that the catalog does not have. Reads only indexes. */
function findUnserved(db: Db, catalog: Catalog): Unserved {
  const models = [...new Set(STATE_LATEST.flatMap((stateLatest) => storedModels(db, stateLatest)))].filter(
    (name) => !catalog.models.has(name),
  );
  const vocabularies = db
    .sql<{ name: string; items: number }>(
      "SELECT vocabulary name, count items FROM generation WHERE state = 'current' AND count > 0 ORDER BY vocabulary",
    )
    .all();
  return {
    models: models
      .sort()
      .map((name) => ({ name, published: countRecords(db, name, 1), drafts: countRecords(db, name, 0) })),
    vocabularies: vocabularies.filter(({ name }) => !catalog.vocabularies.has(name)),
  };
}

/** Values of the first two columns of the index `rec_public`: state and latest. */
const STATE_LATEST = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
] as const;

/** Returns the model names by steps from name to name: a DISTINCT would read all rows. */
function storedModels(db: Db, stateLatest: readonly [number, number]): readonly string[] {
  const next = db.sql<string | null>("SELECT min(model) FROM rec WHERE state = ? AND latest = ? AND model > ?").pluck();
  const names: string[] = [];
  for (let name = next.get(...stateLatest, ""); typeof name === "string"; name = next.get(...stateLatest, name))
    names.push(name);
  return names;
}

function countRecords(db: Db, model: string, state: 0 | 1): number {
  const sql = "SELECT count(*) FROM rec WHERE state = ? AND latest IN (0, 1) AND model = ?";
  return db.sql<number>(sql).pluck().get(state, model) ?? 0;
}
