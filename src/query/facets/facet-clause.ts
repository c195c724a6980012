import type { KeySelection } from "../../core/catalog/facet-kinds/facet-kind.js";
import { type FacetBuckets, selectKey } from "../../core/catalog/facet-kinds/facet-kinds.js";
import { citationSites } from "../../core/catalog/facet-kinds/tree.js";
import { type Bound, type Clause, NOTHING } from "../index-model/clause.js";

/**
 * Returns a clause that matches if one of the selected keys of a facet is at one of the paths. An invalid key matches
 * nothing.
 *
 * @returns undefined if no key is selected, or if keys are exact texts, which have no clause
 */
export function facetClause(
  buckets: FacetBuckets,
  paths: readonly string[],
  selected: readonly string[],
): Clause | undefined {
  const of = [...new Set(selected)].flatMap((key) => selectionClause(selectKey(buckets, key), paths, key) ?? []);
  return of.length > 1 ? { kind: "any", of } : of[0];
}

/** Returns undefined for exact texts: no clause can select one, because clauses compare folded text. */
function selectionClause(selection: KeySelection, paths: readonly string[], key: string): Clause | undefined {
  switch (selection.kind) {
    case "text":
      return undefined;
    case "range": {
      const { type, from, to } = selection;
      return { kind: "range", paths, type, from: bound(from, true), to: bound(to, false) };
    }
    case "subtree":
      return {
        kind: "cites",
        vocabularies: [selection.vocabulary],
        id: key,
        sites: citationSites(paths),
        within: true,
      };
    case "nothing":
      return NOTHING;
  }
}

const bound = (value: number | string | undefined, inclusive: boolean): Bound | undefined =>
  value === undefined ? undefined : { value, inclusive };
