/** Ranking of terms by `bestmatch` and in suggestions: a list of steps that engines evaluate. */
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Titles } from "../../core/term.js";
import type { Clause } from "../index-model/clause.js";
import { nameKey, SYNONYM_NAME, TITLE_NAME } from "../index-model/term-document.js";
import { analyse } from "../text/analyse.js";
import type { TypedText } from "./typed-words.js";

/**
 * Numbers of the steps, best first. Suggestions have further steps: for terms with words that begin with the typed
 * words, and for terms with words similar to them. Cursors contain the numbers.
 */
export const TERM_STEPS = {
  identifier: 1,
  wholeTitle: 2,
  wholeName: 3,
  titleStart: 4,
  inTitle: 5,
  inNames: 6,
  anywhere: 7,
  prefixInTitle: 8,
  prefixInNames: 9,
  prefixAnywhere: 10,
  nearInTitle: 11,
  nearInNames: 12,
  nearAnywhere: 13,
} as const;

/** A query that consists only of words. */
interface WordQuery {
  readonly words: readonly string[];
  /** Last words of a URL in the query (`identifierTail`). */
  readonly url: readonly string[];
  /** Required beginning of a title. Absent: all words of the query. */
  readonly start?: TitleStart;
}

/** Required beginning of a title. */
export interface TitleStart {
  readonly words: readonly string[];
  /** Whether the last word is a prefix. */
  readonly isPrefix: boolean;
  /** Whether the words are only a part of the query, so that the whole clause must match in titles too. */
  readonly isPart?: boolean;
}

/** Columns of a term's text that a step searches: titles, titles and synonyms, or all. */
export type StepColumns = (typeof STEP_COLUMNS)[number];
/** All choices of columns that a step may search. */
export const STEP_COLUMNS = ["title", "names", "all"] as const;

/** Condition of a step. Its hits pass it and are in no earlier step. */
export type TermStepTest =
  /** An identifier has one of the keys. */
  | { readonly kind: "identified"; readonly by: IdentifierKeys }
  /** A whole title or synonym has this key (`nameKey`). */
  | { readonly kind: "named"; readonly key: string; readonly as: typeof TITLE_NAME | typeof SYNONYM_NAME }
  /** A title has this beginning (`matchesTitleStart`), and `besides` matches in titles too. */
  | { readonly kind: "titleStart"; readonly start: TitleStart; readonly besides?: Clause | undefined }
  /** The clause matches if its words without a field are searched only in these columns. */
  | { readonly kind: "clause"; readonly clause: Clause; readonly columns: StepColumns }
  /** These columns have words similar to the typed ones. */
  | { readonly kind: "near"; readonly columns: StepColumns }
  /** All other hits. */
  | { readonly kind: "rest" };

/** A step of `bestmatch`. `number` never changes. */
export interface TermStep {
  readonly number: number;
  readonly test: TermStepTest;
  /** Present if the hits of the step must match the query exactly, while the list also has inexact matches. */
  readonly isExact?: true;
}

/** The step that takes all remaining hits. */
export const REST_STEP: TermStep = { number: TERM_STEPS.anywhere, test: { kind: "rest" } };

/** Returns the steps of a search. @param query undefined if the query consists of more than words */
export function bestMatchTermSteps(
  clause: Clause,
  query: WordQuery | undefined,
  vocabulary: Vocabulary,
): readonly TermStep[] {
  const steps: TermStep[] = [
    { number: TERM_STEPS.inTitle, test: { kind: "clause", clause, columns: "title" } },
    { number: TERM_STEPS.inNames, test: { kind: "clause", clause, columns: "names" } },
    REST_STEP,
  ];
  const key = query && nameKey(query.words);
  if (query === undefined || key === undefined) return steps;
  const { words, url, start = { words, isPrefix: false } } = query;
  const besides = start.isPart === true ? clause : undefined;
  return [
    { number: TERM_STEPS.identifier, test: { kind: "identified", by: identifierKeys(words, url, vocabulary) } },
    { number: TERM_STEPS.wholeTitle, test: { kind: "named", key, as: TITLE_NAME } },
    { number: TERM_STEPS.wholeName, test: { kind: "named", key, as: SYNONYM_NAME } },
    { number: TERM_STEPS.titleStart, test: { kind: "titleStart", start, besides } },
    ...steps,
  ];
}

