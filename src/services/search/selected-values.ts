/** Selected values of facets that need a warning: unknown values, and ids of replaced terms. */

import { facetKind } from "../../core/catalog/facet-kinds/facet-kinds.js";
import { addAll } from "../../core/collections.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import { messagesIn } from "../../core/messages/en.js";
import { nearestNames } from "../../core/nearest.js";
import { startSlices } from "../../core/slices.js";
import type { FacetCounts } from "../../ports/search-index.js";
import type { TermReader, TermReference } from "../../ports/store.js";
import { analyse } from "../../query/text/analyse.js";
import type { SearchRequest } from "../api/searches.js";
import type { FindNearTerms } from "../context/deps.js";
import { isTooSlow } from "../context/index-availability.js";
import type { SearchedFacet } from "./facets.js";

/** Maximum number of values of a facet without a vocabulary that are compared with an unknown value. */
const VALUES_MAX = 1_000;

/** Look-ups of existing values. */
interface ValueLookups {
  readonly terms: Pick<TermReader, "titles">;
  readonly findNearTerms: FindNearTerms;
  /** Returns the values of a facet over everything that the caller can find, without query and filters. */
  facetValues(facet: SearchedFacet, size: number): Promise<readonly string[]>;
}

/**
 * Warns of selected values that do not exist, and names similar ones. It only looks up values that no hit has, so that
 * searches with known values cost nothing more.
 *
 * @param page the counts of the facets, with those of the selected values if they were requested
 */
export async function warnUnknownValues(
  lookups: ValueLookups,
  facets: readonly SearchedFacet[],
  page: { readonly facets: readonly FacetCounts[]; readonly total: number },
  { filters, lang }: Pick<SearchRequest, "filters" | "lang">,
): Promise<{ readonly warnings: readonly Warning[]; readonly isUnsettled: boolean }> {
  const warnings: Warning[] = [];
  let isUnsettled = false;
  for (const facet of facets) {
    const findNear = makeFindNear(lookups, facet);
    if (!Object.hasOwn(filters, facet.name) || facetKind(facet.kind).ranges !== undefined) continue;
    const counted = page.facets.find(({ name }) => name === facet.name);
    // Without counts (facets=none), the values of a search with hits may exist.
    if (counted === undefined && page.total > 0) continue;
    const valuesOfHits = new Set((counted?.buckets ?? []).flatMap(({ key, count }) => (count > 0 ? [key] : [])));
    for (const value of new Set(filters[facet.name])) {
      if (valuesOfHits.has(value) || warnings.length === LIMITS.nearestLookupsMax) continue;
      // Looking for similar values may take too long, and their order depends on more than this search.
      isUnsettled = true;
      const warning = await makeWarning(lookups, facet, value, lang, findNear);
      if (warning !== undefined) warnings.push(warning);
    }
  }
  return { warnings, isUnsettled };
}

