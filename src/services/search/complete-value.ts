import { facetKind } from "../../core/catalog/facet-kinds/facet-kinds.js";
import type { Json } from "../../core/json.js";
import { type Completion, matchesTyped, valueText } from "../../query/complete/completions.js";
import type { TypedValue } from "../../query/complete/typing-context.js";
import { escapeId } from "../../query/parse/print.js";
import { analyse } from "../../query/text/analyse.js";
import type { Deps } from "../context/deps.js";
import { type CountText, completePeople, peopleIn } from "./complete-people.js";
import { completeMolecules } from "./complete-words.js";
import { readDistinctTitles } from "./distinct-titles.js";
import type { SearchedFacet } from "./facets.js";
import type { QuerySpace } from "./query-space.js";

/** Maximum number of keys of a facet that are compared with the typed text. */
const KEYS_MAX = 1_000;
/** Maximum number of keys read of a facet of terms, the most frequent first. */
const KEYS_OF_TREE_MAX = 50;
/** Maximum number of terms offered per vocabulary. */
const TERMS_MAX = 12;

/**
 * Completes a typed value: with people, with cited terms, with molecules, with values that the schema lists, or with
 * keys of the facet.
 */
export async function completeValue(
  deps: Pick<Deps, "store" | "index">,
  space: QuerySpace,
  typed: TypedValue,
  { lang, count }: { readonly lang: string; readonly count: CountText },
): Promise<readonly Completion[]> {
  const places = typed.within ? [] : peopleIn(space, typed.field);
  const people =
    places.length === 0 ? [] : await completePeople(space, typed, { field: typed.name, before: "", places }, count);
  if (people.length > 0) return people;
  const vocabularies = space.citedVocabularies(typed.field);
  if (vocabularies.length > 0) return completeTerm(deps, space, typed, vocabularies, lang);
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

/** Returns the terms that `suggest` finds, best first; if nothing is typed, the most cited terms. */
async function completeTerm(
  deps: Pick<Deps, "store" | "index">,
  space: QuerySpace,
  typed: TypedValue,
  vocabularies: readonly string[],
  lang: string,
): Promise<readonly Completion[]> {
  const { from, to, text, field } = typed;
  const completions: Completion[] = [];
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
  for (const vocabulary of vocabularies) {
    const page = { offset: 0, limit: TERMS_MAX };
    const { hits } = await deps.index.suggestTerms({ vocabulary, text, facets: [], lang, page });
    const titles = await readDistinctTitles(
      deps.store.terms,
      vocabulary,
      hits.map(({ id }) => id),
      lang,
    );
    for (const { id, matched } of hits) add(id, titles.get(id) ?? id, matched.text);
  }
  return completions;
}

/** Returns the most frequent keys of the field's facet, the most frequent first. Of a tree, it returns only leaves. */
async function readCitedKeys(space: QuerySpace, field: TypedValue["field"]): Promise<readonly string[]> {
  const facet = findFacetOf(space, field);
  const buckets = facet === undefined ? [] : await space.frequentKeys(facet, KEYS_OF_TREE_MAX);
  const parents = new Set(buckets.map(({ parent }) => parent));
  return buckets.map(({ key }) => key).filter((key) => !parents.has(key));
}
