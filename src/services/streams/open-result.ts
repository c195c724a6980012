import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { StoredRecord } from "../../core/record.js";
import type { SearchIndex, StoreSnapshot } from "../../ports/search-index.js";
import { recordFields } from "../../query/fields/field-lookup.js";
import { matchedElements, readHighlightSource } from "../../query/highlight/highlight.js";
import type { Clause } from "../../query/index-model/clause.js";
import type {
  OpenedRecordResult,
  OpenedResult,
  RecordSearchRequest,
  SearchAnswer,
  SearchRequest,
  SearchWindow,
  StreamServices,
} from "../api/searches.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { describeStored } from "../records/read-records.js";
import { readQuery } from "../search/read-query.js";
import { fetchRecords, searchRecords } from "../search/search-records.js";
import { searchTerms } from "../search/search-terms.js";
import { readCitedTerms } from "../search/shown-hits.js";
import { fetchTerms } from "../vocabularies/read-terms.js";

/** A snapshot that is open for a limited time. */
interface LimitedSnapshot {
  readonly snapshot: StoreSnapshot;
  /** @throws STORE_UNAVAILABLE if it was closed because it was open for too long */
  check(): void;
  close(): void;
}

interface OpenSnapshot {
  readonly snapshot: StoreSnapshot;
  readonly since: number;
  endedBy?: string;
}

/** Interval of the check of open snapshots. */
const CHECK_MS = 1_000;

/**
 * Returns a function that opens snapshots. A snapshot is closed after `LIMITS.streamMsMax`, or when more than
 * `LIMITS.streamLogBytesMax` have been written since, so that a slow reader neither fills the disk nor slows writers.
 */
function makeOpenLimited({ openSnapshot }: Pick<SearchIndex, "openSnapshot">): () => Promise<LimitedSnapshot> {
  const openSnapshots = new Set<OpenSnapshot>();
  let timer: NodeJS.Timeout | undefined;
  const end = (each: OpenSnapshot): void => {
    if (!openSnapshots.delete(each)) return;
    each.snapshot.close();
    if (openSnapshots.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const checkAll = (): void => {
    const now = performance.now();
    for (const each of [...openSnapshots]) {
      if (now - each.since > LIMITS.streamMsMax) each.endedBy = "the result was read for too long";
      else if (each.snapshot.heldBytes() > LIMITS.streamLogBytesMax) each.endedBy = "too much was written meanwhile";
      if (each.endedBy !== undefined) end(each);
    }
  };
  return async () => {
    const opened: OpenSnapshot = { snapshot: await openSnapshot(), since: performance.now() };
    openSnapshots.add(opened);
    timer ??= setInterval(checkAll, CHECK_MS).unref();
    return {
      snapshot: opened.snapshot,
      check() {
        if (opened.endedBy !== undefined) throw fail("STORE_UNAVAILABLE", { reason: opened.endedBy });
      },
      close: () => end(opened),
    };
  };
}

/** Creates the services that stream whole results: they run the use case of a search page by page over a snapshot. */
export function makeOpenResults(deps: Deps): StreamServices {
  const openLimited = makeOpenLimited(deps.index);
  return {
    openRecordResult: async (actor, request, ids) => {
      const { snapshot, check, close } = await openLimited();
      const snapshotDeps = withSnapshot(deps, snapshot);
      const search = searchRecords.make(snapshotDeps);
      const pages =
        ids === undefined
          ? readPages(request, (page) => search(actor, { ...page, own: request.own }), check)
          : once(() => fetchRecords.make(snapshotDeps)(actor, request, ids));
      return {
        next: pages,
        close,
        matching: makeMatching(deps, snapshot, request),
        describe: (record: StoredRecord) =>
          describeStored({ records: snapshot.records, catalog: deps.catalog }, record),
      };
    },
    openTermResult: async (actor, request, ids) => {
      const { snapshot, check, close } = await openLimited();
      const snapshotDeps = withSnapshot(deps, snapshot);
      if (ids !== undefined) return { next: once(() => fetchTerms.make(snapshotDeps)(request.vocabulary, ids)), close };
      const search = searchTerms.make(snapshotDeps);
      return { next: readPages(request, (page) => search(actor, page), check), close };
    },
  };
}

/**
 * Creates a function that finds the elements of a record that match the query. It parses the query as the search does.
 */
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
    const shown = readHighlightSource(body, findModel(catalog, body.model));
    const cited = await readCitedTerms({ terms }, [shown], clause);
    return matchedElements(shown, clause, list, cited);
  };
}

/** Replaces store and index by a snapshot. */
function withSnapshot(deps: Deps, { index, records, terms }: StoreSnapshot): Deps {
  return { ...deps, store: { ...deps.store, records, terms }, index: { ...deps.index, ...index } };
}

/** Estimated length of a page in UTF-16 units, and its maximum number of hits. */
const PAGE_LENGTH = 512 * 1024;
const PAGE_HITS_MAX = 1_000;
/** Number of hits of the first page, when the length of hits is unknown. */
const FIRST_HITS = 50;
/** Maximum growth of the number of hits from one page to the next. */
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
      // The snapshot may have been closed during the search.
      check();
      throw error;
    });
    const length = hits.reduce((sum, { json }) => sum + json.length, 1);
    const fitting = Math.floor((PAGE_LENGTH * hits.length) / length);
    const nextSize = Math.max(1, Math.min(fitting, size * GROWTH_MAX, PAGE_HITS_MAX));
    window = next === undefined ? undefined : { size: nextSize, cursor: next };
    return hits;
  };
}

/** Returns the pages of a result that has only one. */
function once<Hit>(read: () => Promise<SearchAnswer<Hit>>): OpenedResult<Hit>["next"] {
  let isRead = false;
  return async () => {
    if (isRead) return [];
    isRead = true;
    return (await read()).hits;
  };
}
