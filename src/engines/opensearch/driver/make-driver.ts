import type { Catalog } from "../../../core/catalog/types.js";
import type { IndexDriver } from "../../separate-index/driver/index-driver.js";
import { sendBulk } from "../connection/bulk.js";
import {
  countShards,
  createIndex,
  dropIndexes,
  extendMapping,
  type IndexDefinition,
  listIndexes,
  listIndexesWithSetting,
  refreshIndexes,
} from "../connection/indexes.js";
import { SearchRefusal } from "../connection/map-error.js";
import { openPoint, type SearchAnswer, searchAll } from "../connection/multi-search.js";
import type { SearchClient } from "../connection/search-client.js";
import { definitionOf } from "../documents/index-format.js";
import { numberPaths, type PathNumbers } from "../documents/path-numbers.js";
import { DELETES_KEPT, recordIndex, recordMapping } from "../documents/record-mapping.js";
import { termIndex } from "../documents/term-mapping.js";
import { createMark, readMark } from "./marks.js";
import { readRecordSums, readTermSums } from "./read-sums.js";

/** Makes the driver of OpenSearch. */
export function makeDriver(client: SearchClient, catalog: Catalog): IndexDriver<SearchAnswer> {
  const numbersOf = (made: Parameters<typeof definitionOf>[0]): PathNumbers =>
    numberPaths(catalog, definitionOf(made).paths);
  return {
    engineName: "OpenSearch",
    search: async (target, queries, timeoutMs) => {
      if (timeoutMs <= 0) throw new SearchRefusal(503, "task_cancelled_exception", "the search took too long");
      return searchAll(client, target, queries, timeoutMs);
    },
    openPoint: (index) => openPoint(client, index),
    recordSums: (target, rows) => readRecordSums(client, target, rows),
    termSums: (target, ids) => readTermSums(client, target, ids),
    write: (writes) => sendBulk(client, writes),
    refresh: (pattern) => refreshIndexes(client, [pattern]),
    createMark: (name, mark) => createMark(client, name, mark),
    readMark: (name) => readMark(client, name),
    createRecordIndex: async (index, shards, made) => {
      const definition = recordIndex({ catalog, numbers: numbersOf(made), shards, replicas: 0 });
      await createIndex(client, index, withCopies(definition, shards));
    },
    createTermIndex: async (index, shards, vocabulary) =>
      void (await createIndex(client, index, withCopies(termIndex(vocabulary), shards))),
    extendRecordIndex: (index, made) => extendMapping(client, index, recordMapping(catalog, numbersOf(made))),
    list: (prefix) => listIndexes(client, prefix),
    listOwn: (prefix) => listIndexesWithSetting(client, prefix, OWN_SETTING),
    countShards: (index) => countShards(client, index),
    drop: (pattern) => dropIndexes(client, pattern),
    close: () => client.close(),
  };
}

/** A setting that all indexes made here have, and indexes that OpenSearch creates automatically lack. */
const OWN_SETTING = { setting: "index.gc_deletes", value: DELETES_KEPT } as const;

/** One replica per shard if there is a node for it. */
const REPLICA_SETTING = { auto_expand_replicas: "0-1" };

function withCopies({ settings, mappings }: IndexDefinition, shards: number): IndexDefinition {
  return {
    settings: { ...settings, index: { ...(settings.index as object), number_of_shards: shards, ...REPLICA_SETTING } },
    mappings,
  };
}
