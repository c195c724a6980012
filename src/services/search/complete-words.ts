/** Completes plain words: with molecules, with the terms that searches filter by first, and with people. */
import { facetKind } from "../../core/catalog/facet-kinds/facet-kinds.js";
import { readNamedKey } from "../../core/citable/molecules.js";
import { compareMoleculeIds } from "../../core/pasted-identifiers.js";
import { startSlices } from "../../core/slices.js";
import { type Completion, makeWordsTest, valueText } from "../../query/complete/completions.js";
import type { TypedWords } from "../../query/complete/typing-context.js";
import { namesFacet } from "../../query/facets/declared-facets.js";
import { escapeId } from "../../query/parse/print.js";
import type { MatchingValue } from "../../query/ranking/matching-value.js";
import { analyse, isUnspaced } from "../../query/text/analyse.js";
import type { Deps } from "../context/deps.js";
import { type CountText, completePeople, peopleIn } from "./complete-value.js";
import { readDistinctTitles } from "./distinct-titles.js";
import type { SearchedFacet } from "./facets.js";
import type { QuerySpace } from "./query-space.js";

/** Maximum number of names of molecules that are compared with the typed text, the most frequent ones. */
const NAMES_MAX = 5_000;

/** Number of names after which other tasks may run. */
const NAMES_PER_PAUSE = 500;

/** Maximum number of terms of a vocabulary that are suggested before those without records are removed. */
const TERMS_MAX = 50;

/** Maximum number of completions of plain words of one kind, so that all kinds have room. */
const OF_ONE_KIND_MAX = 4;

/** Minimum number of letters of a plain word that is completed, and of one that is completed with people. */
const LETTERS_MIN = 2;
const LETTERS_OF_PEOPLE_MIN = 3;

/** The language of titles, and the counter of hits. */
interface Reading {
  readonly lang: string;
  readonly count: CountText;
}

/** Completes plain words with values of fields that have them. @param texts of `TypingContext.words` */
export async function completeWords(
  deps: Pick<Deps, "store" | "index">,
  space: QuerySpace,
  texts: readonly TypedWords[],
  { lang, count }: Reading,
): Promise<readonly Completion[]> {
  const longer = (min: number): readonly TypedWords[] =>
    texts.filter(({ text }) => {
      const words = analyse(text);
      return words.join("").length >= min || words.some(isUnspaced);
    });
  const typed = longer(LETTERS_MIN);
  if (typed.length === 0) return [];
  const completions: Completion[] = [];
  for (const facet of space.mainFacets) {
    const ofFacet =
      facet.namePaths === undefined
        ? await firstMatch(typed.slice(-2), (each) => completeTerms(deps, space, facet, each, lang))
        : await completeMolecules(space, facet, typed, `${facet.name}:`);
    const { label } = facet;
    for (const each of ofFacet.slice(0, OF_ONE_KIND_MAX)) completions.push({ ...each, field_label: label });
  }
  const { people } = space;
  if (people === undefined) return completions;
  const at = { field: people.id, before: `${people.id}:`, places: peopleIn(space, people.field) };
  const ofPeople = await firstMatch(longer(LETTERS_OF_PEOPLE_MIN).slice(-2), (each) =>
    completePeople(space, each, at, count),
  );
  const named = ofPeople.slice(0, OF_ONE_KIND_MAX).map((each) => ({ ...each, field_label: people.label }));
  return [...completions, ...named];
}

/** Returns the completions of the longest text that has some. */
async function firstMatch(
  texts: readonly TypedWords[],
  complete: (typed: TypedWords) => Promise<readonly Completion[]>,
): Promise<readonly Completion[]> {
  for (const typed of texts) {
    const completions = await complete(typed);
    if (completions.length > 0) return completions;
  }
  return [];
}

/**
 * Returns the molecules whose name or id has the typed words, the last one as a prefix, by the number of records that
 * use the name. Several ids of one molecule are one completion.
 *
 * @param facet of molecules
 * @param texts the longest one counts that has molecules; all of them end with the last one
 * @param before text to insert before the id
 */
