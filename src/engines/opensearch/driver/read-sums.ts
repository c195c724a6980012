/** Reads the digests of documents, which `verify` compares. */
import type { KeyRange, RecordSum, SearchTarget, TermSum } from "../../separate-index/driver/index-driver.js";
import { type SearchAnswer, searchAll } from "../connection/multi-search.js";
import type { SearchClient } from "../connection/search-client.js";

/** Reads the digests of the documents of records in a range of rows. */
export async function readRecordSums(
  client: SearchClient,
  target: SearchTarget,
  rows: KeyRange<number>,
): Promise<readonly RecordSum[]> {
  const read = await readIn(client, target, { row: between(rows) }, ["id", "state", "sum"], 2);
  return read.map(([id = "", state = "", sum = ""]) => ({ id, state, sum }));
}

/** Reads the digests and regions of the documents of terms in a range of ids. */
export async function readTermSums(
  client: SearchClient,
  target: SearchTarget,
  ids: KeyRange<string>,
): Promise<readonly TermSum[]> {
  const read = await readIn(client, target, { id: between(ids) }, ["id", "sum", "region"], 1);
  return read.map(([id = "", sum = "", region]) => ({ id, sum, region }));
}

const between = ({ after, upTo }: KeyRange<unknown>): object => ({
  gt: after,
  ...(upTo === undefined ? {} : { lte: upTo }),
});

/** Documents read in one search; an index may have more documents in a range than the store has rows. */
const DOCUMENTS_AT_ONCE = 2_000;

/** Time limit of one search. */
const TIMEOUT_MS = 60_000;

/** Reads some fields of all documents in a range; the first `keys` of them identify a document. */
async function readIn(
  client: SearchClient,
  target: SearchTarget,
  range: Readonly<Record<string, object>>,
  names: readonly string[],
  keys: number,
): Promise<readonly (readonly (string | undefined)[])[]> {
  const documents: (readonly (string | undefined)[])[] = [];
  const sort = names.slice(0, keys).map((key) => ({ [key]: "asc" }));
  for (let after: readonly unknown[] | undefined = []; after !== undefined; ) {
    const search: Readonly<Record<string, unknown>> = {
      _source: false,
      track_total_hits: false,
      size: DOCUMENTS_AT_ONCE,
      query: { range },
      sort,
      docvalue_fields: names,
      ...(after.length === 0 ? {} : { search_after: after }),
    };
    const [answer]: readonly SearchAnswer[] = await searchAll(client, target, [search], TIMEOUT_MS);
    const hits = answer?.hits.hits ?? [];
    for (const { fields = {} } of hits) documents.push(names.map((name) => fields[name]?.[0]));
    after = hits.length < DOCUMENTS_AT_ONCE ? undefined : hits.at(-1)?.sort;
  }
  return documents;
}
