/** The items and records of a service, read from it as NDJSON, in two indexes of OpenSearch. */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { Json, JsonObject } from "../../src/core/json.js";
import type { OpenSearch } from "./start-opensearch.js";

export const ITEMS = "items";
export const RECORDS = "records";

const ONE_SHARD = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: "-1" };

/** Words as the generated data have them: nothing is stemmed, by the service neither. */
const TEXT = { type: "text", analyzer: "standard" };
const KEYWORD = { type: "keyword" };
const STORED = { type: "object", enabled: false };

const ITEM_INDEX = {
  settings: { ...ONE_SHARD, analysis: { normalizer: { folded: { type: "custom", filter: ["lowercase"] } } } },
  mappings: {
    dynamic: false,
    properties: {
      title: {
        properties: {
          en: { ...TEXT, copy_to: "typed", fields: { order: { ...KEYWORD, normalizer: "folded" } } },
        },
      },
      synonyms: { properties: { name: { ...TEXT, copy_to: "typed" } } },
      typed: { type: "search_as_you_type" },
      props: { properties: { rank: KEYWORD } },
    },
  },
};

/** The record is kept as it is; what is searched stands beside it. */
const RECORD_INDEX = {
  settings: ONE_SHARD,
  mappings: {
    dynamic: false,
    _source: { excludes: ["text", "title", "instrument", "result_type", "grant"] },
    properties: {
      record: STORED,
      created: { type: "date_nanos" },
      text: TEXT,
      title: TEXT,
      ...{ instrument: KEYWORD, result_type: KEYWORD, grant: KEYWORD },
    },
  },
};

/** Fills both indexes, refreshes and merges them. */
export async function fillIndexes(server: OpenSearch, service: string): Promise<void> {
  await server.send("PUT", `/${ITEMS}`, JSON.stringify(ITEM_INDEX));
  await server.send("PUT", `/${RECORDS}`, JSON.stringify(RECORD_INDEX));
  const asIs = (line: string): [string, string] => [(JSON.parse(line) as { id: string }).id, line];
  await fill(server, ITEMS, `${service}/api/vocabularies/organisms?format=ndjson`, asIs);
  await fill(server, RECORDS, `${service}/api/records/mst?format=ndjson`, documentOf);
  for (const index of [ITEMS, RECORDS]) {
    await server.send("POST", `/${index}/_refresh`);
    await server.send("POST", `/${index}/_forcemerge?max_num_segments=1`);
    await server.send("POST", `/${index}/_refresh`);
  }
}

interface StoredRecord {
  readonly id: string;
  readonly created: string;
  readonly metadata: {
    readonly general_parameters: {
      readonly record_information: { readonly title: string };
      readonly instrument: { readonly id: string };
      readonly results: readonly { readonly type: string }[];
      readonly funding_references: readonly { readonly id: string }[];
    };
  };
}

/** The id and the body of what is indexed. */
function documentOf(line: string): [string, string] {
  const record = JSON.parse(line) as StoredRecord;
  const { record_information, instrument, results, funding_references } = record.metadata.general_parameters;
  const body = {
    record,
    created: record.created,
    // One value for each text, as they are apart in the service too: no phrase reaches from one into the next.
    text: textsOf(record.metadata as unknown as JsonObject),
    title: record_information.title,
    instrument: instrument.id,
    result_type: results.map(({ type }) => type),
    grant: funding_references.map(({ id }) => id),
  };
  return [record.id, JSON.stringify(body)];
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Characters of one bulk. */
const BULK = 5_000_000;

async function fill(
  server: OpenSearch,
  index: string,
  source: string,
  read: (line: string) => [id: string, body: string],
): Promise<void> {
  const answer = await fetch(source);
  if (!answer.ok) throw new Error(`${source} was answered ${answer.status}.`);
  let bulk = "";
  const send = async (): Promise<void> => {
    const { errors } = await server.send<{ errors: boolean }>("POST", `/${index}/_bulk`, bulk);
    if (errors) throw new Error(`OpenSearch refuses some of ${source}.`);
    bulk = "";
  };
  for await (const line of createInterface({ input: Readable.fromWeb(answer.body as ReadableStream) })) {
    const [id, body] = read(line);
    bulk += `${JSON.stringify({ index: { _id: id } })}\n${body}\n`;
    if (bulk.length > BULK) await send();
  }
  if (bulk !== "") await send();
}
