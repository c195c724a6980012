/** Terms that an unknown id or name may mean. */
import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import type { SearchIndex } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import { HOMONYMS_MAX, type TermFinder } from "../../ports/terms.js";
import { idIn } from "../../query/fields/identifiers.js";
import { nameKey } from "../../query/index-model/term-document.js";
import { mayBeName, nameKeysIn, namesIn } from "../../query/ranking/nearest-ids.js";
import { analyse } from "../../query/text/analyse.js";
import type { FindNearTerms, NearTerm } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { emptyIfUnavailable, isTooSlow } from "../context/index-availability.js";
import { readDistinctTitles } from "./distinct-titles.js";

/**
 * Returns the ids that an id may mean: without its prefix, with another prefix, taken from a URL, or in other capitals.
 * The store tells which of them exist.
 */
export function otherSpellings(vocabulary: Vocabulary, id: string): readonly string[] {
  const rests = [id, id.slice(id.indexOf(":") + 1), id.slice(id.lastIndexOf("/") + 1)];
  const spellings = rests.flatMap((rest) => [rest, ...vocabulary.idPrefixes.map((prefix) => `${prefix}:${rest}`)]);
  const ids = spellings.flatMap((text) => idIn(vocabulary, text).filter(({ block }) => block === undefined));
  return [...new Set(ids.map((each) => each.id))].filter((each) => each !== id);
}

interface Parts {
  readonly store: Pick<Store, "terms">;
  readonly index: Pick<SearchIndex, "suggestTerms">;
  readonly catalog: Pick<Catalog, "vocabularies">;
}

/** Maximum number of words of a text in which names of terms are looked for. */
const WORDS_MAX = 8;

/** Minimum number of words of a name in a text. Single words are in too many texts. */
const NAME_WORDS_MIN = 2;

/** Maximum number of brackets in a text before which a title is looked for. */
const BRACKETS_MAX = 4;

/**
 * Makes the look-up of near terms, for every engine the same. It returns the term that lists show as this text; else
 * terms with this whole title or synonym, terms with a similar id, and suggestions for the text, which also find words
 * inside names; else terms with a name that is part of the text. A look-up that takes too long, or that needs an absent
 * index, adds nothing.
 */
export function makeFindNearTerms({ store, index, catalog }: Parts): FindNearTerms {
  const { terms } = store;
  return async (name, text) => {
    const vocabulary = findVocabulary(catalog, name);
    const lang = vocabulary.languages[0]!;
    const shown = await listTitled(terms, vocabulary, text).catch((error) => {
      if (isTooSlow(error)) return [];
      throw error;
    });
    const labels = namesIn(text, vocabulary).map((label) => label.trim().toLowerCase());
    const labelled = shown.filter(({ title }) => labels.includes(title.toLowerCase()));
    if (labelled.length > 0) return labelled.slice(0, LIMITS.nearestMax);
    const ids = new Set<string>();
    try {
      for await (const near of listNearIds({ terms, index }, vocabulary, text)) {
        for (const id of near) ids.add(id);
        if (ids.size >= LIMITS.nearestMax) break;
      }
    } catch (error) {
      if (!isTooSlow(error)) throw error;
    }
    if (ids.size === 0) return shown.slice(0, LIMITS.nearestMax);
    const near = [...ids].slice(0, LIMITS.nearestMax);
    return listNearTerms(await readDistinctTitles(terms, name, near, lang), near);
  };
}

/** Returns the terms with a name before brackets at the end of the text, with their titles as lists show them. */
async function listTitled(
  terms: Pick<TermFinder, "named" | "titles" | "getPlaced">,
  vocabulary: Vocabulary,
  text: string,
): Promise<readonly NearTerm[]> {
  const keys = keysBeforeBrackets(text, vocabulary);
  if (keys.length === 0) return [];
  const { name, languages } = vocabulary;
  const ids = (await terms.named(name, keys, HOMONYMS_MAX)).map(({ term }) => term.id);
  return listNearTerms(await readDistinctTitles(terms, name, ids, languages[0]!), ids);
}

/** Returns the terms with these ids that exist, each once. */
function listNearTerms(titles: ReadonlyMap<string, string>, ids: readonly string[]): readonly NearTerm[] {
  return [...new Set(ids)].flatMap((id) => {
    const title = titles.get(id);
    return title === undefined ? [] : [{ id, title }];
  });
}

/**
 * Returns the keys (`nameKey`) of the names before a text in brackets at the end, with which lists distinguish terms of
 * one title: `Linaria` of `Linaria (Viridiplantae)`. The text in brackets may have brackets, too.
 */
function keysBeforeBrackets(text: string, vocabulary: Vocabulary): readonly string[] {
  if (!text.trimEnd().endsWith(")")) return [];
  return namesIn(text, vocabulary).flatMap((name) => {
    const starts = [...name.matchAll(/ \(/g)].slice(0, BRACKETS_MAX);
    return starts.flatMap(({ index }) => nameKey(analyse(name.slice(0, index))) ?? []);
  });
}

async function* listNearIds(
  { terms, index }: Pick<Parts, "index"> & { readonly terms: Pick<TermFinder, "named" | "nearestIds"> },
  vocabulary: Vocabulary,
  text: string,
): AsyncGenerator<readonly string[]> {
  const { name } = vocabulary;
  const max = LIMITS.nearestMax;
  const named = await terms.named(name, nameKeysIn(text, vocabulary), max);
  yield named.map(({ term }) => term.id);
  const similar = await terms.nearestIds(name, text, max);
  yield similar;
  if (!mayBeName(text, vocabulary)) return;
  let isKnown = named.length + similar.length > 0;
  for (const each of namesIn(text, vocabulary)) {
    // Without a letter, each number in a name would be near. Without a key, the text has no words or is too long.
    if (!/\p{L}/u.test(each) || nameKey(analyse(each)) === undefined) continue;
    const page = { offset: 0, limit: max };
    const suggest = { vocabulary: name, text: each, facets: [], lang: vocabulary.languages[0]!, page };
    const { hits } = await index.suggestTerms({ ...suggest, mayBeBehind: true }).catch(emptyIfUnavailable);
    if (hits.length > 0) isKnown = true;
    yield hits.map(({ id }) => id);
  }
  if (isKnown) return;
  const inText = await terms.named(name, namesInText(text), 1);
  yield inText.map(({ term }) => term.id);
}

/** Returns the keys (`nameKey`) of the names that may be part of a text, the longest first. */
function namesInText(text: string): readonly string[] {
  const words = analyse(text);
  if (words.length > WORDS_MAX) return [];
  const keys: string[] = [];
  for (let length = words.length - 1; length >= NAME_WORDS_MIN; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const key = nameKey(words.slice(from, from + length));
      if (key !== undefined) keys.push(key);
    }
  }
  return keys;
}
