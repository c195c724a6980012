import { facetKind } from "../../core/catalog/facet-kinds/facet-kinds.js";
import { peopleOf } from "../../core/citable/record-people.js";
import { valuesAt } from "../../core/citable/values-at.js";
import type { Json } from "../../core/json.js";
import { storedBody } from "../../core/record.js";
import { startSlices } from "../../core/slices.js";
import { type Completion, matchesTyped, valueText } from "../../query/complete/completions.js";
import type { TypedValue } from "../../query/complete/typing-context.js";
import type { SearchField } from "../../query/fields/field-meanings.js";
import type { PersonPlace } from "../../query/fields/persons.js";
import { andClauses, type Clause } from "../../query/index-model/clause.js";
import { escapeId } from "../../query/parse/print.js";
import { analyse } from "../../query/text/analyse.js";
import type { Span } from "../../query/text/positions.js";
import type { Deps } from "../context/deps.js";
import { completeMolecules, hasBeginnings } from "./complete-words.js";
import { readDistinctTitles } from "./distinct-titles.js";
import type { SearchedFacet } from "./facets.js";
import type { QuerySpace } from "./query-space.js";

/** Maximum number of keys of a facet that are compared with the typed text. */
const KEYS_MAX = 1_000;
/** Maximum number of keys read of a facet of terms, the most frequent first. */
const KEYS_OF_TREE_MAX = 50;
/** Maximum number of suggestions read per vocabulary. */
const SUGGESTED_MAX = 50;
/** Maximum number of terms that are counted and offered. */
const TERMS_MAX = 12;

/** The language of titles, and the counters of hits. */
interface ValueReading {
  readonly lang: string;
  readonly count: CountText;
  /** Counts the hits of a value of the typed field. */
  readonly countValue: CountText;
}

/**
 * Completes a typed value: with people, with cited terms, with molecules, with values that the schema lists, or with
 * keys of the facet.
 */
export async function completeValue(
  deps: Pick<Deps, "store" | "index">,
  space: QuerySpace,
  typed: TypedValue,
  { lang, count, countValue }: ValueReading,
): Promise<readonly Completion[]> {
  const places = typed.within ? [] : peopleIn(space, typed.field);
  const people =
    places.length === 0 ? [] : await completePeople(space, typed, { field: typed.name, before: "", places }, count);
  if (people.length > 0) return people;
  const vocabularies = space.citedVocabularies(typed.field);
  if (vocabularies.length > 0) return completeTerm(deps, space, typed, vocabularies, { lang, countValue });
  const facet = findFacetOf(space, typed.field);
  const molecules = facet?.namePaths === undefined ? [] : await completeMolecules(space, facet, [typed]);
  if (molecules.length > 0) return molecules;
  const declared = space.declaredValues(typed.field);
  const values = declared.length > 0 ? declared : await readFacetKeys(space, typed);
  return values
    .map((value) => String(value as Exclude<Json, object>))
    .filter((value) => matchesTyped(typed.text, value))
    .map((label) => ({ kind: "value", insert: valueText(label), from: typed.from, to: typed.to, label }));
}

async function readFacetKeys(space: QuerySpace, { field }: TypedValue): Promise<readonly string[]> {
  const facet = findFacetOf(space, field);
  if (facet === undefined || !facetKind(facet.kind).isQueryValue) return [];
  return (await space.frequentKeys(facet, KEYS_MAX)).map(({ key }) => key);
}

/** Returns the facet that counts the values of a field, if there is one. */
function findFacetOf({ facets }: QuerySpace, { meanings }: TypedValue["field"]): SearchedFacet | undefined {
  const paths = new Set(meanings.flatMap(({ path, sites }) => [path, ...sites.map((site) => `${site}.id`)]));
  return facets.find((facet) => facet.paths.some((path) => paths.has(path)));
}

/**
 * Returns the terms that `suggest` finds. Those with the typed beginnings in a name come first, then those of most
 * records. Terms without records are left out if others have some. If nothing is typed, returns the most cited terms.
 */
