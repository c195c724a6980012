/** How `bestmatch` and suggestions rank the items of a vocabulary: a list of steps, which engines only evaluate. */
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Titles } from "../../core/term.js";
import type { Clause } from "../index-model/clause.js";
import { nameKey, SYNONYM, TITLE } from "../index-model/term-keys.js";
import { analyse } from "../text/analyse.js";
import type { Typed } from "./typed-words.js";

/**
 * The steps of `bestmatch`, best first. In suggestions only, these are followed by what has words that begin with those
 * that were typed, and by what is near. Their numbers stand in cursors.
 */
export const STEPS = {
  identifier: 1,
  wholeTitle: 2,
  wholeName: 3,
  titleStart: 4,
  inTitle: 5,
  inNames: 6,
  anywhere: 7,
  begunInTitle: 8,
  begunInNames: 9,
  begunAnywhere: 10,
  nearInTitle: 11,
  nearInNames: 12,
  nearAnywhere: 13,
} as const;

/** A query that is nothing but words. */
interface WordsAsked {
  readonly words: readonly string[];
  /** Last words of a URL in the query (`identifierTail`). */
  readonly url: readonly string[];
  /** The words that a title has to begin with; absent where they are the query's. */
  readonly start?: TitleStart;
}

/** How a title has to begin. */
export interface TitleStart {
  readonly words: readonly string[];
  /** The last word is the beginning of one. */
  readonly isPrefix: boolean;
  /** The whole clause has to hold in titles besides: only a part of it says how they begin. */
  readonly isPart?: boolean;
}

/** Columns of an item's text that a step looks at: its titles, its titles and synonyms, or all. */
export type StepColumns = "title" | "names" | "all";

/** Which of the items that no earlier step took a step takes. */
export type TermTest =
  | { readonly kind: "identified"; readonly by: IdentifierKeys }
  /** A whole name is this one (`nameKey`). */
  | { readonly kind: "named"; readonly key: string; readonly as: typeof TITLE | typeof SYNONYM }
  /** A title begins so (`beginsSo`); `besides` has to hold in titles too. */
  | { readonly kind: "titleStart"; readonly start: TitleStart; readonly besides?: Clause }
  /** The clause holds where its unfielded text is looked for in these columns only. */
  | { readonly kind: "clause"; readonly clause: Clause; readonly columns: StepColumns }
  /** Words near to those that were typed stand in these columns. */
  | { readonly kind: "near"; readonly columns: StepColumns }
  | { readonly kind: "rest" };

/** A step of `bestmatch`. `number` is its place for ever. */
export interface TermStep {
  readonly number: number;
  readonly test: TermTest;
  /** It takes true matches only: others are in the list because something is forgiven. */
  readonly isExact?: true;
}

/** The steps of a search. @param asked absent where the query is more than words */
export function bestSteps(clause: Clause, asked: WordsAsked | undefined, vocabulary: Vocabulary): readonly TermStep[] {
  const steps: TermStep[] = [
    { number: STEPS.inTitle, test: { kind: "clause", clause, columns: "title" } },
    { number: STEPS.inNames, test: { kind: "clause", clause, columns: "names" } },
    { number: STEPS.anywhere, test: { kind: "rest" } },
  ];
  const key = asked && nameKey(asked.words);
  if (asked === undefined || key === undefined) return steps;
  const { words, url, start = { words, isPrefix: false } } = asked;
  const besides = start.isPart === true ? { besides: clause } : {};
  return [
    { number: STEPS.identifier, test: { kind: "identified", by: identifierKeys(words, url, vocabulary) } },
    { number: STEPS.wholeTitle, test: { kind: "named", key, as: TITLE } },
    { number: STEPS.wholeName, test: { kind: "named", key, as: SYNONYM } },
    { number: STEPS.titleStart, test: { kind: "titleStart", start, ...besides } },
    ...steps,
  ];
}

