/** The items and records of a service, read from it as NDJSON, in two indexes of OpenSearch. */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { JsonObject } from "../../src/core/json.js";
import type { ItemShape } from "../../test/support/http-client.js";
import { ANALYSIS, KEYWORD, RECORD_MAPPINGS, recordDocument, TEXT, wordsOf } from "./record-documents.js";
import type { OpenSearch } from "./start-opensearch.js";

export const ITEMS = "items";
export const RECORDS = "records";

const ONE_SHARD = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: "-1", analysis: ANALYSIS };

const ITEM_INDEX = {
  settings: ONE_SHARD,
  mappings: {
    dynamic: false,
    _source: { excludes: ["words"] },
    properties: {
      title: {
        properties: {
          en: { type: "text", copy_to: ["typed"], fields: { order: { ...KEYWORD, normalizer: "folded" } } },
        },
      },
      created: { type: "date_nanos" },
      parent: { properties: { id: KEYWORD } },
      synonyms: { properties: { name: { type: "text", copy_to: ["typed"] } } },
      words: TEXT,
      typed: { type: "search_as_you_type" },
      props: { properties: { rank: KEYWORD } },
    },
  },
};

/** A document to index, with its id. */
interface IndexedDocument {
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/** An organism that requests are made from. */
export interface SampledItem {
  readonly id: string;
  readonly title: string;
}

/** Maximum number of sampled items. Above it, every second one is dropped. */
const SAMPLE_MAX = 100_000;

/** Fills both indexes, refreshes and merges them. @returns a sample of the items, spread over all */
export async function fillIndexes(server: OpenSearch, service: string): Promise<readonly SampledItem[]> {
  let sample: SampledItem[] = [];
  let step = 1;
  const see = (item: ItemShape, n: number): void => {
    if (n % step > 0 || item.title.en === undefined) return;
    // Other characters have a meaning in the query language of the service.
    if (!/^[A-Za-z0-9 ]+$/.test(item.title.en)) return;
    sample.push({ id: item.id, title: item.title.en });
    if (sample.length <= SAMPLE_MAX) return;
    sample = sample.filter((_, i) => i % 2 === 0);
    step *= 2;
  };
  await server.send("PUT", `/${ITEMS}`, JSON.stringify(ITEM_INDEX));
  await server.send("PUT", `/${RECORDS}`, JSON.stringify({ settings: ONE_SHARD, mappings: RECORD_MAPPINGS }));
  await fill(server, ITEMS, itemsOf(service, see));
  await fill(server, RECORDS, recordsOf(service));
  for (const index of [ITEMS, RECORDS]) {
    await server.send("POST", `/${index}/_refresh`);
    await server.send("POST", `/${index}/_forcemerge?max_num_segments=1`);
    await server.send("POST", `/${index}/_refresh`);
  }
  return sample;
}

async function* itemsOf(service: string, see: (item: ItemShape, n: number) => void): AsyncGenerator<IndexedDocument> {
  let n = 0;
  for await (const body of linesOf(`${service}/api/vocabularies/organisms?format=ndjson`)) {
    const item = JSON.parse(body) as ItemShape;
    see(item, n++);
    yield { id: item.id, body: `${body.slice(0, -1)},"words":${JSON.stringify(textsOf(item).map(wordsOf))}}` };
  }
}

/** Returns the texts in which the service searches a word: names, ids, status and properties. */
function textsOf({ id, title, synonyms = [], parent, status, props = {} }: ItemShape): readonly string[] {
  const names = [...Object.values(title), ...synonyms.map(({ name }) => name)];
  return [
    id,
    ...names,
    ...(parent === undefined ? [] : [parent.id]),
    status ?? "",
    ...Object.values(props).map(String),
  ];
}

/** All records of mst. */
export async function* recordsOf(service: string): AsyncGenerator<IndexedDocument> {
  const known = new Map<string, readonly string[]>();
  const withAncestors = async (id: string): Promise<readonly string[]> => {
    const found = known.get(id) ?? [id, ...(await ancestorsOf(service, id))];
    known.set(id, found);
    return found;
  };
  for await (const line of linesOf(`${service}/api/records/mst?format=ndjson`)) {
    const record = JSON.parse(line) as JsonObject & { readonly id: string; readonly metadata: JsonObject };
    yield { id: record.id, body: JSON.stringify(await recordDocument(record, withAncestors)) };
  }
}

async function ancestorsOf(service: string, id: string): Promise<readonly string[]> {
  const { ancestors = [] } = (await (await ask(`${service}/api/vocabularies/organisms/${id}`)).json()) as ItemShape;
  return ancestors.map((each) => each.id);
}

/** Yields the lines of an answer. */
export async function* linesOf(url: string): AsyncGenerator<string> {
  const input = Readable.fromWeb((await ask(url)).body as ReadableStream);
  try {
    yield* createInterface({ input });
  } finally {
    input.destroy();
  }
}

async function ask(url: string): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}.`);
  return answer;
}

/** Characters of one bulk. */
const BULK = 5_000_000;

interface BulkAnswer {
  readonly errors: boolean;
  readonly items: readonly { readonly index: { readonly error?: unknown } }[];
}

async function fill(server: OpenSearch, index: string, documents: AsyncIterable<IndexedDocument>): Promise<void> {
  let bulk = "";
  const send = async (): Promise<void> => {
    const { errors, items } = await server.send<BulkAnswer>("POST", `/${index}/_bulk`, bulk);
    const refused = errors ? items.find((item) => item.index.error !== undefined) : undefined;
    if (refused !== undefined) throw new Error(`OpenSearch refuses documents of ${index}: ${JSON.stringify(refused)}`);
    bulk = "";
  };
  for await (const { id, body } of documents) {
    bulk += `${JSON.stringify({ index: { _id: id } })}\n${body}\n`;
    if (bulk.length > BULK) await send();
  }
  if (bulk !== "") await send();
}
