/**
 * Answers of searches, made where the search runs: what passes from there to the thread that answers HTTP is one piece
 * of bytes in memory that both see, and not a list of objects, which is copied.
 */
import type { Actor } from "../../core/actor.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import type {
  RecordHit,
  RecordSearchRequest,
  SearchAnswer,
  SearchRequest,
  TermHit,
} from "../../services/api/search-services.js";
import type { Services } from "../../services/api/services.js";
import type { SearchParameters, TermSearchParameters } from "../parameters/search-parameters.js";
import { makeAnswerMemory } from "./answer-memory.js";
import { SEARCH_HEAD, searchTail, withLinks } from "./answer-text.js";
import { joinPieces, makeHitPieces, type Piece } from "./hit-pieces.js";
import { recordLinks } from "./links.js";
import { type SearchLinks, searchLinkHeader, searchLinks } from "./search-links.js";
import { termText } from "./term-text.js";

/** A search as a request asks for it: plain data, which can be posted to another thread. */
interface AskedSearch<Parameters extends SearchParameters<SearchRequest>> {
  /** Base of the API, for links. */
  readonly api: string;
  /** Path of the endpoint below the API. */
  readonly path: string;
  readonly parameters: Parameters;
}

export interface SearchBody {
  /** JSON in UTF-8, in memory of its own or in memory that is lent (`answer-memory`). */
  readonly bytes: Uint8Array;
  /** Its `Link` header; "" where the links are too long for one. */
  readonly link: string;
  /** As `SearchAnswer` has it. */
  readonly isUnsettled?: true;
  readonly behind?: number;
}

/** Searches, answered with the body of the response. */
export interface SearchAnswers {
  answerRecordSearch(actor: Actor, asked: AskedSearch<SearchParameters<RecordSearchRequest>>): Promise<SearchBody>;
  answerTermSearch(actor: Actor, asked: AskedSearch<TermSearchParameters>): Promise<SearchBody>;
}

type Searches = Pick<Services, "searchRecords" | "fetchRecords" | "searchTerms" | "fetchTerms">;

export function makeSearchAnswers(services: Searches, { vocabularies }: Pick<Catalog, "vocabularies">): SearchAnswers {
  const { searchRecords, fetchRecords, searchTerms, fetchTerms } = services;
  const memory = makeAnswerMemory();
  const recordHits = makeHitPieces<RecordHit>((api, hit) => withLinks(hit.json, recordLinks(api, hit)));
  const termHits = makeHitPieces<TermHit>((api, hit) => termText(api, vocabularies.get(hit.vocabulary)!, hit));
  const bodyOf = (
    { parameters }: AskedSearch<SearchParameters<SearchRequest>>,
    found: SearchAnswer<unknown>,
    hits: readonly Piece[],
    place: SearchLinks,
  ): SearchBody => {
    const { warnings, request } = parameters;
    const { links } = place;
    const frame = { ...found, page: request.window.page, links, warnings: [...warnings, ...found.warnings] };
    const { isUnsettled, behind } = found;
    const bytes = joinPieces(SEARCH_HEAD, hits, searchTail(frame), memory);
    const told = { ...(isUnsettled && { isUnsettled }), ...(behind === undefined ? {} : { behind }) };
    return { bytes, link: searchLinkHeader(place), ...told };
  };
  return {
    async answerRecordSearch(actor, asked) {
      const { api, parameters } = asked;
      const { ids, request } = parameters;
      const found = await (ids === undefined
        ? searchRecords(actor, { ...request, mayBeBehind: true })
        : fetchRecords(actor, request, ids));
      const links = ids === undefined ? linksOf(asked, found) : linksOfList(asked, "newest");
      return bodyOf(asked, found, recordHits(api, found.hits), links);
    },
    async answerTermSearch(actor, asked) {
      const { api, parameters } = asked;
      const { ids, request } = parameters;
      const found = await (ids === undefined
        ? searchTerms(actor, { ...request, mayBeBehind: true })
        : fetchTerms(request.vocabulary, ids));
      const links = ids === undefined ? linksOf(asked, found) : linksOfList(asked, "title");
      const warnings = found.warnings.map((warning) => spelledSize(warning, parameters.sizeName));
      return bodyOf(asked, { ...found, warnings }, termHits(api, found.hits), links);
    },
  };
}

/** The size of a page, as the client spelled it. */
function spelledSize(warning: Warning, sizeName: string): Warning {
  return warning.parameter === "size" ? { ...warning, parameter: sizeName } : warning;
}

function linksOf(
  { api, path, parameters }: AskedSearch<SearchParameters<SearchRequest>>,
  found: SearchAnswer<unknown>,
): SearchLinks {
  return searchLinks({ ...found, url: `${api}${path}`, parameters });
}

/** Hits by id are one page, whatever page, size and sort say; the link repeats what was said. */
function linksOfList(
  { api, path, parameters }: AskedSearch<SearchParameters<SearchRequest>>,
  standard: string,
): SearchLinks {
  const { sort = standard, window } = parameters.request;
  const place = { url: `${api}${path}`, parameters, size: window.size, sortBy: sort, total: 0 };
  const self = searchLinks(place).links.self!;
  return { links: { self }, first: self };
}
