import type { TermSite } from "../../core/catalog/types.js";
import { type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { TermReference } from "../../ports/store.js";
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
