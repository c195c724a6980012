import { addAll } from "../../core/arrays.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { BinderyError } from "../../core/errors.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import { storedItem, titleIn } from "../../core/terms/term-row.js";
import type { Clause } from "../../query/index-model/clause.js";
import type { Deps } from "../context/deps.js";
import { type Evidence, evidenceOf, markInside, type ReadText, type Span } from "./affiliation-evidence.js";
import {
  type AffiliationText,
  type AffiliationWord,
  inFull,
  isBeginning,
  readAffiliation,
  saysSomething,
} from "./affiliation-text.js";
import { type CountryNames, makeCountryNames } from "./country-names.js";

/** An organisation that a text may name, and what speaks for it. */
export interface Candidate {
  readonly id: string;
  /** In the first language of the vocabulary. */
  readonly title: string;
  readonly evidence: Evidence;
}

/** Words of the longest name that is looked for as a whole. */
const NAME_WORDS_MAX = 12;

/** Organisations with the same name that are examined. */
const NAMESAKES_MAX = 20;

/** Parts of a text that are searched for, words of each, and hits of each that are examined. */
const PARTS_MAX = 16;
const PART_WORDS_MAX = 10;
const HITS_MAX = 5;

/** Finds organisations in texts: whole names that stand in them, and what a search for their parts finds. */
export function makeFindCandidates(
  { store, index }: Pick<Deps, "store" | "index">,
  vocabulary: Vocabulary,
): (text: string) => Promise<readonly Candidate[]> {
  const countries = makeCountryNames();
  const [lang = "en"] = vocabulary.languages;
  const search = makePartSearch(index, vocabulary.name, lang);
  return async (written) => {
    const text = readAffiliation(written);
    const keys = wholeNames(text);
    const named = await store.terms.named(vocabulary.name, [...keys.keys()], NAMESAKES_MAX);
    const found: StoredTerm[] = named.map(({ term }) => term);
    const mentions = countries.find(text.words);
    for (const part of partsToSearch(text, mentions)) addAll(found, await search(part));
    const namesakes = new Map<string, number>();
    for (const { key } of named) namesakes.set(key, (namesakes.get(key) ?? 0) + 1);
    const read: ReadText = { ...text, named: keys, namesakes, countries: mentions };
    return examine(
      read,
      firstOfEach(found, ({ id }) => id),
      { vocabulary, lang, countries },
    );
  };
}

function examine(
  text: ReadText,
  terms: readonly StoredTerm[],
  { vocabulary, lang, countries }: { vocabulary: Vocabulary; lang: string; countries: CountryNames },
): readonly Candidate[] {
  const items = terms.map((term) => storedItem<TermContent>(term));
  const evidence = markInside(items.map((item) => evidenceOf(text, item, countries)));
  return items.map(({ id, title }, i) => ({ id, title: titleIn(title, lang, vocabulary), evidence: evidence[i]! }));
}

/** Runs of words that may be whole names, by their keys: as they stand, with cut words in full, and with an article. */
function wholeNames({ words }: AffiliationText): ReadonlyMap<string, readonly Span[]> {
  const found = new Map<string, Span[]>();
  const add = (key: string, span: Span): void => {
    const spans = found.get(key);
    if (spans === undefined) found.set(key, [span]);
    else spans.push(span);
  };
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= Math.min(words.length, from + NAME_WORDS_MAX); to++) {
      const some = words.slice(from, to);
      if (!mayBeName(some)) continue;
      const span = { from, to };
      const key = some.map(({ word }) => word).join(" ");
      const whole = some.map(({ word }) => inFull(word)).join(" ");
      add(key, span);
      if (whole !== key) add(whole, span);
      if (some.length > 1 && some[0]!.word !== "the") add(`the ${whole}`, span);
    }
  }
  return found;
}

/** A word of one or two letters is one in capitals only. */
function mayBeName(words: readonly AffiliationWord[]): boolean {
  const [first] = words;
  if (words.length === 1 && first!.word.length < 3 && !first!.isCapital) return false;
  return words.some(({ word }) => saysSomething(word));
}

/**
 * What is searched for: each part, and each two that follow each other, since a name may stand in them in another order
 * (`Institute of Physics, Czech Academy of Sciences`). Countries are no part of a name.
 */
function partsToSearch({ words, parts }: AffiliationText, countries: readonly Span[]): readonly AffiliationWord[][] {
  const isCountry = (at: number): boolean => countries.some(({ from, to }) => from <= at && at < to);
  const said = parts
    .map(({ from, to }) => words.slice(from, to).filter(({ word }, i) => saysSomething(word) && !isCountry(from + i)))
    .filter((some) => some.length > 0)
    .map((some) => some.filter(({ word }) => !/\p{N}/u.test(word)));
  const pairs = said.slice(1).map((part, i) => [...said[i]!, ...part]);
  const usable = [...said, ...pairs].filter((some) => some.length > 0 && some.length <= PART_WORDS_MAX);
  return firstOfEach(usable, (some) => some.map(({ word }) => word).join(" ")).slice(0, PARTS_MAX);
}

/** One of the elements that have the same key. */
const firstOfEach = <T>(list: readonly T[], keyOf: (element: T) => string): T[] => [
  ...new Map(list.map((element) => [keyOf(element), element])).values(),
];

function makePartSearch(
  index: Deps["index"],
  vocabulary: string,
  lang: string,
): (part: readonly AffiliationWord[]) => Promise<readonly StoredTerm[]> {
  const common = { vocabulary, facets: [], lang, page: { offset: 0, limit: HITS_MAX } };
  return async (part) => {
    const clause: Clause = { kind: "all", of: part.map(clauseOf) };
    const plain = part.map(({ word }) => word);
    const { hits } = await index.searchTerms({ ...common, clause, plain, sort: "bestmatch" }).catch(unlessTooCostly);
    if (hits.length > 0 || part.some(isBeginning)) return hits;
    // Nothing has all of the words: with typos.
    const near = await index.suggestTerms({ ...common, text: plain.join(" ") }).catch(unlessTooCostly);
    return near.hits;
  };
}

const clauseOf = (each: AffiliationWord): Clause => ({
  kind: isBeginning(each) ? "prefix" : "words",
  place: { in: "text" },
  words: [each.word],
});

/** A part that takes too long to search for is left out: the others may say enough. */
function unlessTooCostly(error: unknown): { readonly hits: readonly [] } {
  if (error instanceof BinderyError && error.code === "QUERY_TOO_COSTLY") return { hits: [] };
  throw error;
}
