import type { Catalog } from "../../../core/catalog/types.js";
import type { IndexMark } from "../../../ports/index-source.js";
import type {
  IndexDriver,
  KeyRange,
  RecordSum,
  SearchTarget,
  StoredMark,
  TermSum,
} from "../../separate-index/driver/index-driver.js";
import {
  countShards,
  createIndex,
  dropIndexes,
  extendMapping,
  type IndexDefinition,
  listIndexes,
  listIndexesWithSetting,
  refreshIndexes,
  sendBulk,
} from "../connection/indexes.js";
import { mapFailure, SearchRefusal } from "../connection/map-error.js";
import { type IndexAnswer, multiSearch, openPoint } from "../connection/multi-search.js";
import type { SearchClient } from "../connection/search-client.js";
import { numberPaths, type PathNumbers } from "../documents/index-fields.js";
import { readDefinition } from "../documents/index-format.js";
import { DELETES_KEPT, recordIndex, recordMapping } from "../documents/record-document.js";
import { termIndex } from "../documents/term-document.js";

/** Makes the driver of OpenSearch. */
export function makeDriver(client: SearchClient, catalog: Catalog): IndexDriver<IndexAnswer> {
  const readPathNumbers = (made: Parameters<typeof readDefinition>[0]): PathNumbers =>
    numberPaths(catalog, readDefinition(made).paths);
  return {
    engineName: "OpenSearch",
    search: async (target, queries, timeoutMs) => {
      if (timeoutMs <= 0) throw new SearchRefusal(503, "task_cancelled_exception", "the search took too long");
      return multiSearch(client, target, queries, timeoutMs);
    },
    openPoint: (index) => openPoint(client, index),
    recordSums: (target, rows) => readRecordSums(client, target, rows),
    termSums: (target, ids) => readTermSums(client, target, ids),
    write: (writes) => sendBulk(client, writes),
    refresh: (pattern) => refreshIndexes(client, [pattern]),
    createMark: (name, mark) => createMark(client, name, mark),
    readMark: (name) => readMark(client, name),
    createRecordIndex: async (index, shards, made) => {
      const definition = recordIndex({ catalog, numbers: readPathNumbers(made), shards, replicas: 0 });
      await createIndex(client, index, withCopies(definition, shards));
    },
    createTermIndex: async (index, shards, vocabulary) =>
      void (await createIndex(client, index, withCopies(termIndex(vocabulary), shards))),
    extendRecordIndex: (index, made) => extendMapping(client, index, recordMapping(catalog, readPathNumbers(made))),
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

/** Returns the name of the index with the mark that an index keeps about itself. Both are dropped together. */
const markIndexOf = (name: string): string => `${name}-mark`;
const MARK_ID = "mark";
const documentPath = (name: string): string => `/${markIndexOf(name)}/_doc/${MARK_ID}`;

/** The mark is only read by its id. */
const MARK_DEFINITION: IndexDefinition = {
  settings: { index: { number_of_shards: 1, auto_expand_replicas: "0-1" } },
  mappings: { enabled: false },
};

/** Creates the mark. @throws SearchRefusal if there already is a mark of this name */
async function createMark(client: SearchClient, name: string, mark: IndexMark): Promise<void> {
  await createIndex(client, markIndexOf(name), MARK_DEFINITION);
  await client.send({ method: "PUT", path: documentPath(name), query: { op_type: "create" }, body: mark });
}

interface MarkAnswer {
  readonly found?: boolean;
  readonly error?: { readonly type: string };
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly _source: IndexMark;
}

/** Edition of the document, which a replacement must name. */
interface Edition {
  readonly if_seq_no: number;
  readonly if_primary_term: number;
}

/** Reads the current mark, even if searches would not see it yet. @returns undefined if there is none */
async function readMark(client: SearchClient, name: string): Promise<StoredMark | undefined> {
  const body = { docs: [{ _index: markIndexOf(name), _id: MARK_ID }] };
  const { docs } = await client.send<{ readonly docs: readonly MarkAnswer[] }>({
    method: "GET",
    path: "/_mget",
    body,
  });
  const { found: isFound, error, _seq_no, _primary_term, _source } = docs[0]!;
  if (error !== undefined && error.type !== NO_INDEX) throw mapFailure(UNAVAILABLE, { error });
  if (isFound !== true) return undefined;
  const edition: Edition = { if_seq_no: _seq_no, if_primary_term: _primary_term };
  return { ..._source, replace: (mark) => replaceMark(client, name, edition, mark) };
}

const NO_INDEX = "index_not_found_exception";
const UNAVAILABLE = 503;
const CONFLICT = 409;

async function replaceMark(client: SearchClient, name: string, edition: Edition, mark: IndexMark): Promise<boolean> {
  try {
    await client.send({ method: "PUT", path: documentPath(name), query: { ...edition }, body: mark });
    return true;
  } catch (error) {
    if (!(error instanceof SearchRefusal && error.status === CONFLICT)) throw error;
    return false;
  }
}

/** Reads the digests of the documents of records in a range of rows. */
async function readRecordSums(
  client: SearchClient,
  target: SearchTarget,
  rows: KeyRange<number>,
): Promise<readonly RecordSum[]> {
  const read = await readIn(client, target, { row: between(rows) }, ["id", "state", "sum"], 2);
  return read.map(([id = "", state = "", sum = ""]) => ({ id, state, sum }));
}

/** Reads the digests and regions of the documents of terms in a range of ids. */
async function readTermSums(
  client: SearchClient,
  target: SearchTarget,
  ids: KeyRange<string>,
): Promise<readonly TermSum[]> {
  const read = await readIn(client, target, { id: between(ids) }, ["id", "sum", "region"], 1);
  return read.map(([id = "", sum = "", region]) => ({ id, sum, region }));
}

const between = ({ after, upTo }: KeyRange<unknown>): object => ({
  gt: after,
  lte: upTo,
});

/** Documents read in one search; an index may have more documents in a range than the store has rows. */
const DOCUMENTS_AT_ONCE = 2_000;

/** Time limit of one search. */
const TIMEOUT_MS = 60_000;

/** Reads some fields of all documents in a range; the first `keys` of them identify a document. */
async function readIn(
  client: SearchClient,
  target: SearchTarget,
  range: Readonly<Record<string, object>>,
  names: readonly string[],
  keys: number,
): Promise<readonly (readonly (string | undefined)[])[]> {
  const documents: (readonly (string | undefined)[])[] = [];
  const sort = names.slice(0, keys).map((key) => ({ [key]: "asc" }));
  for (let after: readonly unknown[] | undefined = []; after !== undefined; ) {
    const search: Readonly<Record<string, unknown>> = {
      _source: false,
      track_total_hits: false,
      size: DOCUMENTS_AT_ONCE,
      query: { range },
      sort,
      docvalue_fields: names,
      search_after: after.length === 0 ? undefined : after,
    };
    const [answer]: readonly IndexAnswer[] = await multiSearch(client, target, [search], TIMEOUT_MS);
    const hits = answer?.hits.hits ?? [];
    for (const { fields = {} } of hits) documents.push(names.map((name) => fields[name]?.[0]));
    after = hits.length < DOCUMENTS_AT_ONCE ? undefined : hits.at(-1)?.sort;
  }
  return documents;
}
