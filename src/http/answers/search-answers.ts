/**
 * Answers of searches. The thread that runs a search makes the whole body, so that it passes bytes in shared memory to
 * the thread that answers HTTP, instead of a list of objects, which would be copied.
 */

import type { Actor } from "../../core/actor.js";
import type { SearchLinks } from "../../core/answers/searches.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import { linkHeader } from "../../formats/records/signposting.js";
import type {
  RecordHit,
  RecordSearchRequest,
  SearchAnswer,
  SearchRequest,
  TermHit,
} from "../../services/api/searches.js";
import type { Services } from "../../services/use-cases.js";
import type { SearchParameters, TermSearchParameters } from "../parameters/search-parameters.js";
import { makeUrls } from "../parameters/url-encoding.js";
import { type AnswerMemory, makeAnswerMemory } from "./answer-memory.js";
import { SEARCH_HEAD, searchTail, termText, withHighlight, withLinks, withMember } from "./answer-text.js";
import { recordLinks } from "./links.js";

/** Call of a search: plain data, which can be posted to another thread. */
interface SearchCall<Parameters extends SearchParameters<SearchRequest>> {
  /** Base URL of the API, for links. */
  readonly api: string;
  /** Path of the endpoint below the API. */
  readonly path: string;
  readonly parameters: Parameters;
}

/** Body of the response to a search, and what its headers need. */
export interface SearchBody {
  /** JSON in UTF-8, in memory of its own or in a place of shared memory (`answer-memory`). */
  readonly bytes: Uint8Array;
  /** `Link` header; "" if the links are too long for a header. */
  readonly link: string;
  /** As in `SearchAnswer`. */
  readonly isUnsettled?: true | undefined;
  /** As in `SearchAnswer`. */
  readonly behind?: number | undefined;
}

/** Searches that return the body of the response. */
export interface SearchAnswers {
  answerRecordSearch(actor: Actor, call: SearchCall<SearchParameters<RecordSearchRequest>>): Promise<SearchBody>;
  answerTermSearch(actor: Actor, call: SearchCall<TermSearchParameters>): Promise<SearchBody>;
}

type Searches = Pick<Services, "searchRecords" | "fetchRecords" | "searchTerms" | "fetchTerms">;

/** Creates the searches of the thread that runs them. */
export function makeSearchAnswers(services: Searches, { vocabularies }: Pick<Catalog, "vocabularies">): SearchAnswers {
  const { searchRecords, fetchRecords, searchTerms, fetchTerms } = services;
  const memory = makeAnswerMemory();
  const recordHits = makeHitPieces<RecordHit>((api, hit) => withLinks(hit.json, recordLinks(api, hit)));
  const termHits = makeHitPieces<TermHit>((api, hit) => termText(api, vocabularies.get(hit.vocabulary)!, hit));
  const makeBody = (
    { parameters }: SearchCall<SearchParameters<SearchRequest>>,
    answer: SearchAnswer<unknown>,
    hits: readonly Piece[],
    pageLinks: PageLinks,
  ): SearchBody => {
    const { request } = parameters;
    const { links } = pageLinks;
    const warnings = [...parameters.warnings, ...answer.warnings];
    const frame = { ...answer, page: request.window.page, links, warnings };
    const bytes = joinPieces(SEARCH_HEAD, hits, searchTail(frame), memory);
    const { isUnsettled, behind } = answer;
    return { bytes, link: searchLinkHeader(pageLinks), isUnsettled, behind };
  };
  return {
    async answerRecordSearch(actor, call) {
      const { api, parameters } = call;
      const { ids, request } = parameters;
      const answer = await (ids === undefined
        ? searchRecords(actor, { ...request, mayBeBehind: true })
        : fetchRecords(actor, request, ids));
      const links = ids === undefined ? linksOfPage(call, answer) : linksOfIds(call, "newest");
      return makeBody(call, answer, recordHits(api, answer.hits), links);
    },
    async answerTermSearch(actor, call) {
      const { api, parameters } = call;
      const { ids, request } = parameters;
      const answer = await (ids === undefined
        ? searchTerms(actor, { ...request, mayBeBehind: true })
        : fetchTerms(request.vocabulary, ids));
      const links = ids === undefined ? linksOfPage(call, answer) : linksOfIds(call, "title");
      const warnings = answer.warnings.map((warning) => renameSize(warning, parameters.sizeName));
      return makeBody(call, { ...answer, warnings }, termHits(api, answer.hits), links);
    },
  };
}

/** Renames the parameter in a warning about the size of a page to the name that the client used. */
function renameSize(warning: Warning, sizeName: string): Warning {
  return warning.parameter === "size" ? { ...warning, parameter: sizeName } : warning;
}

function linksOfPage(
  { api, path, parameters }: SearchCall<SearchParameters<SearchRequest>>,
  answer: SearchAnswer<unknown>,
): PageLinks {
  return searchLinks({ ...answer, url: `${api}${path}`, parameters });
}

