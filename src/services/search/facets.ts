/** Facets of a search: what to ask the index, and how its counts are shown. */
import type { Catalog } from "../../core/catalog/types.js";
import { formatInstant } from "../../core/time.js";
import type { FacetCounts, FacetRequest } from "../../ports/search-index.js";
import { bucketEnds, bucketKey } from "../../query/index-model/buckets.js";
import { type SearchedFacet, uniteFacets } from "../../query/index-model/declared-facets.js";
import { numberRange, splitRange } from "../../query/index-model/range-keys.js";
import type { Aggregation, Bucket, SearchAnswer, SearchRequest, SelectedValue } from "../api/search-services.js";
import { describeRange } from "./describe-range.js";
import { fittingBuckets, isTyped } from "./facet-text.js";
import { type TitleReader, titlesApart } from "./tell-apart.js";

export type { SearchedFacet };

/** Every model has it, but only in the user scopes is there more than one state. */
const STATE_FACET = "state";

/**
 * Facets of a search for records: facets with one name are one, at all of its paths.
 * @param model name of a model of the catalog; undefined for all of them
 * @param own is this a user scope?
 */
export type RecordFacets = (model: string | undefined, own: boolean) => readonly SearchedFacet[];

/** Unites those of each scope once: every search asks for them. */
export function makeRecordFacets({ models }: Pick<Catalog, "models">): RecordFacets {
  const unite = (model: string | undefined, own: boolean): readonly SearchedFacet[] => {
    const searched = [...models.values()].filter(({ name }) => model === undefined || name === model);
    const facets = searched.flatMap((each) => each.facets);
    return uniteFacets(own ? facets : facets.filter(({ name }) => name !== STATE_FACET));
  };
  const united = new Map<string, readonly SearchedFacet[]>();
  return (model, own) => {
    const scope = `${own} ${model ?? ""}`;
    const facets = united.get(scope) ?? unite(model, own);
    united.set(scope, facets);
    return facets;
  };
}

/** Facets of a search for the terms of a vocabulary, by its name. */
export function makeTermFacets({
  vocabularies,
}: Pick<Catalog, "vocabularies">): (name: string) => readonly SearchedFacet[] {
  const united = new Map([...vocabularies].map(([name, { facets }]) => [name, uniteFacets(facets)]));
  return (name) => united.get(name) ?? [];
}

type AskedFacets = Pick<SearchRequest, "filters" | "facetSize" | "counting">;

function isCounted({ name, onRequest }: SearchedFacet, { filters, facetSize, counting }: AskedFacets): boolean {
  if (facetSize === 0) return false;
  if (counting?.names !== undefined) return counting.names.includes(name);
  return onRequest === undefined || [filters, counting?.steps ?? {}].some((asked) => Object.hasOwn(asked, name));
}

/**
 * What the index is asked: facets that filter, and those of which counts are wanted.
 * @param listing what is listed of the counted ones, see `textListing`
 */
export function facetRequests(
  facets: readonly SearchedFacet[],
  asked: AskedFacets,
  listing: Partial<FacetRequest> = {},
): readonly FacetRequest[] {
  const { filters, facetSize, counting = {} } = asked;
  const requests = facets.map((facet): FacetRequest => {
    const { name } = facet;
    const selected = Object.hasOwn(filters, name) ? [...new Set(filters[name])] : [];
    if (!isCounted(facet, asked)) return { name, size: 0, selected };
    const { steps = {}, below } = counting;
    return {
      ...{ name, size: facetSize, selected },
      ...(Object.hasOwn(steps, name) ? { steps: steps[name]! } : {}),
      ...(below === undefined ? {} : { listed: { below } }),
      ...listing,
    };
  });
  return requests.filter(({ size, selected }) => size > 0 || selected.length > 0);
}

/** What the index is asked for the values of one facet, whatever is selected. */
export function allValues(facet: SearchedFacet, size: number): readonly FacetRequest[] {
  return facetRequests([facet], { filters: {}, facetSize: size });
}

/** Returns the facets of an answer: the counts with labels, and the selected values of facets that are not counted. */
export async function shownFacets(
  terms: TitleReader,
  facets: readonly SearchedFacet[],
  counts: readonly FacetCounts[],
  asked: AskedFacets & Pick<SearchRequest, "lang">,
): Promise<Pick<SearchAnswer<unknown>, "aggregations" | "selected">> {
  const aggregations = await aggregationsOf(terms, facets, counts, asked);
  const selected = await selectedValues(terms, facets, asked);
  return {
    ...(aggregations === undefined ? {} : { aggregations }),
    ...(selected === undefined ? {} : { selected }),
  };
}

