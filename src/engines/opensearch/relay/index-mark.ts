/** What an index says of itself: in an index beside it, which is removed with it. */
import type { IndexMark, IndexSource, IndexState } from "../../../ports/index-source.js";
import { createIndex, type IndexDefinition } from "../connection/indexes.js";
import { mapFailure, SearchRefusal } from "../connection/map-error.js";
import type { SearchClient } from "../connection/search-client.js";
import { hasAll, partsOf } from "./index-set.js";

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
 * may be written, for documents of lost changes would stay beside it. Nor where the mark is below what searches show:
 * then the index has lost documents, and a mark that rises would hide it. A mark that comes between is not overwritten.
 *
 * @throws ForeignIndexError: the index is none of this state of the store
 */
export async function beginWriting(
  { source, client }: { readonly source: IndexSource; readonly client: SearchClient },
  name: string,
  upTo: number,
): Promise<void> {
  for (let refused: number | undefined; ; ) {
    const mark = await readMark(client, name);
    if (mark === undefined) throw new ForeignIndexError(name);
    if (!(await source.noteBegun(name, upTo, mark))) {
      // Between the two another writer may have gone a whole step on.
      if (mark.begun === refused) throw new ForeignIndexError(name);
      refused = mark.begun;
      continue;
    }
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

/**
 * Has the store forget each index that was not made of this state of it, and each that is not whole any more: a part of
 * it is missing, or OpenSearch was put back to an older state. @returns the names of those
 */
export async function disownForeign({
  source,
  client,
}: {
  readonly source: IndexSource;
  readonly client: SearchClient;
}): Promise<readonly string[]> {
  const disowned: string[] = [];
  // Read before the indexes are looked at: these only have more by then.
  const { states, partsOf } = await statesNow(source);
  for (const state of states) {
    const { name, applied } = state;
    const mark = await readMark(client, name);
    const isWhole = mark !== undefined && mark.begun >= applied && (await hasAll(client, name, partsOf(state)));
    if (await source.disown(name, isWhole ? mark : undefined)) disowned.push(name);
  }
  return disowned;
}

interface States {
  readonly states: readonly IndexState[];
  /** The indexes that are one index for the store, as large loads have left them. */
  partsOf(state: IndexState): readonly string[];
}

async function statesNow(source: IndexSource): Promise<States> {
  const view = await source.openView();
  await view.close();
  const states = await source.states();
  return { states, partsOf: (state) => partsOf(state, (vocabulary) => view.generationOf(state.name, vocabulary)) };
}

/**
 * Documents of an index are not those of this state of the database, or not all of them. What is told of it is for the
 * operator: the index is made anew by whoever feeds it.
 */
export class ForeignIndexError extends Error {
  override readonly name = "ForeignIndexError";
  constructor(index: string) {
    super(
      `The search index ${index} or a part of it is missing, or either the database or OpenSearch was put back to an ` +
        "older state than the other one. It is not asked any more, and another one is made.",
    );
  }
}
