import type { Catalog } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import type { StoredRecord } from "../../../core/record.js";
import type { StoreAdmin } from "../../../ports/store-admin.js";
import { openDatabase } from "../connection/database.js";
import { mapError } from "../connection/map-error.js";
import { recordsAfter } from "../records/record-reader.js";
import { repairStore } from "../verify/repair.js";
import { verifyStore } from "../verify/run-checks.js";
import { backupStore } from "./backup-store.js";
import { dumpDatabase } from "./dump-database.js";
import { findUnserved, readStatus } from "./store-status.js";

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
