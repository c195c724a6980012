import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import type { TermContent } from "../../../core/term.js";
import type { LoadOptions, LoadSummary, TermLine } from "../../../ports/loads.js";
import type { Store } from "../../../ports/store.js";
import type { Pool } from "../connection/sql.js";
import type { RunTransaction } from "../connection/write-transaction.js";
import { followAll } from "./follow-all.js";
import type { LoadIndexing } from "./load-indexing.js";
import { type Loading, whileLoading } from "./loading-claim.js";
import { sourceBit, sourceBits, takeSourceBit } from "./source-bits.js";
import { stageItems } from "./stage-items.js";
import { declared } from "./term-writer.js";
import { writeStaged } from "./write-staged.js";

interface LoadDeps {
  readonly pool: Pool;
  readonly catalog: Catalog;
  readonly transaction: RunTransaction;
  readonly indexing: LoadIndexing;
}

/**
 * Loads items as `Store.loadTerms` says: all are read, compared and staged first, a batch at a time and without a lock;
 * then one transaction writes what changes.
 */
export function makeLoadTerms({ catalog, ...deps }: LoadDeps): Store["loadTerms"] {
  return async (name, items, options = {}) => {
    const vocabulary = declared(catalog, name);
    const claimed = options.dryRun === true ? undefined : name;
    return whileLoading(deps.pool, claimed, (loading) => load(deps, vocabulary, items, options, loading));
  };
}

async function load(
  { pool, transaction, indexing }: Omit<LoadDeps, "catalog">,
  vocabulary: Vocabulary,
  items: AsyncIterable<TermContent | TermLine>,
  options: LoadOptions,
  loading: Loading,
): Promise<LoadSummary> {
  const { source, dryRun = false, isWanted = () => true } = options;
  const bitOf = dryRun ? sourceBit : takeSourceBit;
  const own = source === undefined ? 0 : await bitOf(pool, vocabulary.name, source);
  const bits = { own, authorities: await sourceBits(pool, vocabulary.name, options.authority?.names ?? []) };
  const { summary, isEmpty } = await stageItems(pool, vocabulary, items, options, { ...loading, bits });
  if (dryRun || !isWanted() || isEmpty) return summary;
  loading.check();
  await indexing.begin(loading.load);
  const counts = await transaction((tx) => writeStaged(tx, vocabulary, loading, options, indexing));
  // When a load ends records are found by what it changed.
  await followAll(pool, transaction);
  return { ...summary, ...counts, unchanged: counts.unchanged + summary.unchanged };
}
