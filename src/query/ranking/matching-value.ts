import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent } from "../../core/term.js";
import { scalarsAt } from "../index-model/term-document.js";
import { analyse } from "../text/analyse.js";
import { TERM_STEPS } from "./term-steps.js";
import { makeTypoTest, type TypedText, type TypedWord } from "./typed-words.js";

/** The value of a term that matched. */
export interface MatchingValue {
  /** `id`, `title.<lang>`, `synonyms` or `props.<name>`. */
  readonly field: string;
  /** The whole value. */
  readonly text: string;
  /** Kind of a synonym: `acronym`, `common name` ... */
  readonly kind?: string | undefined;
}

/** A value of a term with its words. */
interface MatchableValue extends MatchingValue {
  readonly words: readonly string[];
}

/** Values of a term that words may match. They do not depend on the query, so callers can cache them with the term. */
export interface MatchableValues {
  /** Titles, those in declared languages first. */
  readonly titles: readonly MatchableValue[];
  readonly names: readonly MatchableValue[];
  /** The id and declared identifiers. */
  readonly ids: readonly MatchableValue[];
  readonly props: readonly MatchableValue[];
}

/** Returns the values of a term that words may match. */
export function matchableValues(
  content: Pick<TermContent, "id" | "title" | "synonyms" | "props">,
  vocabulary: Vocabulary,
): MatchableValues {
  const toValue = (field: string, text: string): MatchableValue => ({ field, text, words: analyse(text) });
  const inProp = (prop: string): MatchableValue[] =>
    scalarsAt(content, prop).map((text) => toValue(`props.${prop}`, text));
  const languages = new Set([...vocabulary.languages, ...Object.keys(content.title)]);
  return {
    titles: [...languages].flatMap((name) => {
      const text = Object.hasOwn(content.title, name) ? content.title[name] : undefined;
      return text === undefined ? [] : [toValue(`title.${name}`, text)];
    }),
    names: (content.synonyms ?? []).map(({ name, kind }) => ({ ...toValue("synonyms", name), kind })),
    ids: [toValue("id", content.id), ...vocabulary.identifiers.flatMap(inProp)],
    props: Object.keys(content.props).flatMap(inProp),
  };
}

/**
 * Makes a function that finds the value of a term that best shows why it was suggested: the value with most of the
 * typed words. Among these, a value that was typed as a whole comes first, then one that begins with the typed text.
 * @param lang language of the preferred title if several match equally well
 */
export function makeMatchFinder(
  { words, beginnings }: Pick<TypedText, "words" | "beginnings">,
  lang: string,
): (values: MatchableValues, step: number) => MatchingValue {
  const exact = words.map(exactTest);
  const asPrefixes = (beginnings?.words ?? words).map(exactTest);
  let near: readonly WordTest[] | undefined;
  return (values, step) => {
    if (step >= TERM_STEPS.nearInTitle) near ??= words.map(makeTypoTest);
    const tests = step >= TERM_STEPS.nearInTitle ? near! : step >= TERM_STEPS.prefixInTitle ? asPrefixes : exact;
    let best: MatchableValue | undefined;
    let bestScore = -1;
    for (const value of preferredOrder(values, step, lang)) {
      const likeness = step === TERM_STEPS.identifier ? 0 : likenessTo(words, value.words, tests);
      const score = countMatchingWords(value.words, tests) * LIKENESS_MAX + likeness;
      if (score <= bestScore) continue;
      best = value;
      bestScore = score;
    }
    const { field, text, kind } = best ?? values.ids[0]!;
    return { field, text, kind };
  };
}

type WordTest = (word: string) => boolean;

const exactTest =
  ({ word, isPrefix }: TypedWord): WordTest =>
  (other) =>
    isPrefix ? other.startsWith(word) : other === word;

const countMatchingWords = (words: readonly string[], tests: readonly WordTest[]): number =>
  tests.filter((test) => words.some(test)).length;

const LIKENESS_MAX = 4;

/** Rates how a value begins with the typed words: 3 equal, 2 all words, shortened or misspelt, 1 first words, 0 no. */
function likenessTo(typed: readonly TypedWord[], words: readonly string[], tests: readonly WordTest[]): number {
  if (words.length < tests.length || !tests.every((test, i) => test(words[i]!))) return 0;
  if (words.length > tests.length) return 1;
  return typed.length === words.length && typed.every(({ word }, i) => word === words[i]) ? 3 : 2;
}

/** Returns the values in the order of preference if they match equally well. It depends on the step of the hit. */
function preferredOrder(
  { titles, names, ids, props }: MatchableValues,
  step: number,
  lang: string,
): readonly MatchableValue[] {
  const isInLanguage = ({ field }: MatchingValue): boolean => field === `title.${lang}`;
  const sortedTitles =
    titles.length < 2 ? titles : [...titles.filter(isInLanguage), ...titles.filter((title) => !isInLanguage(title))];
  if (step === TERM_STEPS.identifier) return [...ids, ...sortedTitles, ...names, ...props];
  if (step === TERM_STEPS.wholeName) return [...names, ...sortedTitles, ...ids, ...props];
  return [...sortedTitles, ...names, ...ids, ...props];
}
