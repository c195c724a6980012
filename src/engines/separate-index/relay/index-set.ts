/** The indexes that form one index for the store: that of records, and one for each vocabulary. */
import type { Catalog } from "../../../core/catalog/types.js";
import type { Json } from "../../../core/json.js";
import type { TermTrees } from "../../../ports/index-trees.js";
import type { IndexDriver } from "../driver/index-driver.js";
import { allPartsOf, recordsIndexOf, termsIndexOf } from "../driver/index-names.js";

export interface IndexSetOptions {
  readonly driver: IndexDriver;
  readonly catalog: Catalog;
  readonly shards: number;
}

/** Creates the indexes of a name; existing ones stay. @param made definition of the index */
export async function createIndexSet(
  { driver, catalog, shards }: IndexSetOptions,
  name: string,
  made: Json,
): Promise<void> {
  // Created concurrently, because some engines then change the state of their cluster only once.
  await Promise.all([
    driver.createRecordIndex(recordsIndexOf(name), shards, made),
    ...[...catalog.vocabularies.values()].map((vocabulary) =>
      driver.createTermIndex(termsIndexOf(name, vocabulary.name, 0), shards, vocabulary),
    ),
  ]);
}

/** Adds fields and indexes for declarations of a catalog that the indexes lack. @param made extended definition */
export async function extendIndexSet(options: IndexSetOptions, name: string, made: Json): Promise<void> {
  await options.driver.extendRecordIndex(recordsIndexOf(name), made);
  await createIndexSet(options, name, made);
}

/** Returns the names of all indexes that belong to an index. */
export const partsOf = (
  name: string,
  vocabularies: readonly string[],
  trees: Pick<TermTrees, "generationOf">,
): readonly string[] => [
  recordsIndexOf(name),
  ...vocabularies.map((vocabulary) => termsIndexOf(name, vocabulary, trees.generationOf(name, vocabulary))),
];

/**
 * Returns whether all parts of an index exist as they were made here. A document that is sent to a missing index can
 * make an engine create it, with other rules for words and numbers.
 */
export async function hasAll(
  driver: Pick<IndexDriver, "listOwn">,
  name: string,
  parts: readonly string[],
): Promise<boolean> {
  const ownIndexes = new Set(await driver.listOwn(`${name}-`));
  return parts.every((part) => ownIndexes.has(part));
}

/** Drops an index with its mark. */
export const dropIndexSet = (driver: Pick<IndexDriver, "drop">, name: string): Promise<void> =>
  driver.drop(allPartsOf(name));
