/**
 * JSON texts of answers. Members are appended to the stored JSON of a record or term, because parsing and printing it
 * would take more than twice the time of everything else.
 */

import type { SearchLinks } from "../../core/answers/searches.js";
import type { PublicChange } from "../../core/answers/service.js";
import type { EditedField, TermsBelow } from "../../core/answers/term-answers.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import type { StoredTerm } from "../../core/term.js";
import type { FeedChange } from "../../services/api/changes.js";
import type { RecordHit, SearchAnswer } from "../../services/api/searches.js";
import { termLinks, termUrl } from "./links.js";

/** Appends `links` to the text of a JSON object that has at least one member. */
export function withLinks(json: string, links: object): string {
  return withMember(json, "links", JSON.stringify(links));
}

/** Appends a member to the text of a JSON object that has at least one member. @param value JSON text */
export function withMember(json: string, name: string, value: string): string {
  return `${json.slice(0, -1)},"${name}":${value}}`;
}

/** Appends `warnings` unless there are none. */
export function withWarnings(json: string, warnings: readonly Warning[]): string {
  return warnings.length === 0 ? json : withMember(json, "warnings", JSON.stringify(warnings));
}

/** Appends `highlight` if it was requested. */
export function withHighlight(json: string, highlight: RecordHit["highlight"]): string {
  return highlight === undefined ? json : withMember(json, "highlight", JSON.stringify(highlight));
}

/** All of a search answer except its hits. `page` is absent if the request has a cursor. */
type SearchFrame = Pick<SearchAnswer<unknown>, "total" | "sortBy" | "aggregations" | "query" | "warnings"> & {
  readonly page?: number | undefined;
  readonly links: SearchLinks;
  /** Number of recent changes that the answer lacks; absent: 0. */
  readonly behind?: number | undefined;
};

/** Returns the JSON text of a search answer. @param hits JSON texts */
export function searchText(hits: readonly string[], frame: SearchFrame): string {
  return SEARCH_HEAD + hits.join(",") + searchTail(frame);
}

/** Text of a search answer before its hits. */
export const SEARCH_HEAD = '{"hits":{"hits":[';

/** Returns the text of a search answer after its hits. */
export function searchTail(frame: SearchFrame): string {
  const { total, aggregations, sortBy, page, links, query, warnings, behind } = frame;
  const facets = aggregations === undefined || Object.keys(aggregations).length === 0 ? undefined : aggregations;
  const index = behind === undefined ? undefined : { behind };
  const members = JSON.stringify({ aggregations: facets, sortBy, page, links, query, index });
  return withWarnings(`],"total":${total}},${members.slice(1)}`, warnings);
}

/** Returns the JSON text of a list that has no search. Without `total` and `page`, `hits` are the whole list. */
export function listText(
  hits: readonly string[],
  frame: Pick<SearchFrame, "sortBy" | "links" | "warnings"> & Partial<Pick<SearchFrame, "total" | "page">>,
): string {
  return searchText(hits, { total: hits.length, page: 1, ...frame, query: { parsed: "", fallback: false } });
}

/** The parts of a vocabulary from which links are made. */
type LinkedVocabulary = Pick<Vocabulary, "name" | "structure">;

/**
 * Returns the JSON text of a term as a hit. `cited_by` is appended because it changes although the term does not.
 * @param json the stored JSON of the term, possibly with more members
 */
export function termText(api: string, vocabulary: LinkedVocabulary, term: StoredTerm, json = term.json): string {
  const links = JSON.stringify(termLinks(api, vocabulary, term));
  // Both members are appended at once, because each concatenation may copy the text.
  return `${json.slice(0, -1)},"cited_by":${term.citedBy},"links":${links}}`;
}

interface SingleTerm {
  readonly term: StoredTerm;
  readonly ancestors: readonly { readonly json: string }[];
  readonly below?: TermsBelow | undefined;
  readonly edited: readonly EditedField[];
}

/**
 * Returns the JSON text of a single term: with its ancestors, the numbers of terms below it, and the fields that people
 * changed. The names of these people are only in the history of the term, which only curators may read.
 */
export function singleTermText(api: string, vocabulary: LinkedVocabulary, answer: SingleTerm): string {
  const { term, ancestors, below, edited } = answer;
  let { json } = term;
  if (ancestors.length > 0) {
    json = withMember(json, "ancestors", `[${ancestors.map((ancestor) => ancestor.json).join(",")}]`);
  }
  if (below !== undefined) json = withMember(json, "below", JSON.stringify(below));
  const fields = edited.map(({ field, time }): EditedField => ({ field, time }));
  if (fields.length > 0) json = withMember(json, "edited", JSON.stringify(fields));
  return termText(api, vocabulary, term, json);
}

/** Returns the JSON text of a change, for the feed and for webhooks. */
export function changeText(api: string, { seq, time, kind, action, place, id, revision }: FeedChange): string {
  const self = kind === "record" ? `${api}/records/${place}/${id}` : termUrl(api, place, id);
  const where = kind === "record" ? { model: place } : { vocabulary: place };
  const change: PublicChange = { seq, time, kind, action, id, ...where, revision_id: revision, links: { self } };
  return JSON.stringify(change);
}
