import { Agent } from "node:http";
import { makeClient } from "../../test/support/http-client.js";
import { recordsOf } from "../first/fill-index.js";
import { RECORD_MAPPINGS } from "../first/record-documents.js";
import type { OpenSearch } from "../first/start-opensearch.js";
import { type Figures, measureCalls } from "../measure.js";

const INDEX = "deposits";

/** Other ones are the same again, under another id. */
const DOCUMENTS = 64;

export interface RawDeposits {
  /** @param refresh `wait_for`: each is answered when searches find it, and by default when it is on the disk */
  measure(callers: number, seconds: number, refresh: "false" | "wait_for"): Promise<Figures>;
}

/**
 * What a deposit is where OpenSearch is asked directly: a request that indexes a document, here one whose terms are
 * filled in and that nobody validates. The index is refreshed every second, as by default.
 *
 * @param service whose records they are
 */
export async function prepareRawDeposits(search: OpenSearch, service: string): Promise<RawDeposits> {
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: "1s" };
  await search.send("PUT", `/${INDEX}`, JSON.stringify({ settings, mappings: RECORD_MAPPINGS }));
  const documents: unknown[] = [];
  for await (const { body } of recordsOf(service)) {
    documents.push(JSON.parse(body));
    if (documents.length === DOCUMENTS) break;
  }
  const client = makeClient(() => search.url, new Agent({ keepAlive: true, maxSockets: 64 }));
  return {
    measure: (callers, seconds, refresh) =>
      measureCalls(callers, { seconds }, async (n) => {
        const path = `/${INDEX}/_doc?refresh=${refresh}`;
        const { status, text, millis } = await client.post(path, documents[n % documents.length]);
        if (status !== 201) throw new Error(`OpenSearch answers ${status} to ${path}: ${text}`);
        return millis;
      }),
  };
}
