import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import { LIMITS } from "../../../core/limits.js";
import type { TermContent } from "../../../core/term.js";
import { formatInstant, parseInstant } from "../../../core/time.js";
import type {
  DumpKeeper,
  DumpReader,
  LoadedDump,
  LoadOptions,
  LoadSummary,
  PreparedTerm,
  TermLine,
} from "../../../ports/loads.js";
import type { Store } from "../../../ports/store.js";
import { prepareLine as prepareFor } from "../../term-loads/compiled-terms.js";
import type { Pool, Sql } from "../connection/sql.js";
import type { OpenTransaction, RunTransaction } from "../connection/write-transaction.js";
import { followAll } from "./follow-terms.js";
import { type RunningLoad, whileLoading } from "./loading-claim.js";
import { stageTerms } from "./stage-terms.js";
import { requireVocabulary } from "./term-writer.js";
import { type LoadIndexing, writeStaged } from "./write-staged.js";

interface LoadDeps {
  readonly pool: Pool;
  readonly catalog: Catalog;
  readonly transaction: RunTransaction;
  readonly indexing: LoadIndexing;
}

/**
 * Makes `Store.loadTerms`. First, all terms are read, compared and staged, in batches and without a lock. Then one
 * transaction writes the changes.
 */
export function makeLoadTerms({ catalog, ...deps }: LoadDeps): Store["loadTerms"] {
  return async (name, terms, options = {}) => {
    const vocabulary = requireVocabulary(catalog, name);
    const claimedVocabulary = options.dryRun === true ? undefined : name;
    return whileLoading(deps.pool, claimedVocabulary, (loading) => load(deps, vocabulary, terms, options, loading));
  };
}

async function load(
  { pool, transaction, indexing }: Omit<LoadDeps, "catalog">,
  vocabulary: Vocabulary,
  terms: AsyncIterable<TermContent | TermLine>,
  options: LoadOptions,
  loading: RunningLoad,
): Promise<LoadSummary> {
  const { source, dryRun = false, isWanted = () => true } = options;
  const bitOf = dryRun ? sourceBit : takeSourceBit;
  const own = source === undefined ? 0 : await bitOf(pool, vocabulary.name, source);
  const bits = { own, authorities: await sourceBits(pool, vocabulary.name, options.authority?.names ?? []) };
  const { summary, isEmpty } = await stageTerms(pool, vocabulary, terms, options, { ...loading, bits });
  if (dryRun || !isWanted() || isEmpty) return summary;
  loading.check();
  await indexing.begin(loading.load);
  const counts = await transaction((tx) => writeStaged(tx, vocabulary, loading, options, indexing));
  // When a load ends, searches must find records by the loaded terms.
  await followAll(pool, transaction);
  return { ...summary, ...counts, unchanged: counts.unchanged + summary.unchanged };
}

/** Returns the bit of a source in the column `sources` of the terms of a vocabulary, or 0 if it has none. */
async function sourceBit(sql: Sql, vocabulary: string, source: string): Promise<number> {
  const row = await sql.row<{ readonly bit: number }>(
    "SELECT bit FROM term_source WHERE vocabulary = $1 AND name = $2",
    [vocabulary, source],
  );
  return row?.bit ?? 0;
}

/** Returns the union of the bits of several sources. Unknown sources have none. */
async function sourceBits(sql: Sql, vocabulary: string, sources: readonly string[]): Promise<number> {
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
async function takeSourceBit(sql: Sql, vocabulary: string, source: string): Promise<number> {
  const existing = await sourceBit(sql, vocabulary, source);
  if (existing > 0) return existing;
  const count = "SELECT count(*) AS n FROM term_source WHERE vocabulary = $1";
  const { n } = (await sql.row<{ readonly n: number }>(count, [vocabulary]))!;
  const max = LIMITS.termSourcesMax;
  if (n >= max) throw fail("TERM_SOURCES_TOO_MANY", { vocabulary, source, max });
  const bit = 2 ** n;
  await sql.run("INSERT INTO term_source(vocabulary, name, bit) VALUES($1, $2, $3)", [vocabulary, source, bit]);
  return bit;
}

/** Processes a line of a load as far as possible without stored terms. @throws BinderyError VOCABULARY_NOT_FOUND */
export function prepareLine(catalog: Catalog, vocabulary: string, line: TermLine): PreparedTerm {
  return prepareFor(requireVocabulary(catalog, vocabulary), line);
}

type DumpRow = Omit<LoadedDump, "release" | "loaded"> & { readonly release: string | null; readonly loaded: number };

const LIST_DUMPS = `SELECT vocabulary, authority, release, file, sha256, bytes, loaded FROM dump
  ORDER BY vocabulary, authority`;

const KEEP_DUMP = `INSERT INTO dump(vocabulary, authority, release, file, sha256, bytes, loaded)
  VALUES($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (vocabulary, authority) DO UPDATE SET release = excluded.release, file = excluded.file,
    sha256 = excluded.sha256, bytes = excluded.bytes, loaded = excluded.loaded`;

/** Makes the reader of the list of loaded dumps. */
export function makeDumpReader(sql: Sql): DumpReader {
  return {
    list: async () => {
      const rows = await sql.rows<DumpRow>(LIST_DUMPS);
      return rows.map(({ release, loaded, ...row }) => ({
        ...row,
        release: release ?? undefined,
        loaded: formatInstant(loaded),
      }));
    },
  };
}

/** Makes the writer of the list of loaded dumps in the open transaction. */
export function makeDumpKeeper({ sql }: Pick<OpenTransaction, "sql">): DumpKeeper {
  return {
    ...makeDumpReader(sql),
    keep: async ({ vocabulary, authority, release = null, file, sha256, bytes, loaded }) => {
      await sql.run(KEEP_DUMP, [vocabulary, authority, release, file, sha256, bytes, parseInstant(loaded)]);
    },
  };
}
