/** Facets as they are asked for: by the name under which models, or a vocabulary, declare them. */
import type { Facet, FacetValues } from "../../core/catalog/types.js";
import { binsOf, type FacetBuckets } from "./buckets.js";
import type { ListedKeys } from "./list-buckets.js";

/** Steps of a histogram that declares no edges. */
const STEPS_DEFAULT = 24;

/** A facet over one model or several, which may keep it at different places. */
export type SearchedFacet = FacetValues & {
  readonly name: string;
  readonly label: string;
  readonly paths: readonly string[];
  /** Counted only where it is asked for by name, or filters. */
  readonly onRequest?: true;
  /** Where keys have titles: the first vocabulary that has one labels it. */
  readonly vocabularies: readonly string[];
};

/** Facets of one name count the same in the same way: the catalog is checked for it. */
export function uniteFacets(facets: readonly Facet[]): SearchedFacet[] {
  const united = new Map<string, SearchedFacet & { readonly paths: string[]; readonly vocabularies: string[] }>();
  for (const facet of facets) {
    const known = united.get(facet.name) ?? { ...facet, paths: [], vocabularies: [] };
    united.set(facet.name, known);
    for (const path of pathsOf(facet)) if (!known.paths.includes(path)) known.paths.push(path);
    const vocabulary = "vocabulary" in facet ? facet.vocabulary : undefined;
    if (vocabulary !== undefined && !known.vocabularies.includes(vocabulary)) known.vocabularies.push(vocabulary);
  }
  return [...united.values()];
}

/** All paths that a facet counts. */
export const pathsOf = ({ path, morePaths = [] }: Facet): readonly string[] => [path, ...morePaths];

/** @param steps of a histogram, instead of its declared edges */
export function bucketsOf(facet: FacetValues, steps?: number): FacetBuckets {
  switch (facet.kind) {
    case "tree":
      return {
        kind: "tree",
        vocabulary: facet.vocabulary,
        ...(facet.unlisted === undefined ? {} : { unlisted: facet.unlisted }),
      };
    case "histogram":
      return steps === undefined && facet.edges !== undefined
        ? binsOf(facet.edges)
        : { kind: "steps", count: steps ?? STEPS_DEFAULT, scale: facet.scale };
    default:
      return { kind: facet.kind };
  }
}

/** What a facet counts: the values at its leaf paths, as buckets. A value at two of them counts once. */
export interface FacetSource {
  readonly buckets: FacetBuckets;
  readonly paths: readonly string[];
}

/** A facet as it is asked for, see the port of the index. */
export interface AskedFacet {
  readonly name: string;
  readonly size: number;
  readonly selected: readonly string[];
  readonly steps?: number;
  readonly listed?: ListedKeys;
}

/** A facet that is asked for: how many buckets are wanted, and which keys filter. */
export interface CountedFacet extends AskedFacet, FacetSource {}

/** Adds to what is asked for what is counted. */
export type FacetLookup = (owners: readonly string[], requests: readonly AskedFacet[]) => readonly CountedFacet[];

/**
 * Looks facets up by name, as their owners (models that are searched together, or one vocabulary) declare them; each
 * choice of owners is united once.
 */
export function makeFacetLookup(declared: ReadonlyMap<string, { readonly facets: readonly Facet[] }>): FacetLookup {
  const known = new Map<string, ReadonlyMap<string, FacetSource & { readonly facet: SearchedFacet }>>();
  const unite = (owners: readonly string[]) => {
    const facets = uniteFacets(owners.flatMap((owner) => declared.get(owner)?.facets ?? []));
    return new Map(facets.map((facet) => [facet.name, { facet, buckets: bucketsOf(facet), paths: facet.paths }]));
  };
  return (owners, requests) => {
    if (requests.length === 0) return [];
    const key = owners.join(" ");
    const sources = known.get(key) ?? unite(owners);
    known.set(key, sources);
    return requests.map((request) => {
      const source = sources.get(request.name);
      if (source === undefined) throw new Error(`${owners.join(", ")} declare no facet ${request.name}.`);
      const { facet, paths } = source;
      const buckets = request.steps === undefined ? source.buckets : bucketsOf(facet, request.steps);
      return { ...request, buckets, paths };
    });
  };
}
