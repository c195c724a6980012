import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent } from "../../core/term.js";
import { scalarsAt } from "../index-model/term-keys.js";
import { analyse } from "../text/analyse.js";
import { STEPS } from "./term-steps.js";
import type { Typed, TypedWord } from "./typed-words.js";
import { makeTypoTest } from "./typos.js";

/** What of an item matched: `field` is id, title.<lang>, synonyms or props.<name>; `text` the whole value. */
export interface Matched {
  readonly field: string;
  readonly text: string;
  /** Of a synonym: `acronym`, `common name` ... */
  readonly kind?: string;
}

/** A value of an item with its words. */
interface MatchableValue extends Matched {
  readonly words: readonly string[];
}

/** What of an item words may match: worth keeping beside it, for it is the same whatever is typed. */
export interface MatchableValues {
  /** Those of declared languages first. */
  readonly titles: readonly MatchableValue[];
  readonly names: readonly MatchableValue[];
  /** The id and declared identifiers. */
  readonly ids: readonly MatchableValue[];
  readonly props: readonly MatchableValue[];
}

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
 * @param lang of the title that is shown where several match equally well
 */
export function makeWhatMatched(
  { words, beginnings }: Pick<Typed, "words" | "beginnings">,
  lang: string,
): (values: MatchableValues, step: number) => Matched {
  const exact = words.map(exactTest);
  const begun = (beginnings?.words ?? words).map(exactTest);
  let near: readonly WordTest[] | undefined;
  return (values, step) => {
    if (step >= STEPS.nearInTitle) near ??= words.map(makeTypoTest);
    const tests = step >= STEPS.nearInTitle ? near! : step >= STEPS.begunInTitle ? begun : exact;
    let best: MatchableValue | undefined;
    let bestScore = -1;
    for (const value of inOrder(values, step, lang)) {
      const likeness = step === STEPS.identifier ? 0 : likenessTo(words, value.words, tests);
      const score = countWords(value.words, tests) * LIKENESS_MAX + likeness;
      if (score <= bestScore) continue;
      best = value;
      bestScore = score;
    }
    const { field, text, kind } = best ?? values.ids[0]!;
    return { field, text, ...(kind === undefined ? {} : { kind }) };
  };
}

type WordTest = (word: string) => boolean;

const exactTest =
  ({ word, isPrefix }: TypedWord): WordTest =>
  (other) =>
    isPrefix ? other.startsWith(word) : other === word;

const countWords = (found: readonly string[], tests: readonly WordTest[]): number =>
  tests.filter((test) => found.some(test)).length;

const LIKENESS_MAX = 4;

/** Rates how a value begins with the typed words: 3 equal, 2 all words, shortened or misspelt, 1 first words, 0 no. */
function likenessTo(typed: readonly TypedWord[], words: readonly string[], tests: readonly WordTest[]): number {
  if (words.length < tests.length || !tests.every((test, i) => test(words[i]!))) return 0;
  if (words.length > tests.length) return 1;
  return typed.length === words.length && typed.every(({ word }, i) => word === words[i]) ? 3 : 2;
}

/** Of values that match equally well the first one is shown: what the step of the hit speaks of. */
function inOrder(
  { titles, names, ids, props }: MatchableValues,
  step: number,
  lang: string,
): readonly MatchableValue[] {
  const isAsked = ({ field }: Matched): boolean => field === `title.${lang}`;
  const asked = titles.length < 2 ? titles : [...titles.filter(isAsked), ...titles.filter((each) => !isAsked(each))];
  if (step === STEPS.identifier) return [...ids, ...asked, ...names, ...props];
  if (step === STEPS.wholeName) return [...names, ...asked, ...ids, ...props];
  return [...asked, ...names, ...ids, ...props];
}
