/** The mark that an index keeps about itself, in an OpenSearch index that is dropped together with it. */
import type { IndexMark } from "../../../ports/index-source.js";
import type { StoredMark } from "../../separate-index/driver/index-driver.js";
import { createIndex, type IndexDefinition } from "../connection/indexes.js";
import { mapFailure, SearchRefusal } from "../connection/map-error.js";
import type { SearchClient } from "../connection/search-client.js";

const markIndexOf = (name: string): string => `${name}-mark`;
const ID = "mark";
const documentPath = (name: string): string => `/${markIndexOf(name)}/_doc/${ID}`;

/** The mark is only read by its id. */
const DEFINITION: IndexDefinition = {
  settings: { index: { number_of_shards: 1, auto_expand_replicas: "0-1" } },
  mappings: { enabled: false },
};

/** Creates the mark. @throws SearchRefusal if there already is a mark of this name */
export async function createMark(client: SearchClient, name: string, mark: IndexMark): Promise<void> {
  await createIndex(client, markIndexOf(name), DEFINITION);
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
export async function readMark(client: SearchClient, name: string): Promise<StoredMark | undefined> {
  const body = { docs: [{ _index: markIndexOf(name), _id: ID }] };
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
