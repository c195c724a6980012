import type { DeclaredObject } from "./declared.js";
import { SEARCH_PARAMETERS } from "./parameters.js";
import type { Facet, Leaf } from "./types.js";

/**
 * Reads `facet: Label` or `facet: {label, kind: terms}` of a declared field, if there is one.
 *
 * @param leaf the leaf whose values are the keys; undefined where the path names none
 */
export function compileFacet(
  field: DeclaredObject,
  name: string,
  leaf: Leaf | undefined,
  vocabulary?: string,
): Facet | undefined {
  if (!field.has("facet")) return undefined;
  const label = labelOf(field);
  if (label === undefined) return undefined;
  if (SEARCH_PARAMETERS.includes(name)) {
    field.note("facet", `a facet may not be named "${name}": that is a parameter of every search`);
  }
  if (leaf === undefined) {
    field.note("facet", "the path of a facet must name a single value, or a place where a term is cited");
    return undefined;
  }
  if (leaf.type !== "keyword") {
    field.note("facet", `a facet counts texts, but ${leaf.path} is a ${leaf.type}`);
  }
  return { name, label, path: leaf.path, kind: "terms", ...(vocabulary === undefined ? {} : { vocabulary }) };
}

function labelOf(field: DeclaredObject): string | undefined {
  if (typeof field.raw("facet") === "string") return field.optionalText("facet");
  const facet = field.object("facet");
  facet?.allow(["label", "kind"]);
  const kind = facet?.optionalText("kind");
  if (kind !== undefined && kind !== "terms") facet?.note("kind", `unknown kind "${kind}"; known is terms`);
  return facet?.text("label");
}
