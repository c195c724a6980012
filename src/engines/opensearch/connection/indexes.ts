/** Operations on whole indexes. */

import { addAll } from "../../../core/collections.js";
import type { DocumentPlace, DocumentWrite, RefusedDocument } from "../../separate-index/driver/index-driver.js";
import { knownReason, SearchRefusal, unavailable } from "./map-error.js";
import type { SearchClient } from "./search-client.js";

/** Settings and mappings of an index. */
export interface IndexDefinition {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly mappings: Readonly<Record<string, unknown>>;
}

/** Creates an index. @returns false if the name is in use */
export async function createIndex(client: SearchClient, name: string, definition: IndexDefinition): Promise<boolean> {
  try {
    await client.send({ method: "PUT", path: `/${name}`, body: definition });
    return true;
  } catch (error) {
    if (error instanceof SearchRefusal && error.type === "resource_already_exists_exception") return false;
    throw error;
  }
}

/** Adds fields to an index. Existing fields must be the same. */
export async function extendMapping(
  client: SearchClient,
  name: string,
  mappings: IndexDefinition["mappings"],
): Promise<void> {
  await client.send({ method: "PUT", path: `/${name}/_mapping`, body: mappings });
}

/** Drops indexes; missing ones are not an error. @param pattern a name, or a prefix with `*` */
export async function dropIndexes(client: SearchClient, pattern: string): Promise<void> {
  await client.send({ method: "DELETE", path: `/${pattern}`, query: { ignore_unavailable: true } });
}

/** Returns the names of indexes with a prefix. */
export async function listIndexes(client: SearchClient, prefix: string): Promise<readonly string[]> {
  const settingsByIndex = await client.send<Record<string, unknown>>({
    method: "GET",
    path: `/${prefix}*/_settings/index.uuid`,
    query: { expand_wildcards: "open" },
  });
  return Object.keys(settingsByIndex);
}

/** Returns the names of indexes with a prefix and the value of a setting. */
export async function listIndexesWithSetting(
  client: SearchClient,
  prefix: string,
  { setting, value }: { readonly setting: string; readonly value: string },
): Promise<readonly string[]> {
  const settingsByIndex = await client.send<
    Readonly<Record<string, { readonly settings: Readonly<Record<string, unknown>> }>>
  >({
    method: "GET",
    path: `/${prefix}*/_settings/${setting}`,
    query: { flat_settings: true },
  });
  return Object.keys(settingsByIndex).filter((name) => settingsByIndex[name]?.settings[setting] === value);
}

/** Returns the number of shards of an index; undefined if there is no such index. */
export async function countShards(client: SearchClient, name: string): Promise<number | undefined> {
  const settingsByIndex = await client.send<Readonly<Record<string, { readonly settings: IndexSettings }>>>({
    method: "GET",
    path: `/${name}/_settings`,
    query: { ignore_unavailable: true },
  });
  const shards = settingsByIndex[name]?.settings.index.number_of_shards;
  return shards === undefined ? undefined : Number(shards);
}

interface IndexSettings {
  readonly index: { readonly number_of_shards: string };
}

interface RefreshAnswer {
  readonly _shards: { readonly total: number; readonly successful: number; readonly failed: number };
}

/**
 * Makes earlier writes visible to searches.
 * @throws BinderyError SEARCH_UNAVAILABLE if a copy of a shard that answers searches was not refreshed
 */
export async function refreshIndexes(client: SearchClient, names: readonly string[]): Promise<void> {
  const path = `/${names.join(",")}/_refresh`;
  const { _shards } = await client.send<RefreshAnswer>({ method: "POST", path });
  if (_shards.failed > 0) throw unavailable("a part of its index could not be refreshed");
}

interface BulkAnswer {
  readonly errors: boolean;
  readonly items: readonly Readonly<Record<string, BulkItem>>[];
}

interface BulkItem {
  readonly _index: string;
  readonly _id: string;
  readonly status: number;
  readonly error?: {
    readonly type: string;
    readonly reason: string;
    readonly caused_by?: { readonly reason?: string };
  };
}

/** Repeated writes are harmless: the existing document has the same version. */
const VERSION_CONFLICT = 409;
const BAD_REQUEST = 400;
/** The request is larger than OpenSearch accepts. */
const TOO_LONG = 413;

/**
 * Maximum number of characters of a request with several documents. OpenSearch refuses a whole request that is too long
 * (`http.max_content_length`, 100 MB), and documents are several times as large as records of megabytes.
 */
const REQUEST_LENGTH_MAX = 4 * 1024 * 1024;

/**
 * Writes and removes documents, which are made one after the other while they are sent.
 * @returns the documents that the index refuses
 * @throws BinderyError SEARCH_UNAVAILABLE if any document was not written for another reason
 */
export async function sendBulk(
  client: SearchClient,
  actions: Iterable<DocumentWrite>,
): Promise<readonly RefusedDocument[]> {
  const refused: RefusedDocument[] = [];
  for (const request of makeRequests(actions)) addAll(refused, await sendRequest(client, request));
  return refused;
}

interface BulkRequest {
  readonly body: string;
  /** Set if the request has only one document. */
  readonly only?: DocumentPlace;
}

/** Yields requests, in which each action is a line, followed by the line of its document. */
function* makeRequests(actions: Iterable<DocumentWrite>): Generator<BulkRequest> {
  let request: BulkRequest = { body: "" };
  for (const action of actions) {
    const lines = actionLines(action);
    if (request.body === "") request = { body: lines, only: action };
    else if (request.body.length + lines.length <= REQUEST_LENGTH_MAX) request = { body: request.body + lines };
    else {
      yield request;
      request = { body: lines, only: action };
    }
  }
  if (request.body !== "") yield request;
}

function actionLines(action: DocumentWrite): string {
  const place = { _index: action.index, _id: action.id, version: action.version, version_type: "external_gte" };
  return "document" in action
    ? `${JSON.stringify({ index: place })}\n${action.document}\n`
    : `${JSON.stringify({ delete: place })}\n`;
}

async function sendRequest(client: SearchClient, { body, only }: BulkRequest): Promise<readonly RefusedDocument[]> {
  let answer: BulkAnswer;
  try {
    answer = await client.send<BulkAnswer>({ method: "POST", path: "/_bulk", body });
  } catch (error) {
    const isTooLong = error instanceof SearchRefusal && error.status === TOO_LONG;
    if (!isTooLong || only === undefined) throw error;
    return [{ index: only.index, id: only.id, reason: "it is longer than OpenSearch takes" }];
  }
  if (!answer.errors) return [];
  const refused: RefusedDocument[] = [];
  for (const item of answer.items.map((itemByAction) => Object.values(itemByAction)[0]!)) {
    const { status, error } = item;
    // Removing a missing document is not an error; a missing index is.
    if (error === undefined || status === VERSION_CONFLICT) continue;
    const reason = `${error.reason}${error.caused_by?.reason === undefined ? "" : `: ${error.caused_by.reason}`}`;
    if (status !== BAD_REQUEST)
      throw unavailable(knownReason(error) ?? `the search engine did not take a document (${error.type})`);
    refused.push({ index: item._index, id: item._id, reason });
  }
  return refused;
}
