import { analyse } from "../text/analyse.js";

/** Fields whose values name what they stand in, or what is cited there. */
const NAMES = new Set(["id", "identifiers", "external_identifier", "external_databases", "additional_identifiers"]);

/** Does a whole value at this path identify something? */
export function isIdentifierPath(path: string): boolean {
  return NAMES.has(path.slice(path.lastIndexOf(".") + 1));
}

const HOST = /^https?:\/\/[^/\s]+\//iu;
const PREFIX = /^[a-z][a-z0-9._-]*:/iu;

/**
 * The words of an identifier in each way that people paste it: whole, without the host of its URL, and without its
 * prefix (`P69905` of `Uniprot:P69905`). Each way once; none without words.
 */
export function identifierForms(value: string): readonly (readonly string[])[] {
  const local = value.replace(HOST, "");
  const ways = new Set([value, local, local.replace(PREFIX, "")]);
  const forms = [...ways].map(analyse).filter((words) => words.length > 0);
  return forms.length < 2 ? forms : [...new Map(forms.map((words) => [words.join(" "), words])).values()];
}

/** Where the identifiers of people, works and organisations are resolved, with what their ids begin with. */
const RESOLVER = /^(?:https?:\/\/)?(?:(?:www|dx)\.)?(?:doi\.org\/(?=10\.)|orcid\.org\/(?=\d{4}-)|ror\.org\/(?=0))/iu;

/**
 * What a text that is the URL of a DOI, an ORCID or a ROR id names, without the host: that is what every way of
 * writing it has in common. Undefined for any other text.
 */
export function pastedIdentifier(text: string): string | undefined {
  const host = RESOLVER.exec(text)?.[0];
  return host === undefined ? undefined : text.slice(host.length).replace(/\/+$/u, "");
}

/**
 * A URL, with or without its scheme, up to the end of its host; then what follows. Without a scheme a host has a dot,
 * and its last label is a name (RFC 1123, 2.1: top-level domains are alphabetic), so that `0.5/562` is none.
 */
const URL_PARTS =
  /(?<![\p{L}\d.:/@_-])(?:https?:\/\/[^\s/?#]+|(?:[\p{L}\d-]+\.)+\p{L}[\p{L}\d-]+(?::\d+)?)[/?#](\S+)/iu;

/** An identifier at the end of a URL has so many words at most. */
const URL_TAIL_WORDS = 6;

/** The last words after the host of a URL in a text, where an item's identifier may be. Undefined without a URL. */
export function urlTail(text: string): readonly string[] | undefined {
  const rest = URL_PARTS.exec(text.replace(/\\(.)/gsu, "$1"))?.[1];
  return rest === undefined ? undefined : analyse(rest).slice(-URL_TAIL_WORDS);
}
