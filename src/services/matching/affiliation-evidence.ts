import { greatestOf } from "../../core/collections.js";
import type { TermContent } from "../../core/term.js";
import { nameKey } from "../../query/index-model/term-document.js";
import { typosMax } from "../../query/ranking/typed-words.js";
import { analyse } from "../../query/text/analyse.js";
import { makeEditTest } from "../../query/text/edit-distance.js";
import { type AffiliationText, type AffiliationWord, isBeginning, isSignificant } from "./affiliation-text.js";
import type { CountryMention, CountryNames } from "./country-names.js";

/**
 * The features that say whether a text names an organisation. Each is a number, which is 0 or 1 unless its comment says
 * otherwise.
 */
export const EVIDENCE = [
  /** The text contains the whole title. */
  "title",
  /** The text contains another whole name. */
  "alias",
  /** The text contains an acronym in capitals. */
  "acronym",
  /** The text contains all words of a name, but not consecutively. */
  "scattered",
  /** Number of significant words of the name, at most four, divided by four. */
  "length",
  /** Fraction of these words that are in the text. */
  "nameCovered",
  /** Maximum fraction of the words of a part of the text (between commas) that are in the name. */
  "partCovered",
  /** Fraction of the words of the whole text that are in the name. */
  "textCovered",
  /** The name and the text have the same words. */
  "same",
  /** Its words are in a longer name of another organisation, all of whose words are in the text. */
  "inside",
  /** A word precedes it in its part of the text, so it may be a part of a longer name. */
  "preceded",
  /** A word such as `of` follows it, so it may be a part of a longer name. */
  "continued",
  /** The text names its city. */
  "city",
  /** The text names its region. */
  "region",
  /** The text names its country. */
  "country",
  /** The text names only other countries. */
  "elsewhere",
  /** An acronym, and the text names its city or country. */
  "placedAcronym",
  /** Binary logarithm of the number of organisations with this name. */
  "namesakes",
  /** Binary logarithm of 1 plus the number of its names, registries and relations. */
  "known",
  /** The authority has removed it. */
  "deprecated",
] as const;
type EvidenceName = (typeof EVIDENCE)[number];
/** The values of all features for one organisation. */
export type Evidence = Readonly<Record<EvidenceName, number>>;

/** Consecutive words of a text: the index of the first one, and the index after the last one. */
export interface WordSpan {
  readonly from: number;
  readonly to: number;
}

/** A text with the names and countries that were found in it. */
export interface AffiliationNames extends AffiliationText {
  /** The places of whole names in it, by their keys (`nameKey`). */
  readonly named: ReadonlyMap<string, readonly WordSpan[]>;
  /** Number of organisations with a name, by its key. */
  readonly namesakes: ReadonlyMap<string, number>;
  readonly countries: readonly CountryMention[];
}

/** The name of an organisation that fits a text best. */
interface BestName {
  readonly exact?:
    | { readonly kind: "title" | "alias" | "acronym"; readonly key: string; readonly span: WordSpan }
    | undefined;
  readonly words: readonly string[];
  readonly nameCovered: number;
  readonly partCovered: number;
  readonly textCovered: number;
}

/** The result of `evidenceOf`, with the words of the name that fits best. */
interface Examined {
  readonly evidence: Evidence;
  readonly words: readonly string[];
}

/** Returns the evidence for an organisation in a text. `inside` is always 0; `markInside` sets it. */
export function evidenceOf(text: AffiliationNames, item: TermContent, countries: CountryNames): Examined {
  const best = bestName(text, item);
  const { exact } = best;
  const place = placeEvidence(text, item, countries, exact?.span);
  const isAcronym = exact?.kind === "acronym";
  const evidence: Evidence = {
    title: Number(exact?.kind === "title"),
    alias: Number(exact?.kind === "alias"),
    acronym: Number(isAcronym),
    scattered: Number(exact === undefined && best.nameCovered === 1),
    length: Math.min(4, best.words.length) / 4,
    nameCovered: best.nameCovered,
    partCovered: best.partCovered,
    textCovered: best.textCovered,
    same: Number(best.nameCovered === 1 && best.textCovered === 1),
    inside: 0,
    ...neighbourEvidence(text, exact?.span),
    ...place,
    placedAcronym: Number(isAcronym && place.city + place.country > 0),
    namesakes: exact === undefined ? 0 : Math.log2(text.namesakes.get(exact.key) ?? 1),
    known: Math.log2(
      1 + (item.synonyms?.length ?? 0) + KNOWN_LISTS.reduce((sum, name) => sum + listLength(item, name), 0),
    ),
    deprecated: Number(item.status === "deprecated"),
  };
  return { evidence, words: best.words };
}

