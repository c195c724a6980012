import { fail } from "../../../core/errors.js";
import { LIMITS } from "../../../core/limits.js";
import type { Sql } from "../connection/sql.js";

/** The bit of a source in `sources` of the items of a vocabulary, 0 where it never had one. */
export async function sourceBit(sql: Sql, vocabulary: string, source: string): Promise<number> {
  const row = await sql.row<{ readonly bit: number }>(
    "SELECT bit FROM term_source WHERE vocabulary = $1 AND name = $2",
    [vocabulary, source],
  );
  return row?.bit ?? 0;
}

/** Returns the union of the bits of several sources. Unknown sources have none. */
export async function sourceBits(sql: Sql, vocabulary: string, sources: readonly string[]): Promise<number> {
  const rows = await sql.rows<{ readonly bit: number }>(
    "SELECT bit FROM term_source WHERE vocabulary = $1 AND name = ANY($2::text[])",
    [vocabulary, sources],
  );
  return rows.reduce((bits, { bit }) => bits | bit, 0);
}

/**
 * Returns the bit of a source. A new source gets the next bit. Only one load of a vocabulary runs at a time.
 * @throws BinderyError TERM_SOURCES_TOO_MANY
 */
export async function takeSourceBit(sql: Sql, vocabulary: string, source: string): Promise<number> {
  const known = await sourceBit(sql, vocabulary, source);
  if (known > 0) return known;
  const counted = "SELECT count(*) AS n FROM term_source WHERE vocabulary = $1";
  const { n } = (await sql.row<{ readonly n: number }>(counted, [vocabulary]))!;
  const max = LIMITS.termSourcesMax;
  if (n >= max) throw fail("TERM_SOURCES_TOO_MANY", { vocabulary, source, max });
  const bit = 2 ** n;
  await sql.run("INSERT INTO term_source(vocabulary, name, bit) VALUES($1, $2, $3)", [vocabulary, source, bit]);
  return bit;
}