/** Returns the warning for a value that no hit has; undefined if it exists, or if the look-up takes too long. */
async function makeWarning(
  lookups: ValueLookups,
  facet: SearchedFacet,
  value: string,
  lang: string,
  findNear: FindNear,
): Promise<Warning | undefined> {
  const near = await skipIfTooSlow(() =>
    facet.vocabularies.length > 0 ? findNearTermsOf(lookups, facet, value, lang) : findNear(value),
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

/** A similar value, with its title if it is a term. */
interface NearValue {
  readonly id: string;
  readonly title?: string;
}

/** Returns terms with a similar id or name; undefined if a term has this id. */
async function findNearTermsOf(
  { terms, findNearTerms }: ValueLookups,
  { vocabularies }: SearchedFacet,
  value: string,
  lang: string,
): Promise<readonly NearValue[] | undefined> {
  const near: NearValue[] = [];
  for (const vocabulary of vocabularies) {
    if ((await terms.titles(vocabulary, [value], lang)).has(value)) return undefined;
    addAll(near, await findNearTerms(vocabulary, value));
  }
  return near.slice(0, LIMITS.nearestMax);
}

/** Finds the values of a facet that are similar to a text; undefined if the facet has this value. */
type FindNear = (value: string) => Promise<readonly NearValue[] | undefined>;

/** Returns a function that reads the values of a facet at most once. */
function makeFindNear(lookups: ValueLookups, facet: SearchedFacet): FindNear {
  let reading: Promise<{ readonly values: ReadonlySet<string>; readonly findNear: FindNearValues }> | undefined;
  const read = async () => {
    const values = await lookups.facetValues(facet, VALUES_MAX);
    return { values: new Set(values), findNear: await readValues(values) };
  };
  return async (value) => {
    reading ??= read();
    const { values, findNear } = await reading;
    if (values.has(value)) return undefined;
    return (await findNear(value, LIMITS.nearestMax)).map((id) => ({ id }));
  };
}

/** Returns undefined if a look-up takes too long, so that the answer to the search is kept. */
async function skipIfTooSlow(
  lookUp: () => Promise<readonly NearValue[] | undefined>,
): Promise<readonly NearValue[] | undefined> {
  try {
    return await lookUp();
  } catch (error) {
    if (isTooSlow(error)) return undefined;
    throw error;
  }
}

/**
 * Finds the values that a text may mean, best first: values with the same words, values with this short form (`SPR`:
 * Surface plasmon resonance), values that are its short form, values that contain all its words, values whose words it
 * contains, and values with a similar spelling.
 * @param max maximum number of values
 */
type FindNearValues = (text: string, max: number) => Promise<readonly string[]>;

/** Reads values once for several texts, in slices, because a facet may have a thousand of them. */
export async function readValues(values: readonly string[]): Promise<FindNearValues> {
  const slices = startSlices();
  const names: (readonly [value: string, name: Name])[] = [];
  for (const value of values) {
    await slices.pause();
    names.push([value, readName(value)]);
  }
  return async (text, max) => {
    const name = readName(text);
    const ranks = names.flatMap(([value, each]) => {
      const rank = rankFit(name, each);
      return rank === undefined ? [] : [{ value, rank }];
    });
    const ranked = ranks.toSorted((a, b) => a.rank - b.rank).map(({ value }) => value);
    if (ranked.length >= max) return ranked.slice(0, max);
    await slices.pause();
    return [...new Set([...ranked, ...nearestNames(text, values, max)])].slice(0, max);
  };
}

interface Name {
  readonly words: readonly string[];
  /** The words without blanks between them. */
  readonly joined: string;
  /** Texts in brackets, as a whole and in parts, and initials of the words; without blanks. */
  readonly shortForms: readonly string[];
}

const BRACKETS = /\(([^()]*)\)/gu;

/** Short words that initials may leave out: National Institutes of Health is NIH. */
const MINOR_WORD = /^\p{Ll}{1,3}$/u;

function readName(text: string): Name {
  const hasBrackets = text.includes("(");
  const inBrackets = hasBrackets
    ? [...text.matchAll(BRACKETS)].flatMap(([, inner = ""]) => [inner, ...inner.split(/[/,;]/u)])
    : [];
  const written = (hasBrackets ? text.replace(BRACKETS, " ") : text).split(/[^\p{L}\p{N}]+/u);
  const initials = [written, written.filter((word) => !MINOR_WORD.test(word))].map((words) =>
    words.length < 2 ? "" : join(words.map((word) => [...word][0] ?? "").join("")),
  );
  const words = analyse(text);
  const shortForms = [...inBrackets.map(join), ...initials].filter((form) => form.length > 1);
  return { words, joined: words.join(""), shortForms: [...new Set(shortForms)] };
}

const join = (text: string): string => analyse(text).join("");

/** Returns how well a value fits a text, 0 for the best; undefined if it does not fit. */
function rankFit(text: Name, value: Name): number | undefined {
  if (text.joined.length < 2 || value.joined === "") return undefined;
  if (text.joined === value.joined) return 0;
  if (value.shortForms.includes(text.joined)) return 1;
  if (text.shortForms.includes(value.joined)) return 2;
  const isLast = (i: number): boolean => i === text.words.length - 1;
  if (text.words.every((word, i) => value.words.some((each) => each === word || (isLast(i) && each.startsWith(word)))))
    return 3;
  return value.words.every((word) => text.words.includes(word)) ? 4 : undefined;
}

type Filters = SearchRequest["filters"];

/**
 * Replaces ids of replaced terms with their successors in the filters of a search, and returns a warning for each.
 * Facets count records that cite a replaced id under its successor.
 */
export async function followReplaced(
  terms: Pick<TermReader, "cite">,
  facets: readonly SearchedFacet[],
  { filters, lang }: Pick<SearchRequest, "filters" | "lang">,
): Promise<{ readonly filters: Filters; readonly warnings: readonly Warning[] }> {
  const newFilters: Record<string, readonly string[]> = { ...filters };
  const warnings: Warning[] = [];
  for (const { name, vocabularies } of facets) {
    const selected = Object.hasOwn(filters, name) ? filters[name]! : [];
    if (selected.length === 0 || vocabularies.length === 0) continue;
    const successors = await readSuccessors(terms, vocabularies, selected);
    newFilters[name] = selected.map((id) => successors.get(id) ?? id);
    for (const [id, successor] of successors) {
      const message = messagesIn(lang).TERM_REPLACED({ id, successor });
      warnings.push({ code: "TERM_REPLACED", message, parameter: name, value: id });
    }
  }
  return { filters: newFilters, warnings };
}

/** Returns successors by replaced id. Ids that are current in any of the vocabularies are left out. */
async function readSuccessors(
  terms: Pick<TermReader, "cite">,
  vocabularies: readonly string[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const references = vocabularies.flatMap((vocabulary) => ids.map((id): TermReference => ({ vocabulary, id })));
  const successors = new Map<string, string>();
  const currentIds = new Set<string>();
  for (const { reference, term } of await terms.cite(references)) {
    if (reference.id.toLowerCase() === term.id.toLowerCase()) currentIds.add(reference.id);
    else if (!successors.has(reference.id)) successors.set(reference.id, term.id);
  }
  for (const id of currentIds) successors.delete(id);
  return successors;
}
