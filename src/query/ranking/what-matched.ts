import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent } from "../../core/term.js";
import { scalarsAt } from "../index-model/term-keys.js";
import { analyse } from "../text/analyse.js";
import { STEPS } from "./term-steps.js";
import type { TypedWord } from "./typed-words.js";
import { makeTypoTest } from "./typos.js";

/** What of an item matched: `field` is id, title.<lang>, synonyms or props.<name>; `text` the whole value. */
export interface Matched {
  readonly field: string;
  readonly text: string;
}

/** Which value of an item shows best why it was suggested: the one with most of the words. */
export function whatMatched(
  content: TermContent,
  vocabulary: Vocabulary,
  words: readonly TypedWord[],
  step: number,
  lang: string,
): Matched {
  const tests = words.map(step >= STEPS.nearInTitle ? makeTypoTest : exactTest);
  let best: Matched | undefined;
  let bestCount = -1;
  for (const value of valuesOf(content, vocabulary, step, lang)) {
    const count = countWords(analyse(value.text), tests);
    if (count <= bestCount) continue;
    best = value;
    bestCount = count;
  }
  return best ?? { field: "id", text: content.id };
}

type WordTest = (word: string) => boolean;

const exactTest =
  ({ word, isPrefix }: TypedWord): WordTest =>
  (other) =>
    isPrefix ? other.startsWith(word) : other === word;

const countWords = (found: readonly string[], tests: readonly WordTest[]): number =>
  tests.filter((test) => found.some(test)).length;

/** Of values that match equally well the first one is shown: what the step of the hit speaks of. */
function valuesOf(content: TermContent, vocabulary: Vocabulary, step: number, lang: string): Matched[] {
  const languages = [lang, ...vocabulary.languages, ...Object.keys(content.title)];
  const titles = [...new Set(languages)].flatMap((name) => {
    const text = Object.hasOwn(content.title, name) ? content.title[name] : undefined;
    return text === undefined ? [] : [{ field: `title.${name}`, text }];
  });
  const names = (content.synonyms ?? []).map(({ name }) => ({ field: "synonyms", text: name }));
  const identifiers = vocabulary.identifiers.flatMap((prop) => propValues(content, prop));
  const ids = [{ field: "id", text: content.id }, ...identifiers];
  const props = Object.keys(content.props).flatMap((prop) => propValues(content, prop));
  if (step === STEPS.identifier) return [...ids, ...titles, ...names, ...props];
  if (step === STEPS.wholeName) return [...names, ...titles, ...ids, ...props];
  return [...titles, ...names, ...ids, ...props];
}

function propValues(content: TermContent, prop: string): Matched[] {
  return scalarsAt(content, prop).map((text) => ({ field: `props.${prop}`, text }));
}
