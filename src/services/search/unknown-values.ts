/** Values of facets that nothing known has: they find nothing, and the answer says which values are near. */
import { addAll } from "../../core/collections.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { FacetCounts } from "../../ports/search-index.js";
import type { TermReader } from "../../ports/store.js";
import type { SearchRequest } from "../api/search-services.js";
import type { FindNearTerms } from "../context/deps.js";
import type { SearchedFacet } from "./facets.js";
import { isTooCostly } from "./near-terms.js";
import { type FindNearValues, readValues } from "./near-values.js";

/** Values of a facet without a vocabulary that are looked at for those that are near. */
const VALUES_MAX = 1_000;

/** What is asked beside the search itself. */
interface KnownValues {
  readonly terms: Pick<TermReader, "titles">;
  readonly findNearTerms: FindNearTerms;
  /** Values of a facet in all that the caller can find in this search, without query and filters. */
  valuesOf(facet: SearchedFacet, size: number): Promise<readonly string[]>;
}

/**
 * Warns of selected values that are not known. Only those that no hit has are looked at: a search with known values
 * costs nothing more.
 *
 * @param found the counts of the facets, with those of the selected values where they were asked for
 */
export async function warnUnknownValues(
  known: KnownValues,
  facets: readonly SearchedFacet[],
  found: { readonly facets: readonly FacetCounts[]; readonly total: number },
  { filters, lang }: Pick<SearchRequest, "filters" | "lang">,
): Promise<{ readonly warnings: readonly Warning[]; readonly isUnsettled: boolean }> {
  const warnings: Warning[] = [];
  let isUnsettled = false;
  for (const facet of facets) {
    const nearOf = keepNearValues(known, facet);
    if (!Object.hasOwn(filters, facet.name) || (facet.kind !== "terms" && facet.kind !== "tree")) continue;
    const counted = found.facets.find(({ name }) => name === facet.name);
    // Without counts (facets=none) the values may be known where there are hits.
    if (counted === undefined && found.total > 0) continue;
    const having = new Set((counted?.buckets ?? []).flatMap(({ key, count }) => (count > 0 ? [key] : [])));
    for (const value of new Set(filters[facet.name])) {
      if (having.has(value) || warnings.length === LIMITS.nearestLookupsMax) continue;
      // Looking for near values may take too long, and their order is no matter of this search alone.
      isUnsettled = true;
      const warning = await warnOf(known, facet, value, lang, nearOf);
      if (warning !== undefined) warnings.push(warning);
    }
  }
  return { warnings, isUnsettled };
}

async function warnOf(
  known: KnownValues,
  facet: SearchedFacet,
  value: string,
  lang: string,
  nearOf: NearValuesOf,
): Promise<Warning | undefined> {
  const near = await nearestOrNothing(() =>
    facet.vocabularies.length > 0 ? nearestItems(known, facet, value, lang) : nearOf(value),
  );
  if (near === undefined) return undefined;
  const names = near.map(({ id, title }) => (title === undefined ? `"${id}"` : `"${id}" (${title})`));
  const cure = names.length === 0 ? "" : ` Similar values: ${names.join(", ")}.`;
  const isText = facet.vocabularies.length === 0;
  const reason = isText
    ? `The facet "${facet.name}" has no value "${value}", so nothing is found.`
    : `"${value}" is not an id of ${facet.vocabularies.join(" or ")}, so "${facet.name}" finds nothing.`;
  const message = reason + cure;
  const nearest = near.length === 0 ? {} : { nearest: near.map(({ id }) => id) };
  return { code: "UNKNOWN_VALUE", message, parameter: facet.name, value, ...nearest };
}

interface Near {
  readonly id: string;
  readonly title?: string;
}

/** Items near to an id, or with a name near to it; undefined where an item has this id. */
async function nearestItems(
  { terms, findNearTerms }: KnownValues,
  { vocabularies }: SearchedFacet,
  value: string,
  lang: string,
): Promise<readonly Near[] | undefined> {
  const near: Near[] = [];
  for (const vocabulary of vocabularies) {
    if ((await terms.titles(vocabulary, [value], lang)).has(value)) return undefined;
    addAll(near, await findNearTerms(vocabulary, value));
  }
  return near.slice(0, LIMITS.nearestMax);
}

/** Finds the texts near to a value; undefined if the facet has this value. */
type NearValuesOf = (value: string) => Promise<readonly Near[] | undefined>;

/** Returns a function that reads the values of a facet at most once. */
function keepNearValues(known: KnownValues, facet: SearchedFacet): NearValuesOf {
  let reading: Promise<{ readonly values: ReadonlySet<string>; readonly findNear: FindNearValues }> | undefined;
  const read = async () => {
    const values = await known.valuesOf(facet, VALUES_MAX);
    return { values: new Set(values), findNear: await readValues(values) };
  };
  return async (value) => {
    reading ??= read();
    const { values, findNear } = await reading;
    if (values.has(value)) return undefined;
    return (await findNear(value, LIMITS.nearestMax)).map((id) => ({ id }));
  };
}

/** The search was answered: looking for near values must not spoil that. */
async function nearestOrNothing(
  look: () => Promise<readonly Near[] | undefined>,
): Promise<readonly Near[] | undefined> {
  try {
    return await look();
  } catch (error) {
    if (isTooCostly(error)) return undefined;
    throw error;
  }
}
