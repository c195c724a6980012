/** Facets of a search: the requests to the index, and the aggregations of the answer. */
import type { Aggregation, SelectedValue } from "../../core/answers/searches.js";
import type { KeyLabel } from "../../core/catalog/facet-kinds/facet-kind.js";
import { facetKind, readFacetKey } from "../../core/catalog/facet-kinds/facet-kinds.js";
import type { Catalog } from "../../core/catalog/types.js";
import { readNamedKey } from "../../core/citable/molecules.js";
import { LIMITS } from "../../core/limits.js";
import type { FacetCounts, FacetRequest, RecordSearch, SearchIndex } from "../../ports/search-index.js";
import { namesFacet, type SearchedFacet, uniteFacets } from "../../query/facets/declared-facets.js";
import { analyse } from "../../query/text/analyse.js";
import { prefixWords } from "../../query/text/pattern.js";
import type { SearchAnswer, SearchRequest } from "../api/searches.js";
import { readDistinctTitles, type TitleReader } from "./distinct-titles.js";

export { readFacetKey, type SearchedFacet };

/** Facet of every model. Only the user scopes have more than one state. */
const STATE_FACET = "state";

/**
 * Returns the facets of a search for records. Facets with the same name are united, with the paths of all of them.
 * @param model name of a model of the catalog; undefined for all of them
 * @param own whether this is a user scope
 */
export type RecordFacets = (model: string | undefined, own: boolean) => readonly SearchedFacet[];

/** Makes a function that unites the facets of each scope once, because every search needs them. */
export function makeRecordFacets({ models }: Pick<Catalog, "models">): RecordFacets {
  const unite = (model: string | undefined, own: boolean): readonly SearchedFacet[] => {
    const searched = [...models.values()].filter(({ name }) => model === undefined || name === model);
    const facets = searched.flatMap((each) => each.facets);
    return uniteFacets(own ? facets : facets.filter(({ name }) => name !== STATE_FACET));
  };
  const facetsByScope = new Map<string, readonly SearchedFacet[]>();
  return (model, own) => {
    const scope = `${own} ${model ?? ""}`;
    const facets = facetsByScope.get(scope) ?? unite(model, own);
    facetsByScope.set(scope, facets);
    return facets;
  };
}

/** Makes a function that returns the facets of a vocabulary by its name. */
export function makeTermFacets({
  vocabularies,
}: Pick<Catalog, "vocabularies">): (name: string) => readonly SearchedFacet[] {
  const facetsByName = new Map([...vocabularies].map(([name, { facets }]) => [name, uniteFacets(facets)]));
  return (name) => facetsByName.get(name) ?? [];
}

type FacetParameters = Pick<SearchRequest, "filters" | "facetSize" | "counting">;

function isCounted({ name, onRequest }: SearchedFacet, { filters, facetSize, counting }: FacetParameters): boolean {
  if (facetSize === 0) return false;
  if (counting?.names !== undefined) return counting.names.includes(name);
  return (
    onRequest === undefined || [filters, counting?.steps ?? {}].some((parameters) => Object.hasOwn(parameters, name))
  );
}

/**
 * Returns the requests to the index: for facets that filter, and for facets to count.
 * @param listing the buckets to list of the counted facets, see `listMatchingBuckets`
 */
export function facetRequests(
  facets: readonly SearchedFacet[],
  parameters: FacetParameters,
  listing: Partial<FacetRequest> = {},
): readonly FacetRequest[] {
  const { filters, facetSize, counting = {} } = parameters;
  const requests = facets.map((facet): FacetRequest => {
    const { name, kind } = facet;
    const selected = Object.hasOwn(filters, name) ? [...new Set(filters[name])] : [];
    if (!isCounted(facet, parameters)) return { name, size: 0, selected };
    const { steps = {}, below, citedOnly } = counting;
    const citedTerms = citedOnly === true && facetKind(kind).isNested ? ({ cited: true } as const) : undefined;
    return {
      name,
      size: facetSize,
      selected,
      ...(Object.hasOwn(steps, name) ? { steps: steps[name]! } : {}),
      listed: below === undefined ? citedTerms : { below },
      ...listing,
    };
  });
  return requests.filter(({ size, selected }) => size > 0 || selected.length > 0);
}

/** Returns the request for the values of one facet, without a selection. */
export function valueRequests(facet: SearchedFacet, size: number): readonly FacetRequest[] {
  const { onRequest: _, ...counted } = facet;
  return facetRequests([counted], { filters: {}, facetSize: size });
}

