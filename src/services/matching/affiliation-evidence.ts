import { greatestOf } from "../../core/arrays.js";
import type { TermContent } from "../../core/term.js";
import { nameKey } from "../../query/index-model/term-keys.js";
import { typosIn } from "../../query/ranking/typos.js";
import { analyse } from "../../query/text/analyse.js";
import { makeEditTest } from "../../query/text/edit-distance.js";
import { type AffiliationText, type AffiliationWord, isBeginning, saysSomething } from "./affiliation-text.js";
import type { CountryMention, CountryNames } from "./country-names.js";

/**
 * What speaks for an organisation being the one that an affiliation names, or against it, each as a number: 0 or 1 but
 * where it says otherwise.
 */
export const EVIDENCE = [
  /** The title stands in the text as a whole; another name does; an acronym does, in capitals. */
  ...(["title", "alias", "acronym"] as const),
  /** All words of a name are in the text, but not in a row. */
  "scattered",
  /** Words of the name that tell it from others, up to four, of four. */
  "length",
  /** The share of these words that the text has. */
  "nameCovered",
  /** The greatest share of the words of a part of the text (between commas) that the name has. */
  "partCovered",
  /** The share of the words of the whole text that the name has; the name and the text have the same words. */
  ...(["textCovered", "same"] as const),
  /** Its words are in a longer name of another organisation, all of which the text has. */
  "inside",
  /** A word stands before it in its part; a word such as `of` follows it: it may be a part of a longer name. */
  ...(["preceded", "continued"] as const),
  /** The text names its city, its region, its country; only other countries. */
  ...(["city", "region", "country", "elsewhere"] as const),
  /** An acronym, and the text names its city or country. */
  "placedAcronym",
  /** Binary logarithm of the number of organisations with this name. */
  "namesakes",
  /** Binary logarithm of one more than the number of its names, registries and relations. */
  "known",
  /** The authority no longer has it. */
  "deprecated",
] as const;
export type EvidenceName = (typeof EVIDENCE)[number];
export type Evidence = Readonly<Record<EvidenceName, number>>;

/** Words of a text in a row: the place of the first, and of the one behind the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The text, with what was found in it. */
export interface ReadText extends AffiliationText {
  /** Where whole names stand in it, by their keys (`nameKey`). */
  readonly named: ReadonlyMap<string, readonly Span[]>;
  /** How many organisations have a name, by its key. */
  readonly namesakes: ReadonlyMap<string, number>;
  readonly countries: readonly CountryMention[];
}

/** The name of an organisation that fits a text best. */
interface BestName {
  readonly exact?: { readonly kind: "title" | "alias" | "acronym"; readonly key: string; readonly span: Span };
  readonly words: readonly string[];
  readonly nameCovered: number;
  readonly partCovered: number;
  readonly textCovered: number;
}

/** What `evidenceOf` says, and the words of the name that it is about. */
interface Examined {
  readonly evidence: Evidence;
  readonly words: readonly string[];
}

/** What a text says about an organisation. `inside` is not known here: `markInside` fills it in. */
export function evidenceOf(text: ReadText, item: TermContent, countries: CountryNames): Examined {
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
    known: Math.log2(1 + (item.synonyms?.length ?? 0) + listLength(item, "identifiers") + listLength(item, "related")),
    deprecated: Number(item.status === "deprecated"),
  };
  return { evidence, words: best.words };
}

/** Says of each name whose words are all in a longer one of another organisation, which the text has, that it is. */
export function markInside(examined: readonly Examined[]): readonly Evidence[] {
  const whole = examined.filter(({ evidence }) => evidence.nameCovered === 1).map(({ words }) => new Set(words));
  return examined.map(({ evidence, words }) => {
    const isInside = whole.some((other) => other.size > words.length && words.every((word) => other.has(word)));
    return isInside ? { ...evidence, inside: 1 } : evidence;
  });
}

const listLength = ({ props }: TermContent, name: string): number => {
  const value = Object.hasOwn(props, name) ? props[name] : undefined;
  return Array.isArray(value) ? value.length : 0;
};

/** What stands in brackets at the end of a name only tells it from namesakes: `IBM (United States)`. */
const QUALIFIER = /\s*\([^()]*\)$/;

function bestName(text: ReadText, { title, synonyms = [] }: TermContent): BestName {
  const names = [
    ...Object.values(title).map((name) => ({ name, kind: "title" as const })),
    ...synonyms.map(({ name, kind }) => ({ name, kind: kindOf(kind) })),
  ];
  let best: BestName = { words: [], nameCovered: 0, partCovered: 0, textCovered: 0 };
  let bestScore = -1;
  for (const { name, kind } of names) {
    for (const form of new Set([name, name.replace(QUALIFIER, "")])) {
      const found = compareName(text, form, kind);
      const { exact, nameCovered, partCovered } = found;
      // A whole name before scattered words; of whole names the longest, the title first.
      const length = exact === undefined ? 0 : 2 + (exact.span.to - exact.span.from);
      const score = length + nameCovered * partCovered;
      if (score <= bestScore) continue;
      best = found;
      bestScore = score;
    }
  }
  return best;
}

