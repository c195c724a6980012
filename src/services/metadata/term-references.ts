import type { TermSite } from "../../core/catalog/types.js";
import { type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { AsCited } from "../../core/term.js";
import { termUuid } from "../../core/terms/term-version.js";
import type { TermReference } from "../../ports/store.js";
import { fieldOf } from "../input/issues.js";
import { rewriteSites, type SiteTree } from "../input/walk-sites.js";

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

/** The cited terms that stand filled in at the sites of metadata, with their places, in document order. */
export function citedTermsOf(metadata: JsonObject, tree: SiteTree<TermSite>): readonly AsCited[] {
  const found: AsCited[] = [];
  rewriteSites(metadata, tree, (term, sites, place) => {
    const [version, id] = [own(term, "@v"), own(term, "id")];
    if (typeof version !== "string" || typeof id !== "string") return term;
    // Of alternatives it is the vocabulary whose term the version marker stands for.
    const site = sites.find(({ vocabulary }) => version.startsWith(`${termUuid(vocabulary, id)}::`));
    if (site !== undefined) found.push({ field: fieldOf(place), vocabulary: site.vocabulary, term });
    return term;
  });
  return found;
}
