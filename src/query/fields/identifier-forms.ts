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