/** What a typed text asks for. @param url as in `WordsAsked` */
export function askedBy({ words, start, hasInitials }: Typed, url: readonly string[]): WordsAsked {
  const asked = { words: words.map(({ word }) => word), url };
  const last = start.at(-1);
  if (last === undefined) return asked;
  return { ...asked, start: { words: start.map(({ word }) => word), isPrefix: last.isPrefix, isPart: hasInitials } };
}

/** What suggestions forgive where little matches truly. */
interface Forgiven {
  /** Words that are cut short. */
  readonly beginnings?: Clause;
  /** Words that are mistyped. */
  readonly isNear: boolean;
}

/** Steps of what has words that are cut short: each takes what the one before it takes, and more. */
export const begunSteps = (beginnings: Clause): readonly TermStep[] => [
  { number: STEPS.begunInTitle, test: { kind: "clause", clause: beginnings, columns: "title" } },
  { number: STEPS.begunInNames, test: { kind: "clause", clause: beginnings, columns: "names" } },
  { number: STEPS.begunAnywhere, test: { kind: "clause", clause: beginnings, columns: "all" } },
];

/** The same of what has words that are mistyped. */
export const NEAR_STEPS: readonly TermStep[] = [
  { number: STEPS.nearInTitle, test: { kind: "near", columns: "title" } },
  { number: STEPS.nearInNames, test: { kind: "near", columns: "names" } },
  { number: STEPS.nearAnywhere, test: { kind: "near", columns: "all" } },
];

/** The steps of a ranking, and behind them those for what matches only where something is forgiven. */
export function withForgiven(steps: readonly TermStep[], { beginnings, isNear }: Forgiven): readonly TermStep[] {
  const begun = beginnings === undefined ? [] : begunSteps(beginnings);
  const forgiven = [...begun, ...(isNear ? NEAR_STEPS : [])];
  const last = forgiven.at(-1);
  if (last === undefined) return steps;
  return [
    ...steps.map((step): TermStep => ({ ...step, isExact: true })),
    ...forgiven.slice(0, -1),
    // The last step of all takes whatever is left.
    { ...last, test: { kind: "rest" } },
  ];
}

/** Does a title of the item begin so? */
export function beginsSo(titles: Titles, { words, isPrefix }: TitleStart): boolean {
  return Object.values(titles).some((title) => {
    const found = analyse(title);
    return words.every((word, i) =>
      isPrefix && i === words.length - 1 ? found[i]?.startsWith(word) : found[i] === word,
    );
  });
}

/** Keys of identifiers that some words may be: items that have any of them are meant. */
export interface IdentifierKeys {
  /** All words; absent where they are none or too many. */
  readonly whole?: string;
  /** The words behind a prefix of the vocabulary's ids: only of an item whose id they are (`isId`). */
  readonly local: readonly string[];
  /** Ends of a URL (`urlKeys`). */
  readonly url: readonly string[];
}

/**
 * Keys of the ids and declared identifiers that the words are: whole, or without a prefix, or at the end of a URL.
 * @param url last words of a URL in the query (`identifierTail`)
 */
export function identifierKeys(
  words: readonly string[],
  url: readonly string[],
  { idPrefixes }: Pick<Vocabulary, "idPrefixes">,
): IdentifierKeys {
  const whole = nameKey(words);
  const local = idPrefixes.flatMap((prefix) => {
    const before = analyse(prefix);
    const isBefore = before.every((word, i) => word === words[i]);
    return (isBefore ? nameKey(words.slice(before.length)) : undefined) ?? [];
  });
  return { ...(whole === undefined ? {} : { whole }), local, url: urlKeys(url) };
}

/** Is it the id of the item? Its other identifiers are found without a prefix only. */
export const isId = (ext: string, { whole }: IdentifierKeys): boolean => nameKey(analyse(ext)) === whole;

/**
 * Keys of identifiers that may end a URL, the longest first: only the first that any item has is meant.
 * @param tail last words of the URL (`identifierTail`)
 */
export const urlKeys = (tail: readonly string[]): readonly string[] =>
  tail.flatMap((_, from) => nameKey(tail.slice(from)) ?? []);
