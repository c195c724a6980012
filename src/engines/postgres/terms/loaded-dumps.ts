import { formatInstant, parseInstant } from "../../../core/time.js";
import type { DumpKeeper, DumpReader, LoadedDump } from "../../../ports/loads.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";

type Row = Omit<LoadedDump, "release" | "loaded"> & { readonly release: string | null; readonly loaded: number };

const LIST = `SELECT vocabulary, authority, release, file, sha256, bytes, loaded FROM dump
  ORDER BY vocabulary, authority`;

const KEEP = `INSERT INTO dump(vocabulary, authority, release, file, sha256, bytes, loaded)
  VALUES($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (vocabulary, authority) DO UPDATE SET release = excluded.release, file = excluded.file,
    sha256 = excluded.sha256, bytes = excluded.bytes, loaded = excluded.loaded`;

/** Dumps of authorities that were loaded. */
export function makeDumpReader(sql: Sql): DumpReader {
  return {
    list: async () => {
      const rows = await sql.rows<Row>(LIST);
      return rows.map(({ release, loaded, ...row }) => ({
        ...row,
        ...(release === null ? {} : { release }),
        loaded: formatInstant(loaded),
      }));
    },
  };
}

/** The same within the open transaction. */
export function makeDumpKeeper({ sql }: Pick<OpenTransaction, "sql">): DumpKeeper {
  return {
    ...makeDumpReader(sql),
    keep: async ({ vocabulary, authority, release = null, file, sha256, bytes, loaded }) => {
      await sql.run(KEEP, [vocabulary, authority, release, file, sha256, bytes, parseInstant(loaded)]);
    },
  };
}
