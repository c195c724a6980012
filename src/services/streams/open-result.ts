import type { StoredRecord } from "../../core/record.js";
import type { StoreSnapshot } from "../../ports/search-index.js";
import { recordFields } from "../../query/fields/field-meanings.js";
import { matchedElements, readShown } from "../../query/highlight/highlight.js";
import type { Clause } from "../../query/index-model/clause.js";
import type { RecordSearchRequest, SearchAnswer, SearchRequest, SearchWindow } from "../api/search-services.js";
import type { OpenedRecordResult, OpenedResult, StreamServices } from "../api/stream-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { describeStored } from "../exports/export-record.js";
import { makeFetchRecords } from "../search/fetch-records.js";
import { readCitedTerms } from "../search/highlight-hits.js";
import { readQuery } from "../search/read-query.js";
import { makeSearchRecords } from "../search/search-records.js";
import { makeSearchTerms } from "../search/search-terms.js";
import { makeFetchTerms } from "../vocabularies/fetch-terms.js";
import { makeHolding } from "./hold-snapshot.js";

/** Opens searches whose whole result is read: the use cases of searches, page after page over one snapshot. */
export function makeOpenResults(deps: Deps): StreamServices {
  const hold = makeHolding(deps.index);
  return {
    openRecordResult: async (actor, request, ids) => {
      const { snapshot, check, close } = await hold();
      const here = over(deps, snapshot);
      const search = makeSearchRecords(here);
      const pages =
        ids === undefined
          ? readPages(request, (page) => search(actor, { ...page, own: request.own }), check)
          : once(() => makeFetchRecords(here)(actor, request, ids));
      return {
        ...{ next: pages, close },
        matching: makeMatching(deps, snapshot, request),
        describe: (record: StoredRecord) =>
          describeStored({ records: snapshot.records, catalog: deps.catalog }, record),
      };
    },
    openTermResult: async (actor, request, ids) => {
      const { snapshot, check, close } = await hold();
      const here = over(deps, snapshot);
      if (ids !== undefined) return { next: once(() => makeFetchTerms(here)(request.vocabulary, ids)), close };
      const search = makeSearchTerms(here);
      return { next: readPages(request, (page) => search(actor, page), check), close };
    },
  };
}

/** Reads the query once more, as the search does, and compares single records with it. */
function makeMatching(
  { catalog, clock }: Deps,
  { terms }: StoreSnapshot,
  request: RecordSearchRequest,
): OpenedRecordResult["matching"] {
  const models = request.model === undefined ? [...catalog.models.values()] : [findModel(catalog, request.model)];
  let clause: Clause | undefined;
  return async (body, list) => {
    const fields = () => recordFields(models, catalog.vocabularies.values());
    clause ??= readQuery(request, fields(), clock).clause;
    const shown = readShown(body, findModel(catalog, body.model));
    const cited = await readCitedTerms({ terms }, [shown], clause);
    return matchedElements(shown, clause, list, cited);
  };
}

/** The use cases of searches see the snapshot alone. */
function over(deps: Deps, { index, records, terms }: StoreSnapshot): Deps {
  return { ...deps, store: { ...deps.store, records, terms }, index: { ...deps.index, ...index } };
}

/** Text of a slice, in UTF-16 units, as far as the hits before tell; and the most hits of one. */
const SLICE_LENGTH = 512 * 1024;
const SLICE_HITS_MAX = 1_000;
/** Of the first slice, when nothing is known. */
const FIRST_HITS = 50;
/** One slice has no more than so many times the hits of the one before. */
const GROWTH_MAX = 4;

function readPages<Hit extends { readonly json: string }, Request extends SearchRequest>(
  request: Request,
  search: (request: Request) => Promise<SearchAnswer<Hit>>,
  check: () => void,
): OpenedResult<Hit>["next"] {
  let window: SearchWindow | undefined = { size: FIRST_HITS, cursor: request.window.cursor ?? "*" };
  return async () => {
    if (window === undefined) return [];
    check();
    const { size } = window;
    const { hits, next } = await search({ ...request, window, facetSize: 0, highlight: false }).catch((error) => {
      // It may have been ended while it was searched.
      check();
      throw error;
    });
    const length = hits.reduce((sum, { json }) => sum + json.length, 1);
    const fitting = Math.floor((SLICE_LENGTH * hits.length) / length);
    const wanted = Math.max(1, Math.min(fitting, size * GROWTH_MAX, SLICE_HITS_MAX));
    window = next === undefined ? undefined : { size: wanted, cursor: next };
    return hits;
  };
}

/** A result that is one slice. */
function once<Hit>(read: () => Promise<SearchAnswer<Hit>>): OpenedResult<Hit>["next"] {
  let isRead = false;
  return async () => {
    if (isRead) return [];
    isRead = true;
    return (await read()).hits;
  };
}