/** Converts a typed text to a word query. @param url see `WordQuery` */
export function typedWordQuery({ words, start, hasInitials }: TypedText, url: readonly string[]): WordQuery {
  const query = { words: words.map(({ word }) => word), url };
  const last = start.at(-1);
  if (last === undefined) return query;
  return { ...query, start: { words: start.map(({ word }) => word), isPrefix: last.isPrefix, isPart: hasInitials } };
}

/** Inexact matches that suggestions include if there are few exact ones. */
export interface Tolerance {
  /** Clause with all words as prefixes. Absent: no such matches. */
  readonly beginnings?: Clause | undefined;
  /** Whether words with typos match. */
  readonly isNear: boolean;
}

/** Returns the steps for words that are prefixes. Each step includes the hits of the previous one. */
const prefixSteps = (beginnings: Clause): readonly TermStep[] => [
  { number: TERM_STEPS.prefixInTitle, test: { kind: "clause", clause: beginnings, columns: "title" } },
  { number: TERM_STEPS.prefixInNames, test: { kind: "clause", clause: beginnings, columns: "names" } },
  { number: TERM_STEPS.prefixAnywhere, test: { kind: "clause", clause: beginnings, columns: "all" } },
];

/** Steps for words with typos. Each step includes the hits of the previous one. */
export const NEAR_STEPS: readonly TermStep[] = [
  { number: TERM_STEPS.nearInTitle, test: { kind: "near", columns: "title" } },
  { number: TERM_STEPS.nearInNames, test: { kind: "near", columns: "names" } },
  { number: TERM_STEPS.nearAnywhere, test: { kind: "near", columns: "all" } },
];

/** Adds the steps for inexact matches to those of a ranking. */
export function withTolerantSteps(steps: readonly TermStep[], { beginnings, isNear }: Tolerance): readonly TermStep[] {
  const withPrefixes = beginnings === undefined ? [] : prefixSteps(beginnings);
  const tolerant = [...withPrefixes, ...(isNear ? NEAR_STEPS : [])];
  const last = tolerant.at(-1);
  if (last === undefined) return steps;
  return [
    ...steps.map((step): TermStep => ({ ...step, isExact: true })),
    ...tolerant.slice(0, -1),
    // The last step takes all remaining hits.
    { ...last, test: { kind: "rest" } },
  ];
}

/** Returns whether a title of a term has the required beginning. */
export const matchesTitleStart = (titles: Titles, start: TitleStart): boolean =>
  Object.values(titles).some((title) => beginsWith(analyse(title), start));

/** Returns whether the words of a title have the required beginning. */
export const beginsWith = (titleWords: readonly string[], { words, isPrefix }: TitleStart): boolean =>
  words.every((word, i) =>
    isPrefix && i === words.length - 1 ? titleWords[i]?.startsWith(word) : titleWords[i] === word,
  );

/** Keys of identifiers that some words may be. A term with any of them matches. */
export interface IdentifierKeys {
  /** Key of all words. Absent if there are no words or too many. */
  readonly whole?: string | undefined;
  /** Keys of the words after a prefix of the vocabulary's ids. They match only if the whole id is equal (`isId`). */
  readonly local: readonly string[];
  /** Keys of the end of a URL (`urlKeys`). */
  readonly url: readonly string[];
}

/**
 * Returns the keys of identifiers that some words may be: all words, the words after a prefix, or the end of a URL.
 * @param url last words of a URL in the query (`identifierTail`)
 */
export function identifierKeys(
  words: readonly string[],
  url: readonly string[],
  { idPrefixes }: Pick<Vocabulary, "idPrefixes">,
): IdentifierKeys {
  const whole = nameKey(words);
  const local = idPrefixes.flatMap((prefix) => {
    const prefixWords = analyse(prefix);
    const hasPrefix = prefixWords.every((word, i) => word === words[i]);
    return (hasPrefix ? nameKey(words.slice(prefixWords.length)) : undefined) ?? [];
  });
  return { whole, local, url: urlKeys(url) };
}

/** Returns whether the words are the id of a term. Other identifiers are found only without a prefix. */
export const isId = (termId: string, { whole }: IdentifierKeys): boolean => nameKey(analyse(termId)) === whole;

/**
 * Returns the keys of identifiers at the end of a URL, longest first. Only the first one that a term has matches.
 * @param tail last words of the URL (`identifierTail`)
 */
export const urlKeys = (tail: readonly string[]): readonly string[] =>
  tail.flatMap((_, from) => nameKey(tail.slice(from)) ?? []);
