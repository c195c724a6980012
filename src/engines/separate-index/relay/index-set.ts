/**
 * The indexes that form one index for the store: that of records, and one for each vocabulary; and the mark that it
 * keeps about itself.
 */
import type { Catalog } from "../../../core/catalog/types.js";
import type { Json } from "../../../core/json.js";
import type { TermTrees } from "../../../ports/index-documents.js";
import type { IndexSource } from "../../../ports/index-source.js";
import type { IndexDriver, IndexFormat } from "../driver/index-driver.js";
import { allPartsOf, recordsIndexOf, termsIndexOf } from "../driver/index-driver.js";

/** The parts that create the indexes of a name. */
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
const indexNames = (
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

/**
 * Marks that documents of a view may be in the index from now on: first in the store, then in the index itself. If the
 * mark of the index is unknown to the store, the index was made from a state that the store has lost: nothing may be
 * written then, because documents of lost changes would stay. The same holds if the mark is below what searches show:
 * the index has lost documents, which a rising mark would hide. A concurrent mark is not overwritten.
 *
 * @throws ForeignIndexError if the index does not belong to this state of the store
 */
export async function beginWriting({ source, driver }: WritingContext, name: string, upTo: number): Promise<void> {
  for (let refusedMark: number | undefined; ; ) {
    const mark = await driver.readMark(name);
    if (mark === undefined) throw new ForeignIndexError(name, driver);
    if (!(await source.noteBegun(name, upTo, mark))) {
      // Another writer may have completed a whole step between the two.
      if (mark.begun === refusedMark) throw new ForeignIndexError(name, driver);
      refusedMark = mark.begun;
      continue;
    }
    if (mark.begun >= upTo || (await mark.replace({ epoch: mark.epoch, begun: upTo }))) return;
  }
}

interface WritingContext {
  readonly source: Pick<IndexSource, "noteBegun">;
  readonly driver: Pick<IndexDriver, "readMark" | "engineName">;
}

interface OwnershipContext {
  readonly source: IndexSource;
  readonly driver: Pick<IndexDriver, "readMark" | "listOwn">;
  readonly format: IndexFormat;
}

/**
 * Makes the store forget each index that does not belong to this state of the store, and each that is no longer
 * complete: a part of it is missing, or the search engine was restored to an older state. @returns the names of these
 * indexes
 */
export async function dropForeignIndexes({ source, driver, format }: OwnershipContext): Promise<readonly string[]> {
  const dropped: string[] = [];
  // Read before the indexes are examined: these only grow meanwhile.
  const view = await source.openView();
  await view.close();
  for (const state of await source.states()) {
    const { name, applied, made } = state;
    const mark = await driver.readMark(name);
    const parts = indexNames(name, format.vocabulariesOf(made), view.trees);
    const isWhole = mark !== undefined && mark.begun >= applied && (await hasAll(driver, name, parts));
    if (await source.disown(name, isWhole ? mark : undefined)) dropped.push(name);
  }
  return dropped;
}

/**
 * Error for an index whose documents do not belong to this state of the database, or are incomplete. Its message is for
 * the operator: the relay makes a new index.
 */
export class ForeignIndexError extends Error {
  override readonly name = "ForeignIndexError";
  constructor(index: string, { engineName }: Pick<IndexDriver, "engineName">) {
    super(
      `The search index ${index} or a part of it is missing, or either the database or ${engineName} was restored ` +
        "to an older state than the other. The index is no longer used, and a new one is built.",
    );
  }
}
