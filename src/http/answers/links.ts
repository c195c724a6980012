import type { ModelLinks } from "../../core/answers/models.js";
import type { Molecule, MoleculeContent } from "../../core/answers/molecule-answers.js";
import type { RecordLinks } from "../../core/answers/records.js";
import type { SearchLinks } from "../../core/answers/searches.js";
import type { ServiceSummary } from "../../core/answers/service.js";
import type { TermLinks } from "../../core/answers/term-answers.js";
import type { Model, Vocabulary } from "../../core/catalog/types.js";
import { pageUrl, type Site } from "../../core/citable/citable.js";
import { recogniseIdentifier } from "../../core/identifiers.js";
import { LIMITS } from "../../core/limits.js";
import type { StoredRecord } from "../../core/record.js";
import type { StoredTerm } from "../../core/term.js";
import { structureOf } from "../../core/terms/term-row.js";
import { encodeSegment, printQueryString } from "../parameters/url-encoding.js";

/** Addresses of the service, with which all links begin. Read for each answer. */
export interface PublicAddress {
  /** `https://data.example.org`, optionally with a path. */
  readonly publicUrl: string;
  /** Beginning of the persistent addresses of records, if these are not the addresses of their pages. */
  readonly citeUrl?: string;
}

/** Returns the address of the service in the form that formats of records take. */
export function siteOf({ publicUrl, citeUrl }: PublicAddress): Site {
  const url = publicUrl.endsWith("/") ? publicUrl.slice(0, -1) : publicUrl;
  return { url, ...(citeUrl === undefined || citeUrl === "" ? {} : { citeUrl }) };
}

/** Prefix of all paths of the API. */
export const API = "/api";

/** Returns the base URL of the API, without a slash at its end. */
export const apiUrl = (address: PublicAddress): string => siteOf(address).url + API;

/** Returns the base URL of the pages for people. @param api base URL of the API */
const pagesUrl = (api: string): string => api.slice(0, -API.length);

/** Returns the links of the service: its resources and its documentation. */
export function serviceLinks(api: string): ServiceSummary["links"] {
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

/** Returns the links of a record or draft that apply to all callers who may read it. */
export function recordLinks(
  api: string,
  record: Pick<StoredRecord, "id" | "model" | "state" | "isPublished">,
): RecordLinks {
  const url = `${api}/records/${record.model}/${record.id}`;
  const versions = { versions: `${url}/versions`, latest: `${url}/versions/latest` };
  // There is no link to an open draft, because few callers may know of it.
  if (record.state === "published") {
    const page = pageUrl({ url: pagesUrl(api) }, record);
    return { self: url, self_html: page, record: url, ...versions, files: `${url}/files` };
  }
  return {
    self: `${url}/draft`,
    draft: `${url}/draft`,
    record: record.isPublished ? url : undefined,
    publish: `${url}/draft/actions/publish`,
    ...(record.isPublished ? versions : {}),
    files: `${url}/draft/files`,
  };
}

/** Returns the URL of a term. @param base base URL of the API or of the pages */
export function termUrl(base: string, vocabulary: string, id: string): string {
  return `${base}/vocabularies/${vocabulary}/${encodeSegment(id)}`;
}

/** Returns the links of a term, with one to the picture of its structure if it has one. */
export function termLinks(
  api: string,
  vocabulary: Pick<Vocabulary, "name" | "structure">,
  { id, json }: Pick<StoredTerm, "id" | "json">,
): TermLinks {
  const self = termUrl(api, vocabulary.name, id);
  const structure = structureOf(vocabulary, { id, json });
  return {
    self,
    self_html: termUrl(pagesUrl(api), vocabulary.name, id),
    citations: citationsUrl(self),
    structure: structure === undefined ? undefined : structureUrl(self, structure.revision),
  };
}

/** Returns the URL of the records that cite a term. @param term URL of the term */
export const citationsUrl = (term: string): string => `${term}/citations`;

/**
 * Returns the URL of the picture of a term's structure. With the revision of the term, clients may cache the picture as
 * long as the term has this revision.
 */
export function structureUrl(term: string, revision?: number): string {
  return `${term}/structure.svg${revision === undefined ? "" : `?v=${revision}`}`;
}

/** Returns the URL of a molecule. @param base base URL of the API or of the pages */
export const moleculeUrl = (base: string, id: string): string => `${base}/molecules/${encodeSegment(id)}`;

/** Returns the links of a molecule. @param field name of the field that finds its records */
export function moleculeLinks(api: string, { id, term }: MoleculeContent, field: string): Molecule["links"] {
  return {
    self: moleculeUrl(api, id),
    self_html: moleculeUrl(pagesUrl(api), id),
    records: `${api}/records?${printQueryString([["q", `${field}:"${id}"`]])}`,
    register: recogniseIdentifier(id)?.url,
    term: term && termUrl(api, term.vocabulary, term.id),
  };
}

/** Returns the links of a model: its schema, its fields, its records, and an example if it has one. */
export function modelLinks(api: string, { name, example }: Pick<Model, "name" | "example">): ModelLinks {
  const self = `${api}/models/${name}`;
  return {
    self,
    schema: `${self}/schema`,
    fields: `${self}/fields`,
    example: example === undefined ? undefined : `${self}/example`,
    records: `${api}/records/${name}`,
  };
}

/** Returns the URL of the search of a vocabulary's authority. */
export const lookupUrl = (api: string, vocabulary: string): string => `${api}/vocabularies/${vocabulary}/lookup`;

/** Returns the links self, prev and next, if they apply, of a page of hits of an authority. */
export function lookupLinks(
  url: string,
  { q, page, total }: { readonly q: string; readonly page: number; readonly total: number },
): SearchLinks {
  const size = LIMITS.lookupPageSize;
  const link = (number: number): string => `${url}?${printQueryString(Object.entries({ q, page: String(number) }))}`;
  const hasNext = page * size < Math.min(total, LIMITS.pageWindowMax);
  return {
    self: link(page),
    ...(page > 1 ? { prev: link(page - 1) } : {}),
    ...(hasNext ? { next: link(page + 1) } : {}),
  };
}

/** Returns the links self, prev and next, if they apply, of a page of a list that has no search. */
export function listPageLinks(
  url: string,
  { page, size }: { readonly page: number; readonly size: number },
  { total, sortBy }: { readonly total: number; readonly sortBy?: string },
): SearchLinks {
  const order = sortBy === undefined ? "" : `&sort=${sortBy}`;
  const link = (number: number): string => `${url}?page=${number}&size=${size}${order}`;
  return {
    self: link(page),
    ...(page > 1 ? { prev: link(page - 1) } : {}),
    ...(page * size < total ? { next: link(page + 1) } : {}),
  };
}