export async function completeMolecules(
  space: QuerySpace,
  facet: SearchedFacet,
  texts: readonly TypedWords[],
  before = "",
): Promise<readonly Completion[]> {
  const { namePaths: _, ...keys } = facet;
  const buckets = await space.frequentKeys({ ...keys, name: namesFacet(facet.name) }, NAMES_MAX);
  const names: (ReturnType<typeof readNamedKey> & { readonly count: number; readonly words: readonly string[] })[] = [];
  const slices = startSlices();
  for (const [i, { key, count }] of buckets.entries()) {
    if (i % NAMES_PER_PAUSE === 0) await slices.pause();
    names.push({ ...readNamedKey(key), count, words: space.wordsOfKey(key) });
  }
  const tests = texts.map((typed) => ({ typed, isNamed: makeWordsTest(typed.text) }));
  const best = tests.find(({ isNamed }) => names.some(({ words }) => isNamed(words)));
  if (best === undefined) return [];
  const { typed, isNamed } = best;
  const byId = new Map<string, (typeof names)[number]>();
  for (const each of names) if (!byId.has(each.id) && isNamed(each.words)) byId.set(each.id, each);
  const molecules = [...byId.values()].sort((a, b) => b.count - a.count || compareMoleculeIds(a.id, b.id));
  // An id of another register that has the same name in fewer records is another id of the molecule.
  const registers = new Map<string, string>();
  const isOther = ({ id, name }: (typeof names)[number]): boolean => {
    const [key, register = ""] = [name.toLowerCase(), id.split(":")[0]];
    if (!registers.has(key)) registers.set(key, register);
    return registers.get(key) !== register;
  };
  const { from, to } = typed;
  return molecules
    .filter((molecule) => !isOther(molecule))
    .map(({ id, name }) => ({ kind: "value", insert: before + valueText(id), from, to, label: name, detail: id }));
}

/** Returns the suggested terms that records have, by the number of records. In a tree, narrower terms count, too. */
async function completeTerms(
  { store, index }: Pick<Deps, "store" | "index">,
  space: QuerySpace,
  facet: SearchedFacet,
  { text, from, to }: TypedWords,
  lang: string,
): Promise<readonly Completion[]> {
  const field = facetKind(facet.kind).isNested ? `${facet.name}.within:` : `${facet.name}:`;
  const page = { offset: 0, limit: TERMS_MAX };
  const completions: Completion[] = [];
  for (const vocabulary of facet.vocabularies) {
    const { hits } = await index.suggestTerms({ vocabulary, text, facets: [], lang, page });
    const isNamed = ({ field, text: name }: MatchingValue): boolean =>
      !field.startsWith("props.") && hasBeginnings(text, name);
    const keys = hits.filter(({ matched }) => isNamed(matched)).map(({ id }) => id);
    if (keys.length === 0) continue;
    const buckets = await space.frequentKeys(facet, keys.length, { keys });
    const records = new Map(buckets.map(({ key, count }) => [key, count]));
    const shown = hits
      .filter(({ id }) => (records.get(id) ?? 0) > 0)
      .toSorted((a, b) => records.get(b.id)! - records.get(a.id)!)
      .slice(0, OF_ONE_KIND_MAX);
    const ids = shown.map(({ id }) => id);
    const titles = await readDistinctTitles(store.terms, vocabulary, ids, lang);
    for (const { id, matched } of shown) {
      const label = titles.get(id) ?? id;
      const detail = [label, id].includes(matched.text) ? id : `${id} · ${matched.text}`;
      completions.push({ kind: "term", insert: field + escapeId(id), from, to, label, detail });
    }
  }
  return completions;
}

/** Returns whether each typed word is the beginning of a word of a name: `e coli`. A typo of it is not. */
export function hasBeginnings(typed: string, name: string): boolean {
  const words = analyse(name);
  return analyse(typed).every((each) => words.some((word) => word.startsWith(each)));
}
