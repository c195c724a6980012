/**
 * Typed links that lead machines from a page to what it is about (https://signposting.org/FAIR/): level 1 in the `Link`
 * header of the page, level 2 as a link set (RFC 9264). All addresses are absolute.
 */
import { type Citable, citedUrl, pageUrl, type Site } from "../../core/citable/citable.js";
import type { RecordFormat } from "./record-format.js";

/** A link of a Signposting document, with its relation. */
export interface TypedLink {
  readonly rel: string;
  readonly href: string;
  /** Media type of the target, without parameters (RFC 8288, 3.4.1). */
  readonly type?: string;
  readonly profile?: string | undefined;
}

/** Media types of a link set (RFC 9264): as JSON, and as the text of a `Link` header. */
export const LINKSET_TYPES = { json: "application/linkset+json", text: "application/linkset" } as const;

/** Formats whose content is the record, not a description of it. */
const ITEMS = new Set(["results"]);

/** Returns the address of a format of a record. */
function exportUrl(site: Site, record: Pick<Citable, "id">, format: string): string {
  return `${pageUrl(site, record)}/export/${format}`;
}

/** Returns the address of the record in the API, which is also that of its link set. */
function apiRecordUrl(site: Site, { id, model }: Pick<Citable, "id" | "model">): string {
  return `${site.url}/api/records/${model.name}/${id}`;
}

/** Returns all links of the page of a record, the most important ones first. */
export function signposts(record: Citable, site: Site, formats: readonly RecordFormat[]): readonly TypedLink[] {
  const described = formats.filter(({ name }) => !ITEMS.has(name));
  const items = formats.filter(({ name }) => ITEMS.has(name) && record.results.length > 0);
  const exported = (rel: string, { name, mediaType, profile }: RecordFormat): TypedLink => ({
    rel,
    href: exportUrl(site, record, name),
    type: mediaType.split(";", 1)[0]!,
    profile,
  });
  const linksetUrl = apiRecordUrl(site, record);
  return [
    { rel: "cite-as", href: citedUrl(site, record) },
    { rel: "type", href: "https://schema.org/AboutPage" },
    { rel: "type", href: "https://schema.org/Dataset" },
    { rel: "linkset", href: linksetUrl, type: LINKSET_TYPES.json },
    { rel: "linkset", href: linksetUrl, type: LINKSET_TYPES.text },
    ...(record.license?.url === undefined ? [] : [{ rel: "license", href: record.license.url }]),
    ...record.people.flatMap(({ orcid }) =>
      orcid === undefined ? [] : [{ rel: "author", href: `https://orcid.org/${orcid}` }],
    ),
    { rel: "item", href: exportUrl(site, record, "json"), type: "application/json" },
    ...items.map((format) => exported("item", format)),
    ...described.map((format) => exported("describedby", format)),
  ];
}

/** Maximum size of the header: half of what proxies accept for all headers. */
const LINK_BYTES_MAX = 4_000;

/**
 * Returns the `Link` header (RFC 8288) with as many links as fit, the first ones; the answer itself has all of them.
 */
export function linkHeader(links: readonly TypedLink[], bytesMax = LINK_BYTES_MAX): string {
  let header = "";
  for (const link of links) {
    const next = header === "" ? writeLink(link) : `${header}, ${writeLink(link)}`;
    // A character has three bytes at most.
    if (next.length * 3 > bytesMax && Buffer.byteLength(next) > bytesMax) break;
    header = next;
  }
  return header;
}

/**
 * A character that a URI cannot have (RFC 3986). In a header it could end the address or the line, or not be a byte.
 */
const NOT_IN_URI = /[^!#$%&'()*+,\-./:;=?@[\]_~0-9A-Za-z]/gu;

const encodeCharacter = (character: string): string =>
  /\p{Surrogate}/u.test(character) ? "%EF%BF%BD" : encodeURIComponent(character);

/** Writes one link. @param anchor source of the link, if it is not the document itself */
function writeLink({ rel, href, type, profile }: TypedLink, anchor?: string): string {
  const attributes = Object.entries({ rel, type, profile, anchor }).flatMap(([key, value]) =>
    value === undefined ? [] : [`; ${key}="${value.replaceAll(/["\\]/g, encodeURIComponent)}"`],
  );
  return `<${encodeUri(href)}>${attributes.join("")}`;
}

/** Percent-encodes the characters of an address that RFC 3986 does not allow in a URI. */
export const encodeUri = (address: string): string => address.replaceAll(NOT_IN_URI, encodeCharacter);

/** Links of one document. */
interface LinkContext {
  readonly anchor: string;
  readonly links: readonly TypedLink[];
}

/** Returns the links from a record page to its items and formats, and from these back to the page. */
function linkContexts(record: Citable, site: Site, formats: readonly RecordFormat[]): readonly LinkContext[] {
  const page = pageUrl(site, record);
  const links = signposts(record, site, formats).filter(({ rel }) => rel !== "linkset");
  const back = (rel: string, to: string): readonly LinkContext[] =>
    links
      .filter((link) => link.rel === rel)
      .map(({ href }) => ({ anchor: href, links: [{ rel: to, href: page, type: "text/html" }] }));
  return [{ anchor: page, links }, ...back("item", "collection"), ...back("describedby", "describes")];
}

/** Returns the link set of a record as JSON (RFC 9264, 4.2). */
export function linkset(record: Citable, site: Site, formats: readonly RecordFormat[]): object {
  const contexts = linkContexts(record, site, formats);
  return { linkset: contexts.map(({ anchor, links }) => ({ anchor, ...byRelation(links) })) };
}

/** Returns the link set of a record as text (RFC 9264, 4.1): a `Link` header that may have line breaks. */
export function linksetText(record: Citable, site: Site, formats: readonly RecordFormat[]): string {
  const links = linkContexts(record, site, formats).flatMap(({ anchor, links: each }) =>
    each.map((link) => writeLink(link, anchor)),
  );
  return `${links.join(",\n")}\n`;
}

function byRelation(links: readonly TypedLink[]): Record<string, readonly object[]> {
  const relations = new Map<string, object[]>();
  for (const { rel, ...target } of links) {
    const targets = relations.get(rel) ?? [];
    relations.set(rel, [...targets, target]);
  }
  return Object.fromEntries(relations);
}
