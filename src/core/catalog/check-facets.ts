import type { Declaration, Problems } from "../declarations/declaration.js";
import type { Facet, Model } from "./types.js";

/** A compiled model with the file that declares its fields. */
export interface DeclaredModel {
  readonly model: Model;
  readonly declaration: Declaration;
}

/**
 * A search over several models unites facets of one name: they must count the same thing in the same way. Notes each
 * that differs from the first one of its name.
 */
export function checkFacets(models: readonly DeclaredModel[], problems: Problems): void {
  const known = new Map<string, { readonly facet: Facet; readonly model: string }>();
  for (const { model, declaration } of models) {
    for (const facet of model.facets) {
      const first = known.get(facet.name);
      if (first === undefined) known.set(facet.name, { facet, model: model.name });
      else if (describe(facet) !== describe(first.facet)) {
        const reason =
          `the facet "${facet.name}" is ${describe(facet)} here, but ${describe(first.facet)} in the model ` +
          `${first.model}; facets of one name must agree, or have two names`;
        problems.add(declaration, ["fields", facet.name, "facet"], reason);
      }
    }
  }
}

/** Says all that must agree. Paths and labels may differ, and so may the vocabularies of terms, each a flat list. */
function describe(facet: Facet): string {
  switch (facet.kind) {
    case "terms":
      return "of terms";
    case "tree":
      return `a tree of ${facet.vocabulary}`;
    case "year":
      return "of years";
    case "histogram": {
      const steps = facet.edges === undefined ? "equal steps" : `the edges ${facet.edges.join(", ")}`;
      return `a ${facet.scale} histogram with ${steps}${facet.unit === undefined ? "" : ` in ${facet.unit}`}`;
    }
  }
}
