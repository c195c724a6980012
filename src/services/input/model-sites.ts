import type { Model, ReferenceSite, TermSite } from "../../core/catalog/types.js";
import { type SiteTree, siteTree } from "./walk-sites.js";

/** Where the records of a model cite terms and refer to their own parts: made once for each model. */
export interface ModelSites {
  readonly terms: SiteTree<TermSite>;
  readonly references: SiteTree<ReferenceSite>;
  /** The lists whose elements are referred to. */
  readonly targets: SiteTree<{ readonly path: string }>;
}

export function modelSites({ termSites, references }: Model): ModelSites {
  const lists = [...new Set(references.map(({ to }) => to))];
  return {
    terms: siteTree(termSites),
    references: siteTree(references),
    targets: siteTree(lists.map((path) => ({ path }))),
  };
}
