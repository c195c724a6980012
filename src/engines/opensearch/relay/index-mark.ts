/** What an index says of itself: in an index beside it, which is removed with it. */
import type { IndexMark, IndexSource } from "../../../ports/index-source.js";
import { createIndex, type IndexDefinition } from "../connection/indexes.js";
import { mapFailure, SearchRefusal } from "../connection/map-error.js";
import type { SearchClient } from "../connection/search-client.js";

const markIndexOf = (name: string): string => `${name}-mark`;
const ID = "mark";
const documentPath = (name: string): string => `/${markIndexOf(name)}/_doc/${ID}`;

/** It is read by its id alone. */
const DEFINITION: IndexDefinition = {
  settings: { index: { number_of_shards: 1, auto_expand_replicas: "0-1" } },
  mappings: { enabled: false },
};

/** @throws SearchRefusal: somebody has made one of this name */
export async function createMark(client: SearchClient, name: string, mark: IndexMark): Promise<void> {
  await createIndex(client, markIndexOf(name), DEFINITION);
  await client.send({ method: "PUT", path: documentPath(name), query: { op_type: "create" }, body: mark });
}

interface FoundMark extends IndexMark {
  /** Of the document: whoever replaces it says which one that was. */
  readonly edition: { readonly if_seq_no: number; readonly if_primary_term: number };
}

interface MarkAnswer {
  readonly found?: boolean;
  readonly error?: { readonly type: string };
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly _source: IndexMark;
}

/** As it is now, whether or not searches would see it. @returns undefined: there is none */
export async function readMark(client: SearchClient, name: string): Promise<FoundMark | undefined> {
  const body = { docs: [{ _index: markIndexOf(name), _id: ID }] };
  const { docs } = await client.send<{ readonly docs: readonly MarkAnswer[] }>({
    ...{ method: "GET", path: "/_mget", body },
  });
  const { found, error, _seq_no, _primary_term, _source } = docs[0]!;
  if (error !== undefined && error.type !== NO_INDEX) throw mapFailure(UNAVAILABLE, { error });
  if (found !== true) return undefined;
  return { ..._source, edition: { if_seq_no: _seq_no, if_primary_term: _primary_term } };
}

const NO_INDEX = "index_not_found_exception";
const UNAVAILABLE = 503;
const CONFLICT = 409;

/**
 * Notes that documents of a view may be in the index from now on: in the store first, and then in the index itself.
 * Where the index has a mark that the store does not know, it was made of a state that the store has lost: then nothing
 * may be written, for documents of lost changes would stay beside it. A mark that comes between is not overwritten.
 *
 * @throws Error: the index is none of this state of the store
 */
export async function beginWriting(
  { source, client }: { readonly source: IndexSource; readonly client: SearchClient },
  name: string,
  upTo: number,
): Promise<void> {
  for (;;) {
    const mark = await readMark(client, name);
    if (mark === undefined || !(await source.noteBegun(name, upTo, mark))) throw new ForeignIndexError(name);
    if (mark.begun >= upTo) return;
    const { epoch, edition } = mark;
    const body: IndexMark = { epoch, begun: upTo };
    try {
      await client.send({ method: "PUT", path: documentPath(name), query: edition, body });
      return;
    } catch (error) {
      if (!(error instanceof SearchRefusal && error.status === CONFLICT)) throw error;
    }
  }
}

/** Has the store forget each index that was not made of this state of it. @returns the names of those */
export async function disownForeign({
  source,
  client,
}: {
  readonly source: IndexSource;
  readonly client: SearchClient;
}): Promise<readonly string[]> {
  const disowned: string[] = [];
  for (const { name } of await source.states()) {
    if (await source.disown(name, await readMark(client, name))) disowned.push(name);
  }
  return disowned;
}

/** Documents of an index are not those of this state of the database. */
export class ForeignIndexError extends Error {
  override readonly name = "ForeignIndexError";
  constructor(index: string) {
    super(
      `The search index ${index} is missing, or it was made of a state of the database that is lost, because the ` +
        "database was put back to an older one. It is not asked any more, and another one is made.",
    );
  }
}
