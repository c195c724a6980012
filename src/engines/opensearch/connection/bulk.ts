import { unavailable } from "./map-error.js";
import type { SearchClient } from "./search-client.js";

/** A document to write, or to remove; `version`: a document with a greater one stays as it is. */
export type BulkAction = BulkPlace & ({ readonly document: string } | { readonly removed: true });

interface BulkPlace {
  readonly index: string;
  readonly id: string;
  readonly version: number;
}

/** A document that the index refuses for itself, whatever is tried. */
export interface RefusedDocument {
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
const NOT_FOUND = 404;
const BAD_REQUEST = 400;

/**
 * Writes and removes documents in one request.
 * @returns those that were refused for themselves
 * @throws BinderyError SEARCH_UNAVAILABLE if any document was not written for another reason
 */
export async function sendBulk(
  client: SearchClient,
  actions: readonly BulkAction[],
): Promise<readonly RefusedDocument[]> {
  if (actions.length === 0) return [];
  const answer = await client.send<BulkAnswer>({ method: "POST", path: "/_bulk", body: bulkLines(actions) });
  if (!answer.errors) return [];
  const refused: RefusedDocument[] = [];
  for (const item of answer.items.map((each) => Object.values(each)[0]!)) {
    const { status, error } = item;
    if (error === undefined || status === VERSION_CONFLICT || status === NOT_FOUND) continue;
    const reason = `${error.reason}${error.caused_by?.reason === undefined ? "" : `: ${error.caused_by.reason}`}`;
    if (status !== BAD_REQUEST) throw unavailable(`the search engine did not take a document (${error.type})`);
    refused.push({ index: item._index, id: item._id, reason });
  }
  return refused;
}

/** Each action is a line, and a document the one after it. */
function bulkLines(actions: readonly BulkAction[]): string {
  const lines = actions.map((action) => {
    const place = { _index: action.index, _id: action.id, version: action.version, version_type: "external_gte" };
    return "document" in action
      ? `${JSON.stringify({ index: place })}\n${action.document}\n`
      : `${JSON.stringify({ delete: place })}\n`;
  });
  return lines.join("");
}
