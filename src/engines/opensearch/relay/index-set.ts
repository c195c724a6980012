/** The indexes that are one index for the store: that of records, and one for each vocabulary. */
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
  indexesWithSetting,
} from "../connection/indexes.js";
import type { SearchClient } from "../connection/search-client.js";
import { numberPaths, type PathNumbers } from "../documents/path-numbers.js";
import { DELETES_KEPT, RECORD_DOCUMENT_VERSION, recordIndex, recordMapping } from "../documents/record-mapping.js";
import { termDocumentsSignature, termIndex } from "../documents/term-mapping.js";

export const recordsIndexOf = (name: string): string => `${name}-records`;
/** @param generation see `SourceView.generationOf` */
export const termsIndexOf = (name: string, vocabulary: string, generation: number): string =>
  `${name}-terms-${vocabulary}${generation === 0 ? "" : `-${generation}`}`;

/** What an index was made with: with something else its documents would be others. */
export interface Made {
  readonly analysis: number;
  readonly document: number;
  /** What records are indexed by beside their bodies. */
  readonly facets: Json;
  /** By their numbers, from 1. */
  readonly paths: readonly string[];
  /** By name of the vocabulary. */
  readonly terms: Readonly<Record<string, string>>;
}

export const madeOf = ({ made }: Pick<IndexState, "made">): Made => made as unknown as Made;

/** What an index is made with by this catalog. @param known paths that have numbers already */
export function madeBy(catalog: Catalog, known: readonly string[] = []): Made {
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

/** Are the documents of an index those that would be made now, but for paths and vocabularies that it lacks? */
export function isUsable(made: Made, catalog: Catalog): boolean {
  const { paths, terms, ...now } = madeBy(catalog, made.paths);
  const { paths: _, terms: madeTerms, ...was } = made;
  const isSame = Object.entries(terms).every(([name, signature]) => [signature, undefined].includes(madeTerms[name]));
  return isSame && isDeepStrictEqual(was, now);
}

export interface IndexSetOptions {
  readonly client: SearchClient;
  readonly catalog: Catalog;
  readonly shards: number;
}

/** One copy beside each shard where there is a node for it. */
const COPIES = { auto_expand_replicas: "0-1" };

/** Makes the indexes of a name; those that are there stay. */
export async function createIndexSet(
  { client, catalog, shards }: IndexSetOptions,
  name: string,
  numbers: PathNumbers,
): Promise<void> {
  const records = withCopies(recordIndex({ catalog, numbers, shards, replicas: 0 }), shards);
  // Together, so that the cluster changes its state once and not each time.
  await Promise.all([
    createIndex(client, recordsIndexOf(name), records),
    ...[...catalog.vocabularies.values()].map((vocabulary) =>
      createTermsIndex({ client, shards }, termsIndexOf(name, vocabulary.name, 0), vocabulary),
    ),
  ]);
}

/** Makes the index of a generation; one that is there stays. */
export const createTermsIndex = (
  { client, shards }: Pick<IndexSetOptions, "client" | "shards">,
  name: string,
  vocabulary: Vocabulary,
): Promise<boolean> => createIndex(client, name, withCopies(termIndex(vocabulary), shards));

function withCopies({ settings, mappings }: IndexDefinition, shards: number): IndexDefinition {
  return {
    settings: { ...settings, index: { ...(settings.index as object), number_of_shards: shards, ...COPIES } },
    mappings,
  };
}

/** Has the indexes take what a catalog declares beside what they were made with. */
export async function extendIndexSet(options: IndexSetOptions, name: string, numbers: PathNumbers): Promise<void> {
  await extendMapping(options.client, recordsIndexOf(name), recordMapping(options.catalog, numbers));
  await createIndexSet(options, name, numbers);
}

/** Names of all that belong to an index. @param generationOf see `SourceView.generationOf` */
export const partsOf = (
  state: Pick<IndexState, "name" | "made">,
  generationOf: (vocabulary: string) => number,
): readonly string[] => [
  recordsIndexOf(state.name),
  ...Object.keys(madeOf(state).terms).map((name) => termsIndexOf(state.name, name, generationOf(name))),
];

/** What every index that was made here has, and none that OpenSearch makes by itself. */
const OURS = { setting: "index.gc_deletes", value: DELETES_KEPT } as const;

/**
 * Are all parts of an index there, as they were made here? A document that is sent to one that is missing makes
 * OpenSearch create it, and in that one words and numbers are found otherwise.
 */
export async function hasAll(client: SearchClient, name: string, parts: readonly string[]): Promise<boolean> {
  const ours = new Set(await indexesWithSetting(client, `${name}-`, OURS));
  return parts.every((part) => ours.has(part));
}

export const dropIndexSet = (client: SearchClient, name: string): Promise<void> => dropIndexes(client, `${name}-*`);
