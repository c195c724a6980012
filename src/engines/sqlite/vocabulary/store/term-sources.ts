import { fail } from "../../../../core/errors.js";
import { LIMITS } from "../../../../core/limits.js";
import { formatInstant, parseInstant } from "../../../../core/time.js";
import type { DumpKeeper, DumpReader, LoadedDump } from "../../../../ports/loads.js";
import type { Db } from "../../connection/database.js";
import { runRead } from "../../connection/map-error.js";

/** Returns the bit of a source in `sources` of the terms of a vocabulary, 0 if it never had one. */
export function sourceBit(db: Db, vocabulary: string, source: string): number {
  const sql = "SELECT bit FROM term_source WHERE vocabulary = ? AND name = ?";
  return db.sql<number>(sql).pluck().get(vocabulary, source) ?? 0;
}

/** Returns the names of the sources that have a bit. The first source has the lowest bit. */
export function sourcesIn(db: Db, vocabulary: string, bits: number): readonly string[] {
  const sql = "SELECT name FROM term_source WHERE vocabulary = ? AND bit & ? <> 0 ORDER BY bit";
  return db.sql<string>(sql).pluck().all(vocabulary, bits);
}

/** Returns the union of the bits of several sources. Unknown sources have none. */
export function sourceBits(db: Db, vocabulary: string, sources: readonly string[]): number {
  return sources.reduce((bits, source) => bits | sourceBit(db, vocabulary, source), 0);
}

/**
 * Returns the bit of a source, in the open transaction. A new source gets the next bit.
 * @throws BinderyError TERM_SOURCES_TOO_MANY
 */
export function takeSourceBit(db: Db, vocabulary: string, source: string): number {
  const existingBit = sourceBit(db, vocabulary, source);
  if (existingBit > 0) return existingBit;
  const count = db.sql<number>("SELECT count(*) FROM term_source WHERE vocabulary = ?").pluck().get(vocabulary)!;
  const max = LIMITS.termSourcesMax;
  if (count >= max) throw fail("TERM_SOURCES_TOO_MANY", { vocabulary, source, max });
  const bit = 2 ** count;
  db.sql("INSERT INTO term_source(vocabulary, name, bit) VALUES(?, ?, ?)").run(vocabulary, source, bit);
  return bit;
}

type DumpRow = Omit<LoadedDump, "release" | "loaded"> & { readonly release: string | null; readonly loaded: number };

/** Makes the reader of loaded dumps of authorities. */
export function makeDumpReader(db: Db): DumpReader {
  const sql = `SELECT vocabulary, authority, release, file, sha256, bytes, loaded FROM dump
    ORDER BY vocabulary, authority`;
  return {
    list: () =>
      runRead(() =>
        db
          .sql<DumpRow>(sql)
          .all()
          .map(({ release, loaded, ...row }) => ({
            ...row,
            release: release ?? undefined,
            loaded: formatInstant(loaded),
          })),
      ),
  };
}

/** Makes the reader and writer of the same within the open transaction. */
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
