import { LIMITS } from "../../core/limits.js";
import { linkHeader } from "../../formats/records/signposting.js";
import { makeUrls } from "../parameters/query-string.js";
import type { SearchParameters } from "../parameters/search-parameters.js";
import type { Links } from "./answer-text.js";

/** What the links of a search answer are made of. */
interface SearchPlace {
  /** Of the endpoint, absolute, without a query. */
  readonly url: string;
  readonly parameters: SearchParameters;
  /** As they were used. */
  readonly size: number;
  readonly sortBy: string;
  readonly total: number;
  /** Cursor after the last hit, if there are more hits and they are beyond the last page number. */
  readonly next?: string | undefined;
}

/** The links of a page of hits. */
export interface SearchLinks {
  /** self, prev and next, as they apply. */
  readonly links: Links;
  readonly first: string;
}

/**
 * Makes links with explicit page, size and sort. `next` has a cursor if the request has one, or if the next page is
 * beyond the last page number.
 */
export function searchLinks({ url, parameters, size, sortBy, total, next }: SearchPlace): SearchLinks {
  const { window } = parameters.request;
  const spelled = { size: String(size), sort: sortBy };
  const link = makeUrls(url, [...parameters.carried, ...Object.entries(spelled)]);
  const after = next === undefined ? {} : { next: link("cursor", next) };
  if (window.cursor !== undefined) {
    return { links: { self: link("cursor", window.cursor), ...after }, first: link("cursor", "*") };
  }
  const page = window.page ?? 1;
  const self = link("page", String(page));
  const first = page === 1 ? self : link("page", "1");
  const links = page === 1 ? { self } : { self, prev: link("page", String(page - 1)) };
  if (page * size >= total) return { links, first };
  const nextFits = (page + 1) * size <= LIMITS.pageWindowMax;
  return { links: { ...links, ...(nextFits ? { next: link("page", String(page + 1)) } : after) }, first };
}

/** The `Link` header of a page of hits. Of links that are too long for a header, `next` is left out last. */
export function searchLinkHeader({ links: { next, prev }, first }: SearchLinks): string {
  const typed = Object.entries({ next, prev, first });
  return linkHeader(typed.flatMap(([rel, href]) => (href === undefined ? [] : [{ rel, href }])));
}
