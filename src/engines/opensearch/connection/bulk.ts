import { addAll } from "../../../core/collections.js";
import type { DocumentPlace, DocumentWrite, RefusedDocument } from "../../separate-index/driver/index-driver.js";
import { knownReason, SearchRefusal, unavailable } from "./map-error.js";
import type { SearchClient } from "./search-client.js";

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
