import type { Model, Vocabulary } from "../../core/catalog/types.js";
import { pageUrl, type Site } from "../../core/citable/citable.js";
import { LIMITS } from "../../core/limits.js";
import type { StoredRecord } from "../../core/record.js";
import type { StoredTerm } from "../../core/term.js";
import { structureOf } from "../../core/terms/structure.js";
import type { FeedChange } from "../../services/api/change-services.js";
import { encodeSegment } from "../parameters/percent.js";
import { printQueryString } from "../parameters/query-string.js";
import type { Links } from "./answer-text.js";

/** Where clients reach the service: all links begin with it. Read anew for each answer. */
export interface PublicAddress {
  /** `https://data.example.org`, perhaps with a path. */
  readonly publicUrl: string;
  /** What the persistent addresses of records begin with, where these are not those of their pages. */
  readonly citeUrl?: string;
}

/** The installation as formats of records name it. */
export function siteOf({ publicUrl, citeUrl }: PublicAddress): Site {
  const url = publicUrl.endsWith("/") ? publicUrl.slice(0, -1) : publicUrl;
  return { url, ...(citeUrl === undefined || citeUrl === "" ? {} : { citeUrl }) };
}

/** Of all paths of the API. */
export const API = "/api";

/** Base of the API, without a slash at its end. */
export const apiUrl = (address: PublicAddress): string => siteOf(address).url + API;

/** Base of the pages for people. @param api base of the API */
const pagesUrl = (api: string): string => api.slice(0, -API.length);

/** Where to go on from the service itself. */
export function serviceLinks(api: string): Links {
  return {
    self: api,
    docs: `${api}/docs`,
    openapi: `${api}/openapi.json`,
    models: `${api}/models`,
    vocabularies: `${api}/vocabularies`,
    search: `${api}/search`,
    changes: `${api}/changes`,
  };
}

/** Links of a record or draft: what is there for everybody who may see the body. */
export function recordLinks(api: string, record: Pick<StoredRecord, "id" | "model" | "state" | "isPublished">): Links {
  const url = `${api}/records/${record.model}/${record.id}`;
  const versions = { versions: `${url}/versions`, latest: `${url}/versions/latest` };
  // Not its open draft, where there is one: that is for few to know.
  if (record.state === "published") {
    const page = pageUrl({ url: pagesUrl(api) }, record);
    return { self: url, self_html: page, record: url, ...versions, files: `${url}/files` };
  }
  return {
    self: `${url}/draft`,
    draft: `${url}/draft`,
    ...(record.isPublished ? { record: url } : {}),
    publish: `${url}/draft/actions/publish`,
    ...(record.isPublished ? versions : {}),
    files: `${url}/draft/files`,
  };
}

/** Where an item of a vocabulary is. @param base of the API, or of the pages */
export function termUrl(base: string, vocabulary: string, id: string): string {
  return `${base}/vocabularies/${vocabulary}/${encodeSegment(id)}`;
}

/** Links of an item of a vocabulary; to a picture of its structure where it has one. */
export function termLinks(
  api: string,
  vocabulary: Pick<Vocabulary, "name" | "structure">,
  { id, json }: Pick<StoredTerm, "id" | "json">,
): Links {
  const self = termUrl(api, vocabulary.name, id);
  const structure = structureOf(vocabulary, { id, json });
  return {
    ...{ self, self_html: termUrl(pagesUrl(api), vocabulary.name, id), citations: citationsUrl(self) },
    ...(structure === undefined ? {} : { structure: structureUrl(self, structure.revision) }),
  };
}

/** Where the records are that cite a term. @param term its address */
export const citationsUrl = (term: string): string => `${term}/citations`;

/** Where the picture of a term's structure is. With a revision it may be kept for as long as the term has it. */
export function structureUrl(term: string, revision?: number): string {
  return `${term}/structure.svg${revision === undefined ? "" : `?v=${revision}`}`;
}

/** Links of a model: its schema, an example where it has one, and its records. */
export function modelLinks(api: string, { name, example }: Pick<Model, "name" | "example">): Links {
  const self = `${api}/models/${name}`;
  return {
    ...{ self, schema: `${self}/schema`, fields: `${self}/fields` },
    ...(example === undefined ? {} : { example: `${self}/example` }),
    records: `${api}/records/${name}`,
  };
}

/** The JSON text of a change as the feed and webhooks show it. */
export function changeText(api: string, { seq, time, kind, action, place, id, revision }: FeedChange): string {
  const self = kind === "record" ? `${api}/records/${place}/${id}` : termUrl(api, place, id);
  const where = kind === "record" ? { model: place } : { vocabulary: place };
  return JSON.stringify({ seq, time, kind, action, id, ...where, revision_id: revision, links: { self } });
}

/** Where the authority of a vocabulary is searched. */
export const lookupUrl = (api: string, vocabulary: string): string => `${api}/vocabularies/${vocabulary}/lookup`;

/** self, prev and next of a page of what an authority found. */
export function lookupLinks(
  url: string,
  { q, page, total }: { readonly q: string; readonly page: number; readonly total: number },
): Links {
  const size = LIMITS.lookupPageSize;
  const link = (number: number): string => `${url}?${printQueryString(Object.entries({ q, page: String(number) }))}`;
  const hasNext = page * size < Math.min(total, LIMITS.pageWindowMax);
  return {
    self: link(page),
    ...(page > 1 ? { prev: link(page - 1) } : {}),
    ...(hasNext ? { next: link(page + 1) } : {}),
  };
}

/** self, prev and next of a list that nobody searches, as they apply. */
export function pageLinks(
  url: string,
  { page, size }: { readonly page: number; readonly size: number },
  { total, sortBy }: { readonly total: number; readonly sortBy?: string },
): Links {
  const order = sortBy === undefined ? "" : `&sort=${sortBy}`;
  const link = (number: number): string => `${url}?page=${number}&size=${size}${order}`;
  return {
    self: link(page),
    ...(page > 1 ? { prev: link(page - 1) } : {}),
    ...(page * size < total ? { next: link(page + 1) } : {}),
  };
}
