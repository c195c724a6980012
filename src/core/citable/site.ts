import type { Identifier } from "../identifiers/identifiers.js";
import type { Citable } from "./citable.js";

/** The installation that serves a record. */
export interface Site {
  /** Where clients reach it, without a slash at its end. */
  readonly url: string;
  /** Base of the persistent addresses of records, where the operator has one: a PURL, w3id or ARK prefix. */
  readonly citeUrl?: string;
}

/** The page of a record: the same in all versions of a model's name. */
export function pageUrl({ url }: Site, { id }: Pick<Citable, "id">): string {
  return `${url}/records/${id}`;
}

/** Returns the first DOI among the identifiers of a record, or undefined if it has none. */
export function ownDoi({ identifiers }: Pick<Citable, "identifiers">): Identifier | undefined {
  return identifiers.flatMap(({ identifier }) => identifier ?? []).find(({ scheme }) => scheme === "doi");
}

/** Returns the persistent address of a record at this installation. */
export function citedUrl(site: Site, record: Pick<Citable, "id">): string {
  return site.citeUrl === undefined ? pageUrl(site, record) : `${site.citeUrl}${record.id}`;
}
