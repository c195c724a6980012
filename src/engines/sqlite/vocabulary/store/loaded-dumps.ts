import { formatInstant, parseInstant } from "../../../../core/time.js";
import type { DumpKeeper, DumpReader, LoadedDump } from "../../../../ports/dumps.js";
import type { Db } from "../../connection/database.js";
import { reading } from "../../connection/map-error.js";

type Row = Omit<LoadedDump, "release" | "loaded"> & { readonly release: string | null; readonly loaded: number };

/** Dumps of authorities that were loaded. */
export function makeDumpReader(db: Db): DumpReader {
  const sql = `SELECT vocabulary, authority, release, file, sha256, bytes, loaded FROM dump
    ORDER BY vocabulary, authority`;
  return {
    list: () =>
      reading(() =>
        db
          .sql<Row>(sql)
          .all()
          .map(({ release, loaded, ...row }) => ({
            ...row,
            ...(release === null ? {} : { release }),
            loaded: formatInstant(loaded),
          })),
      ),
  };
}

/** The same within the open transaction. */
export function makeDumpKeeper(db: Db): DumpKeeper {
  const sql = `INSERT OR REPLACE INTO dump(vocabulary, authority, release, file, sha256, bytes, loaded)
    VALUES(?, ?, ?, ?, ?, ?, ?)`;
  return {
    ...makeDumpReader(db),
    keep: async ({ vocabulary, authority, release = null, file, sha256, bytes, loaded }) => {
      db.sql(sql).run(vocabulary, authority, release, file, sha256, bytes, parseInstant(loaded));
    },
  };
}
