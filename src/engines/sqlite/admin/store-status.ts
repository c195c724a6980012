import { statSync } from "node:fs";
import type { Catalog } from "../../../core/catalog/types.js";
import { formatInstant } from "../../../core/time.js";
import type { StoreStatus, Unserved } from "../../../ports/store-admin.js";
import { freeBytes } from "../../files/disk-files.js";
import { lastChange, lastChangeTime } from "../connection/change-table.js";
import { type Db, databaseFile, logBytes, openDatabase, readMeta } from "../connection/database.js";
import { largestUsers } from "../records/usage-counters.js";
import { readLastBackup } from "./backup-store.js";

/** Reads the status of one snapshot of the file. */
export function readStatus(folder: string): StoreStatus {
  const db = openDatabase(folder, "reader");
  try {
    return db.read(() => {
      const seq = lastChange(db);
      const backup = readLastBackup(db.raw);
      const freeDiskBytes = freeBytes(folder);
      return {
        schema: Number(readMeta(db.raw, "schema")),
        analysis: Number(readMeta(db.raw, "analysis")),
        bytes: statSync(databaseFile(folder)).size,
        logBytes: logBytes(folder),
        ...(freeDiskBytes === undefined ? {} : { diskFreeBytes: freeDiskBytes }),
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
export function findUnserved(db: Db, catalog: Catalog): Unserved {
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
