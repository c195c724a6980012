/** The indexes that form one index for the store: that of records, and one for each vocabulary. */
import { isDeepStrictEqual } from "node:util";
import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import type { Json } from "../../../core/json.js";
import type { IndexState } from "../../../ports/index-source.js";
import { ANALYSIS_VERSION } from "../../../query/text/analyse.js";
import {
  createIndex,
  dropIndexes,
  extendMapping,
  type IndexDefinition,
  listIndexesWithSetting,
} from "../connection/indexes.js";
import type { SearchClient } from "../connection/search-client.js";
import { numberPaths, type PathNumbers } from "../documents/path-numbers.js";
import { DELETES_KEPT, RECORD_DOCUMENT_VERSION, recordIndex, recordMapping } from "../documents/record-mapping.js";
import { termDocumentsSignature, termIndex } from "../documents/term-mapping.js";

export const recordsIndexOf = (name: string): string => `${name}-records`;
/** Returns the name of the index of a vocabulary. @param generation see `SourceView.generationOf` */
export const termsIndexOf = (name: string, vocabulary: string, generation: number): string =>
  `${name}-terms-${vocabulary}${generation === 0 ? "" : `-${generation}`}`;

/** Definition of an index: with another one its documents would differ. */
export interface IndexDefinitionOfCatalog {
  readonly analysis: number;
  readonly document: number;
  /** Further data that records are indexed by. */
  readonly facets: Json;
  /** By their numbers, from 1. */
  readonly paths: readonly string[];
  /** By name of the vocabulary. */
  readonly terms: Readonly<Record<string, string>>;
}

export const definitionOf = ({ made }: Pick<IndexState, "made">): IndexDefinitionOfCatalog =>
  made as unknown as IndexDefinitionOfCatalog;

/** Returns the definition of an index of this catalog. @param known paths that have numbers already */
export function makeDefinition(catalog: Catalog, known: readonly string[] = []): IndexDefinitionOfCatalog {
  return {
    analysis: ANALYSIS_VERSION,
    document: RECORD_DOCUMENT_VERSION,
    facets: [...catalog.models.values()].map(({ name, facets }) => [name, facets]) as unknown as Json,
    paths: numberPaths(catalog, known).paths,
    terms: Object.fromEntries(
      [...catalog.vocabularies.values()].map((each) => [each.name, termDocumentsSignature(each)]),
    ),
  };
}

/**
 * Returns whether the documents of an index are those that would be made now, except for paths and vocabularies that it
 * lacks.
 */
export function isUsable(definition: IndexDefinitionOfCatalog, catalog: Catalog): boolean {
  const { paths, terms, ...current } = makeDefinition(catalog, definition.paths);
  const { paths: _, terms: madeTerms, ...previous } = definition;
  const isSame = Object.entries(terms).every(([name, signature]) => [signature, undefined].includes(madeTerms[name]));
  return isSame && isDeepStrictEqual(previous, current);
}

export interface IndexSetOptions {
  readonly client: SearchClient;
  readonly catalog: Catalog;
  readonly shards: number;
}

/** One replica per shard if there is a node for it. */
const REPLICA_SETTING = { auto_expand_replicas: "0-1" };

/** Creates the indexes of a name; existing ones stay. */
export async function createIndexSet(
  { client, catalog, shards }: IndexSetOptions,
  name: string,
  numbers: PathNumbers,
): Promise<void> {
  const records = withCopies(recordIndex({ catalog, numbers, shards, replicas: 0 }), shards);
  // Created concurrently, so that the state of the cluster changes only once.
  await Promise.all([
    createIndex(client, recordsIndexOf(name), records),
    ...[...catalog.vocabularies.values()].map((vocabulary) =>
      createTermsIndex({ client, shards }, termsIndexOf(name, vocabulary.name, 0), vocabulary),
    ),
  ]);
}

/** Creates the index of a generation; an existing one stays. */
export const createTermsIndex = (
  { client, shards }: Pick<IndexSetOptions, "client" | "shards">,
  name: string,
  vocabulary: Vocabulary,
): Promise<boolean> => createIndex(client, name, withCopies(termIndex(vocabulary), shards));

function withCopies({ settings, mappings }: IndexDefinition, shards: number): IndexDefinition {
  return {
    settings: { ...settings, index: { ...(settings.index as object), number_of_shards: shards, ...REPLICA_SETTING } },
    mappings,
  };
}

/** Adds fields and indexes for declarations of a catalog that the indexes lack. */
export async function extendIndexSet(options: IndexSetOptions, name: string, numbers: PathNumbers): Promise<void> {
  await extendMapping(options.client, recordsIndexOf(name), recordMapping(options.catalog, numbers));
  await createIndexSet(options, name, numbers);
}

/** Returns the names of all indexes that belong to an index. @param generationOf see `SourceView.generationOf` */
export const partsOf = (
  state: Pick<IndexState, "name" | "made">,
  generationOf: (vocabulary: string) => number,
): readonly string[] => [
  recordsIndexOf(state.name),
  ...Object.keys(definitionOf(state).terms).map((name) => termsIndexOf(state.name, name, generationOf(name))),
];

/** A setting that all indexes made here have, and indexes that OpenSearch creates automatically lack. */
const OWN_SETTING = { setting: "index.gc_deletes", value: DELETES_KEPT } as const;

/**
 * Returns whether all parts of an index exist as they were made here. A document that is sent to a missing index makes
 * OpenSearch create it, with other rules for words and numbers.
 */
export async function hasAll(client: SearchClient, name: string, parts: readonly string[]): Promise<boolean> {
  const ownIndexes = new Set(await listIndexesWithSetting(client, `${name}-`, OWN_SETTING));
  return parts.every((part) => ownIndexes.has(part));
}

export const dropIndexSet = (client: SearchClient, name: string): Promise<void> => dropIndexes(client, `${name}-*`);