/** Returns the links of hits by id. They are one page; the link repeats the requested page, size and sort. */
function linksOfIds(
  { api, path, parameters }: SearchCall<SearchParameters<SearchRequest>>,
  defaultSort: string,
): PageLinks {
  const { sort = defaultSort, window } = parameters.request;
  const place = { url: `${api}${path}`, parameters, size: window.size, sortBy: sort, total: 0 };
  const self = searchLinks(place).links.self!;
  return { links: { self }, first: self };
}

/** Part of the body of a search: a text, or its UTF-8. */
type Piece = string | Uint8Array;

type Hit = RecordHit | TermHit;

/** Cached UTF-8 of a hit with its links. */
interface HitEntry {
  /** Base URL of its links. */
  readonly api: string;
  readonly bytes: Uint8Array;
}

/**
 * Creates a function that returns the pieces of the hits of a page, for a base URL of links. Their UTF-8 is cached as
 * long as the engine caches the hits, because joining and encoding the texts would take most of the time of an answer.
 *
 * @param link returns the text of a hit with its links
 */
export function makeHitPieces<H extends Hit>(link: (api: string, hit: H) => string) {
  const entries = new WeakMap<H, HitEntry>();
  const hitPiece = (api: string, hit: H): Piece => {
    // A hit with highlights belongs to one answer only.
    if (hit.highlight !== undefined) return withMatches(link(api, hit), hit);
    const entry = entries.get(hit);
    if (entry?.api === api) return entry.bytes;
    const bytes = Buffer.from(withMatches(link(api, hit), hit));
    entries.set(hit, { api, bytes });
    return bytes;
  };
  return (api: string, hits: readonly H[]): readonly Piece[] => hits.map((hit) => hitPiece(api, hit));
}

/** Appends `highlight` and `matched` if the hit has them. */
function withMatches(json: string, hit: Hit): string {
  const highlighted = withHighlight(json, hit.highlight);
  if (!("matched" in hit) || hit.matched === undefined) return highlighted;
  return withMember(highlighted, "matched", JSON.stringify(hit.matched));
}

const COMMA = 0x2c;

/** Joins a text, the hits with commas between them, and another text. */
export function joinPieces(head: string, hits: readonly Piece[], tail: string, memory: AnswerMemory): Uint8Array {
  const pieceBytes = (piece: Piece): number => (typeof piece === "string" ? Buffer.byteLength(piece) : piece.length);
  let length = pieceBytes(head) + pieceBytes(tail) + Math.max(0, hits.length - 1);
  for (const hit of hits) length += pieceBytes(hit);
  const bytes = memory.take(length);
  const target = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = target.write(head);
  for (const [i, hit] of hits.entries()) {
    if (i > 0) target[end++] = COMMA;
    if (typeof hit === "string") end += target.write(hit, end);
    else {
      target.set(hit, end);
      end += hit.length;
    }
  }
  target.write(tail, end);
  return bytes;
}

/** Page of a search, from which its links are made. */
interface SearchPage {
  /** Absolute URL of the endpoint, without a query. */
  readonly url: string;
  readonly parameters: SearchParameters;
  /** Size and order that were used. */
  readonly size: number;
  readonly sortBy: string;
  readonly total: number;
  /** Cursor after the last hit, if there are more hits and they are beyond the last page number. */
  readonly next?: string | undefined;
}

/** Links of a page of hits. */
interface PageLinks {
  /** self, prev and next, if they apply. */
  readonly links: SearchLinks;
  readonly first: string;
}

/**
 * Returns links with explicit page, size and sort. `next` has a cursor if the request has one, or if the next page is
 * beyond the last page number.
 */
export function searchLinks({ url, parameters, size, sortBy, total, next }: SearchPage): PageLinks {
  const { window } = parameters.request;
  const link = makeUrls(url, [...parameters.carried, ["size", String(size)], ["sort", sortBy]]);
  const nextByCursor = next === undefined ? {} : { next: link("cursor", next) };
  if (window.cursor !== undefined) {
    return { links: { self: link("cursor", window.cursor), ...nextByCursor }, first: link("cursor", "*") };
  }
  const page = window.page ?? 1;
  const self = link("page", String(page));
  const first = page === 1 ? self : link("page", "1");
  const links = page === 1 ? { self } : { self, prev: link("page", String(page - 1)) };
  if (page * size >= total) return { links, first };
  const hasNextNumber = (page + 1) * size <= LIMITS.pageWindowMax;
  return { links: { ...links, ...(hasNextNumber ? { next: link("page", String(page + 1)) } : nextByCursor) }, first };
}

/** Returns the `Link` header of a page of hits. If the links are too long for a header, `next` is omitted last. */
function searchLinkHeader({ links: { next, prev }, first }: PageLinks): string {
  const relations = Object.entries({ next, prev, first });
  return linkHeader(relations.flatMap(([rel, href]) => (href === undefined ? [] : [{ rel, href }])));
}
