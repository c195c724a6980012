/** The mark that an index keeps about itself, in a separate index that is dropped together with it. */
import type { IndexMark, IndexSource, IndexState } from "../../../ports/index-source.js";
import { createIndex, type IndexDefinition } from "../connection/indexes.js";
import { mapFailure, SearchRefusal } from "../connection/map-error.js";
import type { SearchClient } from "../connection/search-client.js";
import { hasAll, partsOf } from "./index-set.js";

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

interface StoredMark extends IndexMark {
  /** Edition of the document, which a replacement must name. */
  readonly edition: { readonly if_seq_no: number; readonly if_primary_term: number };
}

interface MarkAnswer {
  readonly found?: boolean;
  readonly error?: { readonly type: string };
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly _source: IndexMark;
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
  return { ..._source, edition: { if_seq_no: _seq_no, if_primary_term: _primary_term } };
}

const NO_INDEX = "index_not_found_exception";
const UNAVAILABLE = 503;
const CONFLICT = 409;

/**
 * Marks that documents of a view may be in the index from now on: first in the store, then in the index itself. If the
 * mark of the index is unknown to the store, the index was made from a state that the store has lost: nothing may be
 * written then, because documents of lost changes would stay. The same holds if the mark is below what searches show:
 * the index has lost documents, which a rising mark would hide. A concurrent mark is not overwritten.
 *
 * @throws ForeignIndexError if the index does not belong to this state of the store
 */
export async function beginWriting(
  { source, client }: { readonly source: IndexSource; readonly client: SearchClient },
  name: string,
  upTo: number,
): Promise<void> {
  for (let refusedMark: number | undefined; ; ) {
    const mark = await readMark(client, name);
    if (mark === undefined) throw new ForeignIndexError(name);
    if (!(await source.noteBegun(name, upTo, mark))) {
      // Another writer may have completed a whole step between the two.
      if (mark.begun === refusedMark) throw new ForeignIndexError(name);
      refusedMark = mark.begun;
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
 * Makes the store forget each index that does not belong to this state of the store, and each that is no longer
 * complete: a part of it is missing, or OpenSearch was restored to an older state. @returns the names of these indexes
 */
export async function dropForeignIndexes({
  source,
  client,
}: {
  readonly source: IndexSource;
  readonly client: SearchClient;
}): Promise<readonly string[]> {
  const dropped: string[] = [];
  // Read before the indexes are examined: these only grow meanwhile.
  const { states, partsOf } = await readStates(source);
  for (const state of states) {
    const { name, applied } = state;
    const mark = await readMark(client, name);
    const isWhole = mark !== undefined && mark.begun >= applied && (await hasAll(client, name, partsOf(state)));
    if (await source.disown(name, isWhole ? mark : undefined)) dropped.push(name);
  }
  return dropped;
}

interface States {
  readonly states: readonly IndexState[];
  /** Returns the indexes that form one index for the store, after large loads. */
  partsOf(state: IndexState): readonly string[];
}

async function readStates(source: IndexSource): Promise<States> {
  const view = await source.openView();
  await view.close();
  const states = await source.states();
  return { states, partsOf: (state) => partsOf(state, (vocabulary) => view.generationOf(state.name, vocabulary)) };
}

/**
 * Error for an index whose documents do not belong to this state of the database, or are incomplete. Its message is for
 * the operator: the relay makes a new index.
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
