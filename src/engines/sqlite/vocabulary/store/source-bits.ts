import { fail } from "../../../../core/errors.js";
import { LIMITS } from "../../../../core/limits.js";
import type { Db } from "../../connection/database.js";

/** The bit of a source in `sources` of the items of a vocabulary, 0 where it never had one. */
export function sourceBit(db: Db, vocabulary: string, source: string): number {
  const sql = "SELECT bit FROM term_source WHERE vocabulary = ? AND name = ?";
  return db.sql<number>(sql).pluck().get(vocabulary, source) ?? 0;
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
  const known = sourceBit(db, vocabulary, source);
  if (known > 0) return known;
  const count = db.sql<number>("SELECT count(*) FROM term_source WHERE vocabulary = ?").pluck().get(vocabulary)!;
  const max = LIMITS.termSourcesMax;
  if (count >= max) throw fail("TERM_SOURCES_TOO_MANY", { vocabulary, source, max });
  const bit = 2 ** count;
  db.sql("INSERT INTO term_source(vocabulary, name, bit) VALUES(?, ?, ?)").run(vocabulary, source, bit);
  return bit;
}
