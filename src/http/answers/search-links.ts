import { LIMITS } from "../../core/limits.js";
import { printQueryString } from "../parameters/query-string.js";
import type { SearchParameters } from "../parameters/search-parameters.js";
import type { Links } from "./answer-text.js";

/** What the links of a search answer are made of. */
export interface SearchPlace {
  /** Of the endpoint, absolute, without a query. */
  readonly url: string;
  readonly parameters: SearchParameters;
  /** As they were used. */
  readonly size: number;
  readonly sortBy: string;
  readonly total: number;
  /** The cursor after the last hit, where more follow. */
  readonly next?: string | undefined;
}

/**
 * self, prev and next, as they apply. They spell page, size and sort out; where the window of pages ends, or after a
 * cursor, next is a cursor.
 */
export function searchLinks({ url, parameters, size, sortBy, total, next }: SearchPlace): Links {
  const { window } = parameters.request;
  const link = (place: Readonly<Record<string, string>>): string => {
    const spelled = { ...place, size: String(size), sort: sortBy };
    return `${url}?${printQueryString([...parameters.carried, ...Object.entries(spelled)])}`;
  };
  const after = next === undefined ? {} : { next: link({ cursor: next }) };
  if (window.cursor !== undefined) return { self: link({ cursor: window.cursor }), ...after };

  const page = window.page ?? 1;
  const self = { self: link({ page: String(page) }), ...(page > 1 ? { prev: link({ page: String(page - 1) }) } : {}) };
  if (page * size >= total) return self;
  const nextFits = (page + 1) * size <= LIMITS.pageWindowMax;
  return nextFits ? { ...self, next: link({ page: String(page + 1) }) } : { ...self, ...after };
}
