import { addAll } from "../../../core/arrays.js";
import { reasonOf, SearchRefusal, unavailable } from "./map-error.js";
import type { SearchClient } from "./search-client.js";

/** A document to write, or to remove; `version`: a document with a greater one stays as it is. */
export type BulkAction = BulkPlace & ({ readonly document: string } | { readonly removed: true });

interface BulkPlace {
  readonly index: string;
  readonly id: string;
  readonly version: number;
}

/** A document that the index refuses for itself, whatever is tried. */
interface RefusedDocument {
  readonly index: string;
  readonly id: string;
  readonly reason: string;
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

/** Replays are harmless: what is there already has the same version. */
const VERSION_CONFLICT = 409;
const BAD_REQUEST = 400;
/** A request is larger than OpenSearch reads. */
const TOO_LONG = 413;

/**
 * A request has so many characters, or a single document that has more: OpenSearch refuses one that is too long as a
 * whole (`http.max_content_length`, 100 MB), and documents are several times as large as records of megabytes.
 */
const REQUEST_LENGTH_MAX = 4 * 1024 * 1024;

/**
 * Writes and removes documents, which are made one after the other as they are sent.
 * @returns those that were refused for themselves
 * @throws BinderyError SEARCH_UNAVAILABLE if any document was not written for another reason
 */
export async function sendBulk(
  client: SearchClient,
  actions: Iterable<BulkAction>,
): Promise<readonly RefusedDocument[]> {
  const refused: RefusedDocument[] = [];
  for (const request of requestsOf(actions)) addAll(refused, await sendRequest(client, request));
  return refused;
}

interface BulkRequest {
  readonly body: string;
  /** Its document, if it has only one. */
  readonly only?: BulkPlace;
}

/** Each action is a line, and a document the one after it. */
function* requestsOf(actions: Iterable<BulkAction>): Generator<BulkRequest> {
  let request: BulkRequest = { body: "" };
  for (const action of actions) {
    const lines = linesOf(action);
    if (request.body === "") request = { body: lines, only: action };
    else if (request.body.length + lines.length <= REQUEST_LENGTH_MAX) request = { body: request.body + lines };
    else {
      yield request;
      request = { body: lines, only: action };
    }
  }
  if (request.body !== "") yield request;
}

function linesOf(action: BulkAction): string {
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
  for (const item of answer.items.map((each) => Object.values(each)[0]!)) {
    const { status, error } = item;
    // What is to be removed and is not there is no error; an index that is not there is one.
    if (error === undefined || status === VERSION_CONFLICT) continue;
    const reason = `${error.reason}${error.caused_by?.reason === undefined ? "" : `: ${error.caused_by.reason}`}`;
    if (status !== BAD_REQUEST)
      throw unavailable(reasonOf(error) ?? `the search engine did not take a document (${error.type})`);
    refused.push({ index: item._index, id: item._id, reason });
  }
  return refused;
}