/** A label is the title in another language. */
const kindOf = (kind: string): "title" | "alias" | "acronym" =>
  kind === "acronym" ? "acronym" : kind === "label" ? "title" : "alias";

function compareName(text: ReadText, name: string, kind: "title" | "alias" | "acronym"): BestName {
  const all = analyse(name);
  const words = [...new Set(all.filter(saysSomething))];
  const key = nameKey(all) ?? "";
  const spans = text.named.get(key) ?? [];
  const span = kind === "acronym" ? spans.find((each) => isInCapitals(text, each)) : longest(spans);
  const covered =
    span === undefined
      ? words.reduce((sum, word) => sum + greatestOf(text.words.map((each) => likeness(each, word))), 0)
      : words.length;
  return {
    ...(span === undefined ? {} : { exact: { kind, key, span } }),
    words,
    nameCovered: words.length === 0 ? 0 : covered / words.length,
    partCovered: greatestOf(text.parts.map((part) => coverage(text, part, words))),
    textCovered: coverage(text, { from: 0, to: text.words.length }, words),
  };
}

const longest = (spans: readonly Span[]): Span | undefined =>
  spans.reduce<Span | undefined>((best, span) => {
    return best === undefined || span.to - span.from > best.to - best.from ? span : best;
  }, undefined);

const isInCapitals = ({ words }: AffiliationText, { from, to }: Span): boolean =>
  words.slice(from, to).every(({ isCapital }) => isCapital);

/** The share of the words of a span that a name has. */
function coverage({ words }: AffiliationText, { from, to }: Span, name: readonly string[]): number {
  const said = words.slice(from, to).filter(({ word }) => saysSomething(word));
  const shared = said.reduce((sum, each) => sum + greatestOf([0, ...name.map((word) => likeness(each, word))]), 0);
  return said.length === 0 ? 0 : shared / said.length;
}

/** Of a word that is mistyped: it says nearly as much. */
const NEAR = 0.9;

/** How well a word of a text stands for one of a name: 1 as a whole or cut short, 0 where it does not. */
function likeness(each: AffiliationWord, word: string): number {
  if (each.word === word || (isBeginning(each) && word.startsWith(each.word))) return 1;
  const edits = typosIn(each.word);
  // Hardly anybody mistypes the first letter, and to compare all words would take most of the time.
  const mayBeNear = edits > 0 && each.word[0] === word[0] && Math.abs(each.word.length - word.length) <= edits;
  return mayBeNear && makeEditTest(each.word, edits)(word) ? NEAR : 0;
}

function neighbourEvidence(
  { words, parts }: AffiliationText,
  span: Span | undefined,
): Pick<Evidence, "preceded" | "continued"> {
  const before = span && parts.some(({ from, to }) => from < span.from && span.from < to) && words[span.from - 1];
  const after = span && parts.some(({ from, to }) => from < span.to && span.to < to) && words[span.to];
  return {
    preceded: Number(before !== undefined && before !== false && saysSomething(before.word)),
    continued: Number(after !== undefined && after !== false && !saysSomething(after.word)),
  };
}

function placeEvidence(
  text: ReadText,
  { props }: TermContent,
  countries: CountryNames,
  span: Span | undefined,
): Pick<Evidence, "city" | "region" | "country" | "elsewhere"> {
  const outside = (each: Span): boolean => span === undefined || each.to <= span.from || each.from >= span.to;
  const isNamed = (prop: string): number => {
    const value = Object.hasOwn(props, prop) ? props[prop] : undefined;
    return Number(typeof value === "string" && spansOf(text, analyse(value)).some(outside));
  };
  const country = Object.hasOwn(props, "country") ? props.country : undefined;
  const code = typeof country === "string" ? countries.codeOf(country) : undefined;
  const named = text.countries.filter(outside);
  const isThere = named.some((mention) => mention.code === code);
  const isElsewhere = code !== undefined && named.length > 0 && !isThere;
  return {
    city: isNamed("city"),
    region: isNamed("state"),
    country: Number(isThere),
    elsewhere: Number(isElsewhere),
  };
}

/** Where some words stand in a row. */
function spansOf({ words }: AffiliationText, wanted: readonly string[]): Span[] {
  if (wanted.length === 0) return [];
  return words.flatMap((_, from) =>
    wanted.every((word, i) => words[from + i]?.word === word) ? [{ from, to: from + wanted.length }] : [],
  );
}