/** The counts with labels, in the declared order; undefined where none were wanted. */
export async function aggregationsOf(
  terms: TitleReader,
  facets: readonly SearchedFacet[],
  counts: readonly FacetCounts[],
  asked: AskedFacets & Pick<SearchRequest, "lang">,
): Promise<Readonly<Record<string, Aggregation>> | undefined> {
  const { filters, facetSize, lang, counting } = asked;
  if (facetSize === 0) return undefined;
  const wanted = facets.filter((facet) => isCounted(facet, asked));
  const made = wanted.map(async (facet): Promise<[string, Aggregation]> => {
    const { name, label, kind } = facet;
    const counted: FacetCounts = counts.find((count) => count.name === name) ?? { name, buckets: [], other: 0 };
    const { buckets, other } = counted;
    const shownOf = await makeShown(
      terms,
      facet,
      buckets.map(({ key }) => key),
      lang,
    );
    const selected: readonly string[] = Object.hasOwn(filters, name) ? filters[name]! : [];
    const shown = buckets.map(({ key, count, parent, hasBelow }) => {
      const { label, ...more } = shownOf(key);
      const around = { ...(parent === undefined ? {} : { parent }), ...(hasBelow ? { has_below: true as const } : {}) };
      return { key, label, doc_count: count, is_selected: selected.includes(key), ...around, ...more };
    });
    const made = { label, type: kind, buckets: shown, other, ...ofNumbers(facet, counted) };
    const isChosen = isTyped(counting?.text) && facet.vocabularies.length === 0;
    return [name, isChosen ? fittingBuckets(made, counting.text, facetSize) : made];
  });
  return Object.fromEntries(await Promise.all(made));
}

/**
 * Returns the selected values of facets that are not counted, as they are shown; undefined if there are none, or if no
 * facet is counted.
 */
async function selectedValues(
  terms: TitleReader,
  facets: readonly SearchedFacet[],
  asked: AskedFacets & Pick<SearchRequest, "lang">,
): Promise<SearchAnswer<unknown>["selected"]> {
  const { filters, facetSize, lang, counting } = asked;
  if (facetSize === 0 || counting?.names === undefined) return undefined;
  const uncounted = facets.filter((facet) => Object.hasOwn(filters, facet.name) && !isCounted(facet, asked));
  if (uncounted.length === 0) return undefined;
  const values = uncounted.map(async (facet): Promise<[string, readonly SelectedValue[]]> => {
    const keys = filters[facet.name]!;
    const shownOf = await makeShown(terms, facet, keys, lang);
    return [facet.name, keys.map((key) => ({ key, ...shownOf(key) }))];
  });
  return Object.fromEntries(await Promise.all(values));
}

/** What is said of a histogram beside its buckets. */
function ofNumbers(facet: SearchedFacet, { min, max }: FacetCounts): Partial<Aggregation> {
  if (facet.kind !== "histogram") return {};
  const { unit, scale } = facet;
  return { ...(unit === undefined ? {} : { unit }), scale, min: min ?? null, max: max ?? null };
}

type Shown = Pick<Bucket, "label" | "from" | "to">;

/** How the key of a bucket is shown. */
async function makeShown(
  terms: TitleReader,
  facet: SearchedFacet,
  keys: readonly string[],
  lang: string,
): Promise<(key: string) => Shown> {
  if (facet.kind === "histogram") {
    const { unit } = facet;
    return (key) => {
      const ends = numberRange(key);
      return ends === undefined ? { label: key } : { label: describeRange(ends, unit), ...ends };
    };
  }
  if (facet.kind === "year") return showDates;
  const vocabularies = keys.length === 0 ? [] : facet.vocabularies;
  const titles = await Promise.all(vocabularies.map((vocabulary) => titlesApart(terms, vocabulary, keys, lang)));
  return (key) => ({ label: titles.find((map) => map.has(key))?.get(key) ?? key });
}

/** A year, or a range of dates. */
function showDates(key: string): Shown {
  const { from, to } = bucketEnds({ kind: "year" }, key) ?? {};
  const range = splitRange(key);
  if (range !== undefined) {
    const begins = from === undefined ? {} : { from: dayOf(from) };
    return { label: describeDates(range), ...begins, ...(to === undefined ? {} : { to: dayOf(to) }) };
  }
  if (to === undefined) return { label: key };
  return { label: key, from: `${key}-01-01`, to: `${bucketKey({ kind: "year" }, to)}-01-01` };
}

function describeDates({ from, to }: { readonly from: string; readonly to: string }): string {
  if (from === "") return `< ${to}`;
  return to === "" ? `≥ ${from}` : `${from} – ${to}`;
}

/** A day where it begins, else the instant. @param micros since 1970 UTC */
function dayOf(micros: number): string {
  const instant = formatInstant(micros);
  return instant.endsWith("T00:00:00.000000+00:00") ? instant.slice(0, instant.indexOf("T")) : instant;
}
