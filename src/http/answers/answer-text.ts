/**
 * Answers are texts that are joined: a stored body is never parsed and printed again (which costs more than twice the
 * time of all the rest), and what it lacks is appended to it.
 */
import type { Warning } from "../../core/issue.js";
import type { RecordHit, SearchAnswer } from "../../services/api/search-services.js";

export type Links = Readonly<Record<string, string>>;

/** A JSON object's text with `links` appended. `json` is a whole object with at least one member. */
export function withLinks(json: string, links: Links): string {
  return withMember(json, "links", JSON.stringify(links));
}

/** A JSON object's text with one member more. `value` is JSON text. */
export function withMember(json: string, name: string, value: string): string {
  return `${json.slice(0, -1)},"${name}":${value}}`;
}

/** The text with `warnings`, where there are some. */
export function withWarnings(json: string, warnings: readonly Warning[]): string {
  return warnings.length === 0 ? json : withMember(json, "warnings", JSON.stringify(warnings));
}

/** The text with `highlight`, where it was asked for. */
export function withHighlight(json: string, highlight: RecordHit["highlight"]): string {
  return highlight === undefined ? json : withMember(json, "highlight", JSON.stringify(highlight));
}

/** What a search answer says beside its hits. `page` is absent where a cursor was asked for. */
type SearchFrame = Pick<SearchAnswer<unknown>, "total" | "sortBy" | "aggregations" | "query" | "warnings"> & {
  readonly page?: number | undefined;
  readonly links: Links;
  /** Changes that the answer lacks. */
  readonly behind?: number;
};

/** The text of a search answer; `hits` are JSON texts. */
export function searchText(hits: readonly string[], frame: SearchFrame): string {
  return SEARCH_HEAD + hits.join(",") + searchTail(frame);
}

/** What stands before the hits of a search answer. */
export const SEARCH_HEAD = '{"hits":{"hits":[';

/** What stands after them. */
export function searchTail(frame: SearchFrame): string {
  const { total, aggregations, sortBy, page, links, query, warnings, behind } = frame;
  const facets = aggregations === undefined || Object.keys(aggregations).length === 0 ? undefined : aggregations;
  const index = behind === undefined ? undefined : { behind };
  const rest = JSON.stringify({ aggregations: facets, sortBy, page, links, query, index });
  return withWarnings(`],"total":${total}},${rest.slice(1)}`, warnings);
}

/** The text of a list that nobody searches; without `total` and `page` it is the whole list. */
export function listText(
  hits: readonly string[],
  frame: Pick<SearchFrame, "sortBy" | "links" | "warnings"> & Partial<Pick<SearchFrame, "total" | "page">>,
): string {
  return searchText(hits, { total: hits.length, page: 1, ...frame, query: { parsed: "", fallback: false } });
}
