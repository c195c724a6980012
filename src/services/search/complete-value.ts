import type { Json } from "../../core/json.js";
import { type Completion, matchesTyped, valueText } from "../../query/complete/completions.js";
import type { TypedValue } from "../../query/complete/typed.js";
import { escapeId } from "../../query/parse/print.js";
import { analyse } from "../../query/text/analyse.js";
import type { Deps } from "../context/deps.js";
import type { SearchedFacet } from "./facets.js";
import type { QuerySpace } from "./query-space.js";
import { titlesApart } from "./tell-apart.js";

/** Keys of a facet that are looked through for what was typed. */
const KEYS_MAX = 1_000;
/** Keys of a facet of terms of which the most frequent are offered. */
const KEYS_OF_TREE_MAX = 50;
/** Terms that are looked for. */
const TERMS_MAX = 12;

/** Values of a field that begin as what is typed does: those of its schema, of its facet, and cited terms. */
export async function completeValue(
  deps: Pick<Deps, "store" | "index">,
  space: QuerySpace,
  typed: TypedValue,
  lang: string,
): Promise<readonly Completion[]> {
  const vocabularies = space.vocabulariesOf(typed.field);
  if (vocabularies.length > 0) return completeTerm(deps, space, typed, vocabularies, lang);
  const declared = space.declaredValues(typed.field);
  const values = declared.length > 0 ? declared : await keysNear(space, typed);
  return values
    .map((value) => String(value as Exclude<Json, object>))
    .filter((value) => matchesTyped(typed.text, value))
    .map((label) => ({ kind: "value", insert: valueText(label), from: typed.from, to: typed.to, label }));
}

async function keysNear(space: QuerySpace, { field }: TypedValue): Promise<readonly string[]> {
  const facet = facetOf(space, field);
  if (facet === undefined || facet.kind === "histogram") return [];
  return (await space.keysOf(facet, KEYS_MAX)).map(({ key }) => key);
}

/** The facet that counts the values of a field. */
function facetOf({ facets }: QuerySpace, { meanings }: TypedValue["field"]): SearchedFacet | undefined {
  const paths = new Set(meanings.flatMap(({ path, sites }) => [path, ...sites.map((site) => `${site}.id`)]));
  return facets.find((facet) => facet.paths.some((path) => paths.has(path)));
}

/** With nothing typed, the terms that are cited most; else those that `suggest` finds, best first. */
async function completeTerm(
  deps: Pick<Deps, "store" | "index">,
  space: QuerySpace,
  typed: TypedValue,
  vocabularies: readonly string[],
  lang: string,
): Promise<readonly Completion[]> {
  const { from, to, text, field } = typed;
  const found: Completion[] = [];
  const add = (id: string, label: string, matched?: string): void => {
    const detail = matched === undefined || matched === label || matched === id ? id : `${id} · ${matched}`;
    found.push({ kind: "term", insert: escapeId(id), from, to, label, detail });
  };
  if (analyse(text).length === 0) {
    const keys = await keysCited(space, field);
    for (const vocabulary of vocabularies) {
      const titles = await titlesApart(deps.store.terms, vocabulary, keys, lang);
      for (const [id, title] of titles) add(id, title);
    }
    return found;
  }
  for (const vocabulary of vocabularies) {
    const page = { offset: 0, limit: TERMS_MAX };
    const { hits } = await deps.index.suggestTerms({ vocabulary, text, facets: [], lang, page });
    const titles = await titlesApart(
      deps.store.terms,
      vocabulary,
      hits.map(({ id }) => id),
      lang,
    );
    for (const { id, matched } of hits) add(id, titles.get(id) ?? id, matched.text);
  }
  return found;
}

/** Keys of the field's facet, the most frequent first; of a tree those that stand at the ends of its branches. */
async function keysCited(space: QuerySpace, field: TypedValue["field"]): Promise<readonly string[]> {
  const facet = facetOf(space, field);
  const buckets = facet === undefined ? [] : await space.keysOf(facet, KEYS_OF_TREE_MAX);
  const above = new Set(buckets.map(({ parent }) => parent));
  return buckets.map(({ key }) => key).filter((key) => !above.has(key));
}