/** Sets `inside` for each name whose words are all in a longer name of another organisation in the text. */
export function markInside(examined: readonly Examined[]): readonly Evidence[] {
  const whole = examined.filter(({ evidence }) => evidence.nameCovered === 1).map(({ words }) => new Set(words));
  return examined.map(({ evidence, words }) => {
    const isInside = whole.some((other) => other.size > words.length && words.every((word) => other.has(word)));
    return isInside ? { ...evidence, inside: 1 } : evidence;
  });
}

/** Props with what registries know of an organisation: more of it for those that are meant more often. */
const KNOWN_LISTS = ["identifiers", "parents", "children", "predecessors", "successors", "related"];

const listLength = ({ props }: TermContent, name: string): number => {
  const value = Object.hasOwn(props, name) ? props[name] : undefined;
  return Array.isArray(value) ? value.length : 0;
};

/** Text in brackets at the end of a name, which only distinguishes organisations of the same name: `IBM (Japan)`. */
const QUALIFIER = /\s*\([^()]*\)$/;

function bestName(text: AffiliationNames, { title, synonyms = [] }: TermContent): BestName {
  const names = [
    ...Object.values(title).map((name) => ({ name, kind: "title" as const })),
    ...synonyms.map(({ name, kind }) => ({ name, kind: nameKind(kind) })),
  ];
  let best: BestName = { words: [], nameCovered: 0, partCovered: 0, textCovered: 0 };
  let bestScore = -1;
  for (const { name, kind } of names) {
    for (const form of new Set([name, name.replace(QUALIFIER, "")])) {
      const candidate = compareName(text, form, kind);
      const { exact, nameCovered, partCovered } = candidate;
      // Prefers a whole name to scattered words, the longest whole name, and the title among names of equal length.
      const length = exact === undefined ? 0 : 2 + (exact.span.to - exact.span.from);
      const score = length + nameCovered * partCovered;
      if (score <= bestScore) continue;
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

/** Returns the kind of a synonym. A label is a title in another language. */
const nameKind = (kind: string): "title" | "alias" | "acronym" =>
  kind === "acronym" ? "acronym" : kind === "label" ? "title" : "alias";

function compareName(text: AffiliationNames, name: string, kind: "title" | "alias" | "acronym"): BestName {
  const all = analyse(name);
  const words = [...new Set(all.filter(isSignificant))];
  const key = nameKey(all) ?? "";
  const spans = text.named.get(key) ?? [];
  const span = kind === "acronym" ? spans.find((each) => isInCapitals(text, each)) : longest(spans);
  const covered =
    span === undefined
      ? words.reduce((sum, word) => sum + greatestOf(text.words.map((each) => likeness(each, word))), 0)
      : words.length;
  return {
    exact: span === undefined ? undefined : { kind, key, span },
    words,
    nameCovered: words.length === 0 ? 0 : covered / words.length,
    partCovered: greatestOf(text.parts.map((part) => coverage(text, part, words))),
    textCovered: coverage(text, { from: 0, to: text.words.length }, words),
  };
}

const longest = (spans: readonly WordSpan[]): WordSpan | undefined =>
  spans.reduce<WordSpan | undefined>((best, span) => {
    return best === undefined || span.to - span.from > best.to - best.from ? span : best;
  }, undefined);

const isInCapitals = ({ words }: AffiliationText, { from, to }: WordSpan): boolean =>
  words.slice(from, to).every(({ isCapital }) => isCapital);

/** Returns the fraction of the words of a span that are in a name. */
function coverage({ words }: AffiliationText, { from, to }: WordSpan, name: readonly string[]): number {
  const significant = words.slice(from, to).filter(({ word }) => isSignificant(word));
  const shared = significant.reduce((sum, each) => {
    return sum + greatestOf([0, ...name.map((word) => likeness(each, word))]);
  }, 0);
  return significant.length === 0 ? 0 : shared / significant.length;
}

/** The likeness of a word with a typo. */
const NEAR = 0.9;

/** Returns how similar a word of a text is to a word of a name: 1 if it is equal or an abbreviation, 0 if different. */
function likeness(each: AffiliationWord, word: string): number {
  if (each.word === word || (isBeginning(each) && word.startsWith(each.word))) return 1;
  const edits = typosMax(each.word);
  // Typos in the first letter are rare, and comparing all words would take most of the time.
  const mayBeNear = edits > 0 && each.word[0] === word[0] && Math.abs(each.word.length - word.length) <= edits;
  return mayBeNear && makeEditTest(each.word, edits)(word) ? NEAR : 0;
}

function neighbourEvidence(
  { words, parts }: AffiliationText,
  span: WordSpan | undefined,
): Pick<Evidence, "preceded" | "continued"> {
  const before = span && parts.some(({ from, to }) => from < span.from && span.from < to) && words[span.from - 1];
  const after = span && parts.some(({ from, to }) => from < span.to && span.to < to) && words[span.to];
  return {
    preceded: Number(before !== undefined && before !== false && isSignificant(before.word)),
    continued: Number(after !== undefined && after !== false && !isSignificant(after.word)),
  };
}

function placeEvidence(
  text: AffiliationNames,
  { props }: TermContent,
  countries: CountryNames,
  span: WordSpan | undefined,
): Pick<Evidence, "city" | "region" | "country" | "elsewhere"> {
  const outside = (each: WordSpan): boolean => span === undefined || each.to <= span.from || each.from >= span.to;
  const isNamed = (prop: string): number => {
    const value = Object.hasOwn(props, prop) ? props[prop] : undefined;
    return Number(typeof value === "string" && spansOf(text, analyse(value)).some(outside));
  };
  const country = Object.hasOwn(props, "country") ? props.country : undefined;
  const code = typeof country === "string" ? countries.countryCode(country) : undefined;
  const named = text.countries.filter(outside);
  const isInCountry = named.some((mention) => mention.code === code);
  const isElsewhere = code !== undefined && named.length > 0 && !isInCountry;
  return {
    city: isNamed("city"),
    region: isNamed("state"),
    country: Number(isInCountry),
    elsewhere: Number(isElsewhere),
  };
}

/** Returns all places where words occur consecutively. */
function spansOf({ words }: AffiliationText, sequence: readonly string[]): WordSpan[] {
  if (sequence.length === 0) return [];
  return words.flatMap((_, from) =>
    sequence.every((word, i) => words[from + i]?.word === word) ? [{ from, to: from + sequence.length }] : [],
  );
}

/** The weights of the evidence in the logistic model, and its constant `none`. */
export interface EvidenceWeights {
  readonly none: number;
  readonly of: Readonly<Record<EvidenceName, number>>;
}

/**
 * The weights, fitted to affiliations of papers whose organisations were identified by people:
 * test/relevance/fit-weights.ts fits them, docs/matching.md has their accuracy for other affiliations.
 */
export const EVIDENCE_WEIGHTS: EvidenceWeights = {
  none: -13.9,
  of: {
    title: 4.64,
    alias: 3.47,
    acronym: 0.52,
    scattered: 0.51,
    length: -0.13,
    nameCovered: 6.88,
    partCovered: 0.42,
    textCovered: 2.25,
    same: 0.69,
    inside: -2.96,
    preceded: -0.73,
    continued: -1.14,
    city: 1.35,
    region: 0.14,
    country: 0.58,
    elsewhere: -2.04,
    placedAcronym: 1.38,
    namesakes: -1.51,
    known: 0.69,
    deprecated: -0.42,
  },
};

/** Returns the probability that a text names an organisation, from 0 to 1. */
export function confidenceOf(evidence: Evidence, { none, of }: EvidenceWeights = EVIDENCE_WEIGHTS): number {
  const sum = EVIDENCE.reduce((total, name) => total + of[name] * evidence[name], none);
  return 1 / (1 + Math.exp(-sum));
}
