import type { Model, TermSite } from "../../core/catalog/types.js";
import { type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { CitedTerm } from "../../core/term.js";
import type { TermReader, TermReference } from "../../ports/store.js";
import { rewriteSites, type SiteTree, siteTree } from "./walk-sites.js";

/** Every (vocabulary, id) that stands at a term site of metadata, each once. No vocabulary's name holds a blank. */
export function referencesOf(metadata: JsonObject, tree: SiteTree<TermSite>): readonly TermReference[] {
  const found = new Map<string, TermReference>();
  rewriteSites(metadata, tree, (element, sites) => {
    const id = own(element, "id");
    if (typeof id !== "string" || id.length > LIMITS.termIdLengthMax) return element;
    for (const { vocabulary } of sites) found.set(`${vocabulary} ${id}`, { vocabulary, id });
    return element;
  });
  return [...found.values()];
}

/**
 * The terms that stored metadata cites, as a store wants them beside a body whose metadata stays as it is: an id that
 * was replaced since has the names of its successor.
 */
export async function citedTerms(terms: TermReader, model: Model, metadata: JsonObject): Promise<readonly CitedTerm[]> {
  const references = referencesOf(metadata, siteTree(model.termSites));
  const citations = references.length === 0 ? [] : await terms.cite(references);
  return citations.map(({ asked, term }) => ({ ...term, id: asked.id }));
}
