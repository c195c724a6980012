/** Facets of a search: what to ask the index, and how its counts are shown. */
import type { Facet, Model } from "../core/catalog/types.js";
import type { FacetCounts, FacetRequest, SearchIndex } from "../ports/search-index.js";
import type { Aggregation, SearchRequest } from "./services.js";

/** A facet over one model or several, which may keep it at different places. */
export interface SearchedFacet {
  readonly name: string;
  readonly label: string;
  readonly paths: readonly string[];
  readonly vocabulary?: string;
}

/** Every model has it, but only in the user scopes is there more than one state. */
const STATE_FACET = "state";

/**
 * Facets of a search for records: facets with one name are one, at all of its paths.
 * @param own is this a user scope?
 */
export function recordFacets(models: readonly Model[], own: boolean): readonly SearchedFacet[] {
  const facets = models.flatMap((model) => model.facets);
  return uniteFacets(own ? facets : facets.filter(({ name }) => name !== STATE_FACET));
}

export function uniteFacets(facets: readonly Pick<Facet, "name" | "label" | "path" | "vocabulary">[]): SearchedFacet[] {
  const united = new Map<string, SearchedFacet>();
  for (const { name, label, path, vocabulary } of facets) {
    const known = united.get(name);
    if (known === undefined) {
      united.set(name, { name, label, paths: [path], ...(vocabulary === undefined ? {} : { vocabulary }) });
    } else if (!known.paths.includes(path)) {
      united.set(name, { ...known, paths: [...known.paths, path] });
    }
  }
  return [...united.values()];
}

/** What the index is asked: facets that filter, and all of them where counts are wanted. */
export function facetRequests(
  facets: readonly SearchedFacet[],
  { filters, facetSize }: Pick<SearchRequest, "filters" | "facetSize">,
): readonly FacetRequest[] {
  const requests = facets.map(({ name, paths }) => {
    const selected = Object.hasOwn(filters, name) ? [...new Set(filters[name])] : [];
    return { name, buckets: { kind: "terms" as const }, paths, size: facetSize, selected };
  });
  return facetSize > 0 ? requests : requests.filter(({ selected }) => selected.length > 0);
}

/** The counts with labels, in the declared order; undefined where none were wanted. */
export async function aggregationsOf(
  index: SearchIndex,
  facets: readonly SearchedFacet[],
  counts: readonly FacetCounts[],
  { filters, facetSize, lang }: Pick<SearchRequest, "filters" | "facetSize" | "lang">,
): Promise<Readonly<Record<string, Aggregation>> | undefined> {
  if (facetSize === 0) return undefined;
  const made = facets.map(async ({ name, label, vocabulary }): Promise<[string, Aggregation]> => {
    const { buckets, other } = counts.find((count) => count.name === name) ?? { buckets: [], other: 0 };
    const keys = buckets.map(({ key }) => key);
    const titles =
      vocabulary === undefined || keys.length === 0 ? undefined : await index.titles(vocabulary, keys, lang);
    const selected: readonly string[] = Object.hasOwn(filters, name) ? filters[name]! : [];
    const shown = buckets.map(({ key, count }) => ({
      key,
      label: titles?.get(key) ?? key,
      doc_count: count,
      is_selected: selected.includes(key),
    }));
    return [name, { label, buckets: shown, other }];
  });
  return Object.fromEntries(await Promise.all(made));
}