/** The most used name of each key, by the name of the facet. */
type KeyNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Maximum number of keys to which the search for names is limited. Longer lists are those of a typed text. */
const NAMED_KEYS_MAX = 1_000;

/**
 * Reads the names of the listed and selected keys of the facets of molecules. Only names in records that match the
 * search without the filters of these facets count, so that names of records that the caller may not find are never
 * shown. Each facet costs a search for the records with these keys.
 * @param counts of the search
 */
export async function readKeyNames(
  index: Pick<SearchIndex, "searchRecords">,
  search: Pick<RecordSearch, "clause" | "plain" | "scope">,
  facets: readonly SearchedFacet[],
  parameters: FacetParameters,
  counts: readonly FacetCounts[],
): Promise<KeyNames> {
  const { filters, facetSize } = parameters;
  const named = facets.filter(({ namePaths }) => namePaths !== undefined);
  if (facetSize === 0 || named.length === 0) return new Map();
  const others = facetRequests(
    facets.filter((facet) => !named.includes(facet)),
    { filters, facetSize: 0 },
  );
  const names = named.map(async ({ name }): Promise<[string, ReadonlyMap<string, string>]> => {
    const listed = counts.find((each) => each.name === name)?.buckets ?? [];
    const selected = Object.hasOwn(filters, name) ? filters[name]! : [];
    const keys = [...new Set([...listed.map(({ key }) => key), ...selected])];
    if (keys.length === 0) return [name, new Map()];
    const limits = keys.length > NAMED_KEYS_MAX ? [] : [{ name, size: 0, selected: keys }];
    const page = await index.searchRecords({
      ...search,
      facets: [...others, ...limits, { name: namesFacet(name), size: Number.MAX_SAFE_INTEGER, selected: [] }],
      sort: "newest",
      page: { offset: 0, limit: 0 },
    });
    return [name, mostUsedNames(page.facets, name)];
  });
  return new Map(await Promise.all(names));
}

/** Returns the most used name of each key. @param counts of `namesFacet`, the most used ones first */
function mostUsedNames(counts: readonly FacetCounts[], name: string): ReadonlyMap<string, string> {
  const buckets = counts.find((each) => each.name === namesFacet(name))?.buckets ?? [];
  const names = new Map<string, string>();
  for (const bucket of buckets) {
    const named = readNamedKey(bucket.key);
    if (!names.has(named.id)) names.set(named.id, named.name);
  }
  return names;
}

/** Returns the facets of an answer: the counts with labels, and the selected values of facets that are not counted. */
export async function shownFacets(
  terms: TitleReader,
  facets: readonly SearchedFacet[],
  counts: readonly FacetCounts[],
  request: FacetParameters & Pick<SearchRequest, "lang">,
  names: KeyNames = new Map(),
): Promise<Pick<SearchAnswer<unknown>, "aggregations" | "selected">> {
  const aggregations = await makeAggregations(terms, facets, counts, request, names);
  const selected = await selectedValues(terms, facets, request, names);
  return {
    aggregations,
    selected,
  };
}