async function completeTerm(
  deps: Pick<Deps, "store" | "index">,
  space: QuerySpace,
  typed: TypedValue,
  vocabularies: readonly string[],
  { lang, countValue }: Pick<ValueReading, "lang" | "countValue">,
): Promise<readonly Completion[]> {
  const { from, to, text, field } = typed;
  const completions: Completion[] = [];
  const titles = new Map<string, string>();
  const add = (id: string, label: string, matched?: string): void => {
    const detail = matched === undefined || matched === label || matched === id ? id : `${id} · ${matched}`;
    completions.push({ kind: "term", insert: escapeId(id), from, to, label, detail });
  };
  if (analyse(text).length === 0) {
    const keys = await readCitedKeys(space, field);
    for (const vocabulary of vocabularies) {
      const titles = await readDistinctTitles(deps.store.terms, vocabulary, keys, lang);
      for (const [id, title] of titles) add(id, title);
    }
    return completions;
  }
  const candidates: {
    readonly vocabulary: string;
    readonly id: string;
    readonly matched: string;
    readonly records: number;
  }[] = [];
  for (const vocabulary of vocabularies) {
    const page = { offset: 0, limit: SUGGESTED_MAX };
    const { hits } = await deps.index.suggestTerms({ vocabulary, text, facets: [], lang, page });
    if (hits.length === 0) continue;
    const keys = hits.map(({ id }) => id);
    const facet = findFacetOf(space, field);
    const buckets = facet === undefined ? [] : await space.frequentKeys(facet, keys.length, { keys });
    const cited = new Map(buckets.map(({ key, count: records }) => [key, records]));
    for (const { id, matched } of hits) {
      candidates.push({
        vocabulary,
        id,
        matched: matched.text,
        records: cited.get(id) ?? (facet === undefined ? 1 : 0),
      });
    }
  }
  // Stable: terms that are equal here stay in the order of suggestions.
  const isNamed = ({ matched }: { readonly matched: string }): boolean => hasBeginnings(text, matched);
  const compareCandidates = (a: (typeof candidates)[number], b: (typeof candidates)[number]): number =>
    Number(isNamed(b)) - Number(isNamed(a)) || b.records - a.records;
  const likely = candidates.toSorted(compareCandidates).slice(0, TERMS_MAX);
  // Facets of trees count records with narrower terms, too. Without all exact counts, theirs are compared.
  const counts: (number | undefined)[] = [];
  for (const { id } of likely) counts.push(await countValue(escapeId(id)));
  const isExact = counts.every((count) => count !== undefined);
  const counted = isExact ? likely.map((each, i) => ({ ...each, records: counts[i]! })) : likely;
  const ofRecords = counted.filter(({ records }) => records > 0);
  const shown = (ofRecords.length > 0 ? ofRecords : counted).toSorted(compareCandidates);
  for (const vocabulary of vocabularies) {
    const ids = shown.filter((each) => each.vocabulary === vocabulary).map(({ id }) => id);
    for (const [id, title] of await readDistinctTitles(deps.store.terms, vocabulary, ids, lang)) titles.set(id, title);
  }
  for (const { id, matched } of shown) add(id, titles.get(id) ?? id, matched);
  return completions;
}

/** Returns the most frequent keys of the field's facet, the most frequent first. Of a tree, it returns only leaves. */
async function readCitedKeys(space: QuerySpace, field: TypedValue["field"]): Promise<readonly string[]> {
  const facet = findFacetOf(space, field);
  const buckets = facet === undefined ? [] : await space.frequentKeys(facet, KEYS_OF_TREE_MAX);
  const parents = new Set(buckets.map(({ parent }) => parent));
  return buckets.map(({ key }) => key).filter((key) => !parents.has(key));
}

/** Maximum number of records whose people are compared with the typed text, the newest ones with such a name. */
const RECORDS_MAX = 24;

/** Maximum length of the texts of these records together, in UTF-16 units. */
const LENGTH_MAX = 2 * 1024 * 1024;

const PEOPLE_MAX = 12;

/** Returns the number of hits of a query, or undefined if it is not counted. */
export type CountText = (q: string) => Promise<number | undefined>;

/** Returns the places of people below a field: none if it is a single value. */
export function peopleIn({ fields }: Pick<QuerySpace, "fields">, { meanings }: SearchField): readonly PersonPlace[] {
  const objects = meanings.filter(({ isLeaf }) => !isLeaf).map(({ path }) => `${path}.`);
  return fields.persons.filter(({ family }) => objects.some((path) => family.startsWith(path)));
}

/**
 * Returns the people in a field whose names have the typed words, the last one as a prefix. Those with the most records
 * come first.
 *
 * @param before text to insert before the name
 * @param field name of the field, for the counts
 */
export async function completePeople(
  space: QuerySpace,
  typed: Span & { readonly text: string },
  {
    field,
    before,
    places,
  }: { readonly field: string; readonly before: string; readonly places: readonly PersonPlace[] },
  count: CountText,
): Promise<readonly Completion[]> {
  const names = (await readNames(space, places, typed.text)).slice(0, PEOPLE_MAX);
  const counted: { readonly name: string; readonly records: number }[] = [];
  for (const { name, records } of names) {
    counted.push({ name, records: (await count(`${field}:${valueText(name)}`)) ?? records });
  }
  return counted
    .toSorted((a, b) => b.records - a.records)
    .map(({ name }) => {
      const { from, to } = typed;
      return { kind: "value", insert: before + valueText(name), from, to, label: name };
    });
}

/** Returns names in the newest records that have such a name, with the number of these records, the largest first. */
async function readNames(
  space: QuerySpace,
  places: readonly PersonPlace[],
  text: string,
): Promise<readonly { readonly name: string; readonly records: number }[]> {
  const holders = places.map(({ family }) => family.slice(0, family.lastIndexOf(".")));
  const names = new Map<string, { readonly name: string; records: number }>();
  const slices = startSlices();
  let length = 0;
  for (const hit of await space.newest(nameClause(places, text), RECORDS_MAX)) {
    length += hit.json.length;
    if (length > LENGTH_MAX) break;
    await slices.pause();
    const { metadata } = storedBody(hit);
    for (const { name } of peopleOf(holders.flatMap((path) => valuesAt({ metadata }, path)))) {
      if (!matchesTyped(text, name)) continue;
      const key = name.toLowerCase();
      const known = names.get(key) ?? { name, records: 0 };
      known.records += 1;
      names.set(key, known);
    }
  }
  return [...names.values()].sort((a, b) => b.records - a.records);
}

/** Returns a clause for records with all typed words in names of people, the last one as a prefix. */
function nameClause(places: readonly PersonPlace[], text: string): Clause {
  const paths = places.flatMap(({ given, family }) => [given, family]);
  const words = analyse(text);
  if (words.length === 0) return { kind: "exists", paths };
  const kindOf = (i: number): "words" | "prefix" => (i === words.length - 1 ? "prefix" : "words");
  return andClauses(words.map((word, i) => ({ kind: kindOf(i), place: { in: "paths", paths }, words: [word] })));
}
