/** Facets by the name under which models or a vocabulary declare them. */

import type { KeySelection } from "../../core/catalog/facet-kinds/facet-kind.js";
import {
  type FacetBuckets,
  type FacetValues,
  facetBuckets,
  selectKey,
} from "../../core/catalog/facet-kinds/facet-kinds.js";
import { citationSites } from "../../core/catalog/facet-kinds/tree.js";
import type { Facet } from "../../core/catalog/types.js";
import { type Bound, type Clause, NOTHING } from "../index-model/clause.js";
import { countedPaths, namePaths } from "../index-model/indexed-paths.js";
import type { ListedKeys } from "../index-model/list-buckets.js";

/** Facet of one model or of several models, in which its paths may differ. */
export type SearchedFacet = FacetValues & {
  readonly name: string;
  readonly label: string;
  readonly paths: readonly string[];
  /** Present if the facet is counted only when it is requested by name or filters. */
  readonly onRequest?: true;
  /** Vocabularies with titles of keys. The first one that has a title for a key is used. */
  readonly vocabularies: readonly string[];
  /** Paths with the names of keys, which the facet `namesFacet` counts. */
  readonly namePaths?: readonly string[];
};

/** Unites facets with the same name. The catalog ensures that they are counted in the same way. */
export function uniteFacets(facets: readonly Facet[]): SearchedFacet[] {
  const united = new Map<string, SearchedFacet & { readonly paths: string[]; readonly vocabularies: string[] }>();
  for (const facet of facets) {
    const names = namePaths(facet);
    const target = united.get(facet.name) ?? { ...facet, paths: [], vocabularies: [] };
    const allNames = new Set([...(target.namePaths ?? []), ...names]);
    united.set(facet.name, allNames.size === 0 ? target : { ...target, namePaths: [...allNames] });
    for (const path of countedPaths(facet)) if (!target.paths.includes(path)) target.paths.push(path);
    const vocabulary = "vocabulary" in facet ? facet.vocabulary : undefined;
    if (vocabulary !== undefined && !target.vocabularies.includes(vocabulary)) target.vocabularies.push(vocabulary);
  }
  return [...united.values()];
}

/** Returns the name of the facet that counts the names of the keys of a facet. No declared facet has such a name. */
export const namesFacet = (name: string): string => `${name}.names`;

/** Adds the facets of names to united facets. */
export function withNames(facets: readonly SearchedFacet[]): readonly SearchedFacet[] {
  return facets.flatMap((facet) => {
    const { namePaths: paths, ...keys } = facet;
    return paths === undefined ? [facet] : [facet, { ...keys, name: namesFacet(facet.name), paths }];
  });
}

/** Counted values of a facet: those at its leaf paths, by bucket. A value at two paths counts once. */
export interface FacetSource {
  readonly buckets: FacetBuckets;
  readonly paths: readonly string[];
}

/** Request for a facet, see the port of the search index. */
export interface FacetRequest {
  readonly name: string;
  readonly size: number;
  readonly selected: readonly string[];
  readonly steps?: number;
  readonly listed?: ListedKeys | undefined;
}

/** Requested facet with its source. */
export interface CountedFacet extends FacetRequest, FacetSource {}

/** Adds the sources to requested facets. `owners` are models that are searched together, or one vocabulary. */
export type FacetLookup = (owners: readonly string[], requests: readonly FacetRequest[]) => readonly CountedFacet[];

/** Makes a FacetLookup. It caches the united facets of each set of owners. */
export function makeFacetLookup(declared: ReadonlyMap<string, { readonly facets: readonly Facet[] }>): FacetLookup {
  const cache = new Map<string, ReadonlyMap<string, FacetSource & { readonly facet: SearchedFacet }>>();
  const unite = (owners: readonly string[]) => {
    const facets = withNames(uniteFacets(owners.flatMap((owner) => declared.get(owner)?.facets ?? [])));
    return new Map(facets.map((facet) => [facet.name, { facet, buckets: facetBuckets(facet), paths: facet.paths }]));
  };
  return (owners, requests) => {
    if (requests.length === 0) return [];
    const key = owners.join(" ");
    const sources = cache.get(key) ?? unite(owners);
    cache.set(key, sources);
    return requests.map((request) => {
      const source = sources.get(request.name);
      if (source === undefined) throw new Error(`${owners.join(", ")} declare no facet ${request.name}.`);
      const { facet, paths } = source;
      const buckets = request.steps === undefined ? source.buckets : facetBuckets(facet, request.steps);
      return { ...request, buckets, paths };
    });
  };
}

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