/** Returns the counts with labels, in the declared order; undefined if no facet is counted. */
export async function makeAggregations(
  terms: TitleReader,
  facets: readonly SearchedFacet[],
  counts: readonly FacetCounts[],
  request: FacetParameters & Pick<SearchRequest, "lang">,
  names: KeyNames = new Map(),
): Promise<Readonly<Record<string, Aggregation>> | undefined> {
  const { filters, facetSize, lang, counting } = request;
  if (facetSize === 0) return undefined;
  const countedFacets = facets.filter((facet) => isCounted(facet, request));
  const entries = countedFacets.map(async (facet): Promise<[string, Aggregation]> => {
    const { name, label, kind } = facet;
    const facetCounts: FacetCounts = counts.find((count) => count.name === name) ?? { name, buckets: [], other: 0 };
    const { buckets, other } = facetCounts;
    const labelBucket = await makeBucketLabels(
      terms,
      facet,
      buckets.map(({ key }) => key),
      lang,
      names.get(name),
    );
    const selected: readonly string[] = Object.hasOwn(filters, name) ? filters[name]! : [];
    const labelledBuckets = buckets.map(({ key, count, parent, hasBelow }) => {
      const { label, ...bounds } = labelBucket(key);
      return {
        key,
        label,
        doc_count: count,
        is_selected: selected.includes(key),
        parent,
        has_below: hasBelow || undefined,
        ...bounds,
      };
    });
    const aggregation = {
      label,
      type: kind,
      buckets: labelledBuckets,
      other,
      ...facetKind(kind).describeCounts(facet, facetCounts),
    };
    const isFiltered = hasWords(counting?.text) && facet.vocabularies.length === 0;
    return [name, isFiltered ? filterBuckets(aggregation, counting.text, facetSize) : aggregation];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Returns the selected values of facets that are not counted, as they are shown; undefined if there are none, or if no
 * facet is counted.
 */
async function selectedValues(
  terms: TitleReader,
  facets: readonly SearchedFacet[],
  request: FacetParameters & Pick<SearchRequest, "lang">,
  names: KeyNames,
): Promise<SearchAnswer<unknown>["selected"]> {
  const { filters, facetSize, lang, counting } = request;
  if (facetSize === 0 || counting?.names === undefined) return undefined;
  const uncounted = facets.filter((facet) => Object.hasOwn(filters, facet.name) && !isCounted(facet, request));
  if (uncounted.length === 0) return undefined;
  const entries = uncounted.map(async (facet): Promise<[string, readonly SelectedValue[]]> => {
    const keys = filters[facet.name]!;
    const labelBucket = await makeBucketLabels(terms, facet, keys, lang, names.get(facet.name));
    return [facet.name, keys.map((key) => ({ key, ...labelBucket(key) }))];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Makes a function that labels the bucket with a key. Titles of terms are read for the given keys only. */
async function makeBucketLabels(
  terms: TitleReader,
  facet: SearchedFacet,
  keys: readonly string[],
  lang: string,
  names: ReadonlyMap<string, string> = new Map(),
): Promise<(key: string) => KeyLabel> {
  const { labelOf } = facetKind(facet.kind);
  const vocabularies = keys.length === 0 ? [] : facet.vocabularies;
  const titles = await Promise.all(vocabularies.map((vocabulary) => readDistinctTitles(terms, vocabulary, keys, lang)));
  const shownNames = keys.map((key) => names.get(key));
  const isNamesake = (name: string): boolean => shownNames.indexOf(name) !== shownNames.lastIndexOf(name);
  return (key) => {
    const name = names.get(key);
    if (name !== undefined) return { label: isNamesake(name) ? `${name} (${key})` : name };
    return labelOf(facet, key) ?? { label: titles.find((map) => map.has(key))?.get(key) ?? key };
  };
}

/** Returns whether a text has words to search for. */
const hasWords = (text: string | undefined): text is string => text !== undefined && analyse(text).length > 0;

/**
 * Returns which buckets of the counted facet to list if a text is typed to find buckets. Terms are those that `suggest`
 * finds, best first. Of a facet without a vocabulary all keys are counted, and `filterBuckets` chooses among them.
 */
export async function listMatchingBuckets(
  index: Pick<SearchIndex, "suggestTerms">,
  facets: readonly SearchedFacet[],
  { facetSize, counting = {}, lang }: Pick<SearchRequest, "facetSize" | "counting" | "lang">,
): Promise<Partial<FacetRequest>> {
  const { names = [], text } = counting;
  const facet = facets.find(({ name }) => name === names[0]);
  if (facetSize === 0 || facet === undefined || !hasWords(text)) return {};
  if (facet.vocabularies.length === 0) return { size: Number.MAX_SAFE_INTEGER };
  const page = { offset: 0, limit: LIMITS.facetTextTermsMax };
  const pages = await Promise.all(
    facet.vocabularies.map((vocabulary) => index.suggestTerms({ vocabulary, text, facets: [], lang, page })),
  );
  return { listed: { keys: [...new Set(pages.flatMap(({ hits }) => hits.map(({ id }) => id)))] } };
}

/** Keeps the buckets whose label or key has all words of the text, the last one as a prefix. */
function filterBuckets(aggregation: Aggregation, text: string, size: number): Aggregation {
  const typedWords = prefixWords(text);
  const matches = (name: string): boolean => {
    const words = analyse(name);
    return typedWords.every((word, i) =>
      words.some((each) => (i === typedWords.length - 1 ? each.startsWith(word) : each === word)),
    );
  };
  const buckets = aggregation.buckets.filter(({ key, label }) => matches(label) || matches(key));
  const other = buckets.slice(size).reduce((sum, { doc_count }) => sum + doc_count, 0);
  return { ...aggregation, buckets: buckets.slice(0, size), other };
}
