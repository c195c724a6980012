import type { Vocabulary } from "../../core/catalog/types.js";
import { addAll } from "../../core/collections.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import { parseStoredTerm, titleIn } from "../../core/terms/term-row.js";
import type { Clause } from "../../query/index-model/clause.js";
import type { Deps } from "../context/deps.js";
import { isTooSlow } from "../context/index-availability.js";
import { type AffiliationNames, type Evidence, evidenceOf, markInside, type WordSpan } from "./affiliation-evidence.js";
import {
  type AffiliationText,
  type AffiliationWord,
  expandAbbreviation,
  isBeginning,
  isSignificant,
  readAffiliation,
} from "./affiliation-text.js";
import { type CountryNames, makeCountryNames } from "./country-names.js";

/** An organisation that a text may name, with the evidence for it. */
export interface Candidate {
  readonly id: string;
  /** In the first language of the vocabulary. */
  readonly title: string;
  readonly evidence: Evidence;
}

/** Maximum number of words of a name that is looked up as a whole. */
const NAME_WORDS_MAX = 12;

/** Maximum number of organisations with the same name that are examined. */
const NAMESAKES_MAX = 20;

/** Maximum numbers of parts of a text that are searched for, of words in a part, and of examined hits of a part. */
const PARTS_MAX = 16;
const PART_WORDS_MAX = 10;
const HITS_MAX = 5;

/** Creates a function that finds organisations in a text: by whole names, and by a search for the parts of the text. */
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
    const terms: StoredTerm[] = named.map(({ term }) => term);
    const mentions = countries.find(text.words);
    for (const part of partsToSearch(text, mentions)) addAll(terms, await search(part));
    const namesakes = new Map<string, number>();
    for (const { key } of named) namesakes.set(key, (namesakes.get(key) ?? 0) + 1);
    const read: AffiliationNames = { ...text, named: keys, namesakes, countries: mentions };
    return examine(
      read,
      firstOfEach(terms, ({ id }) => id),
      { vocabulary, lang, countries },
    );
  };
}

function examine(
  text: AffiliationNames,
  terms: readonly StoredTerm[],
  { vocabulary, lang, countries }: { vocabulary: Vocabulary; lang: string; countries: CountryNames },
): readonly Candidate[] {
  const items = terms.map((term) => parseStoredTerm<TermContent>(term));
  const evidence = markInside(items.map((item) => evidenceOf(text, item, countries)));
  return items.map(({ id, title }, i) => ({ id, title: titleIn(title, lang, vocabulary), evidence: evidence[i]! }));
}

/**
 * Returns runs of words that may be whole names, by key: unchanged, with full words for abbreviations, and with "the".
 */
function wholeNames({ words }: AffiliationText): ReadonlyMap<string, readonly WordSpan[]> {
  const spansByKey = new Map<string, WordSpan[]>();
  const add = (key: string, span: WordSpan): void => {
    const spans = spansByKey.get(key);
    if (spans === undefined) spansByKey.set(key, [span]);
    else spans.push(span);
  };
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= Math.min(words.length, from + NAME_WORDS_MAX); to++) {
      const run = words.slice(from, to);
      if (!mayBeName(run)) continue;
      const span = { from, to };
      const key = run.map(({ word }) => word).join(" ");
      const fullKey = run.map(({ word }) => expandAbbreviation(word)).join(" ");
      add(key, span);
      if (fullKey !== key) add(fullKey, span);
      if (run.length > 1 && run[0]!.word !== "the") add(`the ${fullKey}`, span);
    }
  }
  return spansByKey;
}

/** Returns whether a run of words may be a name. A single word of one or two letters may be one only in capitals. */
function mayBeName(words: readonly AffiliationWord[]): boolean {
  const [first] = words;
  if (words.length === 1 && first!.word.length < 3 && !first!.isCapital) return false;
  return words.some(({ word }) => isSignificant(word));
}

/**
 * Returns the words to search for: each part, and each pair of consecutive parts, because a name may have them in
 * another order (`Institute of Physics, Czech Academy of Sciences`). Countries are left out, because they are not in
 * names.
 */
function partsToSearch(
  { words, parts }: AffiliationText,
  countries: readonly WordSpan[],
): readonly AffiliationWord[][] {
  const isCountry = (at: number): boolean => countries.some(({ from, to }) => from <= at && at < to);
  const significantParts = parts
    .map(({ from, to }) => words.slice(from, to).filter(({ word }, i) => isSignificant(word) && !isCountry(from + i)))
    .filter((some) => some.length > 0)
    .map((some) => some.filter(({ word }) => !/\p{N}/u.test(word)));
  const pairs = significantParts.slice(1).map((part, i) => [...significantParts[i]!, ...part]);
  const usable = [...significantParts, ...pairs].filter(({ length }) => length > 0 && length <= PART_WORDS_MAX);
  return firstOfEach(usable, (some) => some.map(({ word }) => word).join(" ")).slice(0, PARTS_MAX);
}

/** Returns one element for each key. */
const firstOfEach = <T>(list: readonly T[], getKey: (element: T) => string): T[] => [
  ...new Map(list.map((element) => [getKey(element), element])).values(),
];

function makePartSearch(
  index: Deps["index"],
  vocabulary: string,
  lang: string,
): (part: readonly AffiliationWord[]) => Promise<readonly StoredTerm[]> {
  const common = { vocabulary, facets: [], lang, page: { offset: 0, limit: HITS_MAX } };
  return async (part) => {
    const clause: Clause = { kind: "all", of: part.map(wordClause) };
    const plain = part.map(({ word }) => word);
    const { hits } = await index.searchTerms({ ...common, clause, plain, sort: "bestmatch" }).catch(emptyIfTooSlow);
    if (hits.length > 0 || part.some(isBeginning)) return hits;
    // No term has all of the words: search with typos.
    const near = await index.suggestTerms({ ...common, text: plain.join(" ") }).catch(emptyIfTooSlow);
    return near.hits;
  };
}

const wordClause = (each: AffiliationWord): Clause => ({
  kind: isBeginning(each) ? "prefix" : "words",
  place: { in: "text" },
  words: [each.word],
});

/** Returns no hits for a part whose search takes too long: the other parts may be enough. */
function emptyIfTooSlow(error: unknown): { readonly hits: readonly [] } {
  if (isTooSlow(error)) return { hits: [] };
  throw error;
}
