import { statSync } from "node:fs";
import { formatInstant } from "../../../core/time.js";
import type { StoreStatus } from "../../../ports/store-admin.js";
import { freeBytes } from "../../files/free-bytes.js";
import { lastChange, lastChangeTime } from "../connection/change-table.js";
import { type Db, databaseFile, logBytes, openDatabase, readMeta } from "../connection/database.js";
import { largestUsers } from "../records/draft-usage.js";
import { readLastBackup } from "./last-backup.js";

/** What the file is and holds, as it is at one moment. */
export function readStatus(folder: string): StoreStatus {
  const db = openDatabase(folder, "reader");
  try {
    return db.read(() => {
      const seq = lastChange(db);
      const backup = readLastBackup(db.raw);
      const free = freeBytes(folder);
      return {
        ...{ schema: Number(readMeta(db.raw, "schema")), analysis: Number(readMeta(db.raw, "analysis")) },
        ...{ bytes: statSync(databaseFile(folder)).size, logBytes: logBytes(folder) },
        ...(free === undefined ? {} : { diskFreeBytes: free }),
        models: countModels(db),
        vocabularies: countTerms(db),
        largestUsers: largestUsers(db),
        ...(seq === 0 ? {} : { lastChange: { seq, time: formatInstant(lastChangeTime(db)) } }),
        ...(backup === undefined ? {} : { lastBackup: backup }),
      };
    });
  } finally {
    db.close();
  }
}

/** All that is read is in the index `rec_public`. */
const MODELS = `SELECT model AS name, sum(state = 1 AND latest = 1) AS published,
    sum(state = 1 AND latest = 0) AS olderVersions, sum(state = 0) AS drafts
  FROM rec GROUP BY model ORDER BY model`;

const countModels = (db: Db): StoreStatus["models"] => db.sql<StoreStatus["models"][number]>(MODELS).all();

function countTerms(db: Db): StoreStatus["vocabularies"] {
  const sql = "SELECT vocabulary AS name, count AS terms FROM generation WHERE state = 'current' ORDER BY vocabulary";
  return db.sql<StoreStatus["vocabularies"][number]>(sql).all();
}
