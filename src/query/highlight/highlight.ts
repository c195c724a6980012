import type { Highlight } from "../../core/answers/searches.js";
import type { Model, Vocabulary } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import type { RecordBody } from "../../core/record.js";
import type { TermContent } from "../../core/term.js";
import { type IsDescendant, RecordInMemory } from "../evaluate/record-in-memory.js";
import { TermInMemory } from "../evaluate/term-in-memory.js";
import type { Clause } from "../index-model/clause.js";
import type { LeafValue, RecordLeaves } from "../index-model/leaves.js";
import { recordLeaves } from "../index-model/record-leaves.js";
import { termLeaves } from "../index-model/term-leaves.js";
import { analyse } from "../text/analyse.js";
import { locateSomeWords } from "../text/locate-words.js";
import type { Span } from "../text/positions.js";
import {
  type CheckTime,
  findElements,
  findMatches,
  findPartialMatches,
  type Match,
  termNames,
  WHOLE_VALUE,
} from "./find-matches.js";

/** Facts about cited terms that matching needs. */
export interface CitedTerms {
  /** Returns all synonyms of a term. They are searched, but are not in the record. */
  termSynonyms(vocabulary: string, id: string): readonly string[];
  readonly isDescendant: IsDescendant;
  /** Time limit. Absent: none. Its exception ends the search. */
  readonly check?: CheckTime | undefined;
}

/** Suffix of the path of the synonyms of a cited term. */
const SYNONYMS = ".synonyms";

/** Maximum numbers of fields, and of fragments of each. Titles come first, then heavy fields, then document order. */
const FIELDS_MAX = 5;
const FRAGMENTS_MAX = 3;

/** Leaves of a record for highlighting. They do not depend on the query. */
export interface HighlightSource {
  readonly leaves: RecordLeaves;
  /** Texts of the values in the body. Other leaves are derived. */
  readonly texts: ReadonlyMap<LeafValue, string>;
  /** The record with the names of its cited terms, as it was searched last. */
  lastRecord?: NamedRecord;
}

interface NamedRecord {
  /** Names of each citation. */
  readonly names: readonly (readonly string[])[];
  readonly record: RecordInMemory;
}

/** Maximum number of names that are kept with a record. They are not in its JSON, by whose length it is kept. */
const KEPT_NAMES_MAX = 500;

/** Reads the leaves of a record for highlighting. */
export function readHighlightSource(body: RecordBody, model: Model): HighlightSource {
  const texts = new Map<LeafValue, string>();
  return {
    leaves: recordLeaves(
      body,
      model,
      () => undefined,
      (leaf, text) => texts.set(leaf, text),
    ),
    texts,
  };
}

/**
 * Returns the values of a record that match a clause, as escaped HTML with `<em>` around the matches. Clauses under NOT
 * are not marked. A value in a range, and the title of a term that is cited or found by a synonym, is marked as a
 * whole. Empty if the record has no matching text (`_exists_:ph`).
 */
export function highlightRecord(source: HighlightSource, clause: Clause, terms: CitedTerms): Highlight {
  return highlight(clause, withNames(source, terms), source.texts, terms);
}

/** Returns for each element of a list whether it matches, in document order. Undefined: no part is about the list. */
export function matchedElements(
  source: HighlightSource,
  clause: Clause,
  list: string,
  terms: CitedTerms,
): readonly boolean[] | undefined {
  const elements = findElements(clause, withNames(source, terms), list, terms.isDescendant, terms.check);
  if (elements === undefined) return undefined;
  return source.leaves.elements.flatMap(({ path }, i) => (path === list ? [elements.has(i + 1)] : []));
}

/** Adds the synonyms of cited terms, which are searched too. Reuses the last record if the names are the same. */
function withNames(source: HighlightSource, terms: CitedTerms): RecordInMemory {
  const { leaves, lastRecord } = source;
  const names = leaves.cites.map(({ vocabulary, id }) => terms.termSynonyms(vocabulary, id));
  if (lastRecord?.names.every((list, i) => isSameList(list, names[i]!))) return lastRecord.record;
  const nameLeaves = leaves.cites.flatMap(({ site, element }, i) =>
    names[i]!.map((name): LeafValue => {
      return { path: site + SYNONYMS, element, weight: "rest", words: analyse(name) };
    }),
  );
  const record = new RecordInMemory({ ...leaves, leaves: [...leaves.leaves, ...nameLeaves] });
  if (nameLeaves.length <= KEPT_NAMES_MAX) source.lastRecord = { names, record };
  return record;
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);

/** A term for highlighting. It does not depend on the query. */
export interface TermHighlightSource {
  readonly term: TermInMemory;
  /** As in `HighlightSource`. */
  readonly texts: ReadonlyMap<LeafValue, string>;
}

/** Reads a term for highlighting. */
export function readTermHighlightSource(content: TermContent, vocabulary: Vocabulary): TermHighlightSource {
  const texts = new Map<LeafValue, string>();
  const leaves = termLeaves(content, vocabulary, (leaf, text) => texts.set(leaf, text));
  return { term: new TermInMemory(content, vocabulary, leaves), texts };
}

/**
 * Returns the values of a term that match a clause, as `highlightRecord` does.
 * @param tolerant further clauses that may have found the term, the strictest first. The first matching one is marked
 */
export function highlightTerm(
  { term, texts }: TermHighlightSource,
  clause: Clause,
  tolerant: readonly Clause[] = [],
  check?: CheckTime,
): Highlight {
  const matches = (each: Clause): boolean => findMatches(each, term, () => false, check) !== undefined;
  const matchingClause = tolerant.length === 0 ? clause : [clause, ...tolerant].find(matches);
  return highlight(matchingClause ?? clause, term, texts, { isDescendant: () => false, check });
}

/** Marks the matches of a clause. @param texts see `HighlightSource` */
function highlight(
  clause: Clause,
  record: RecordInMemory,
  texts: ReadonlyMap<LeafValue, string>,
  { isDescendant, check }: Pick<CitedTerms, "isDescendant" | "check">,
): Highlight {
  // A hit that does not match the clause was found in another way (a typo, a URL). Its partial matches are marked.
  const matches =
    findMatches(clause, record, isDescendant, check) ?? findPartialMatches(clause, record, isDescendant, check);
  const marks = new Map<LeafValue, Match[]>();
  for (const match of matches.flatMap((each) => visibleMatches(each, record, texts))) {
    const leafMatches = marks.get(match.leaf);
    if (leafMatches === undefined) marks.set(match.leaf, [match]);
    else leafMatches.push(match);
  }
  const fields = new Map<string, string[]>();
  for (const leaf of sortByWeight(record.leaves.filter((each) => marks.has(each)))) {
    const key = leaf.path ?? "*";
    if (!fields.has(key) && fields.size === FIELDS_MAX) continue;
    const fragments = fields.get(key) ?? [];
    const max = FRAGMENTS_MAX - fragments.length;
    if (max === 0) continue;
    check?.();
    const text = texts.get(leaf)!;
    if (text.length > LIMITS.markedTextLengthMax) continue;
    const newFragments = cutFragments(text, locateMarks(text, marks.get(leaf)!, max), max);
    fields.set(key, [...new Set([...fragments, ...newFragments])]);
  }
  return Object.fromEntries(fields);
}

const WEIGHTS = ["title", "heavy", "rest"] as const;

function sortByWeight(leaves: readonly LeafValue[]): readonly LeafValue[] {
  return WEIGHTS.flatMap((weight) => leaves.filter((leaf) => leaf.weight === weight));
}

/** Returns the matches to mark in the body for a match: itself, or those of the sources of a derived value. */
function visibleMatches(match: Match, record: RecordLeaves, texts: ReadonlyMap<LeafValue, string>): readonly Match[] {
  const { leaf } = match;
  if (leaf.isFieldOnly) return [];
  if (texts.has(leaf)) return [match];
  const sources = findSources(leaf, record).filter((source) => texts.has(source));
  return sources.map((source) => ({ leaf: source, from: 0, to: WHOLE_VALUE }));
}

/**
 * Returns the leaves from which a leaf is derived: the names of a term for a synonym, the original number for one in
 * canonical units, and all values of the field, including derived ones, for another form of a project number.
 */
function findSources({ path, element }: LeafValue, record: RecordLeaves): readonly LeafValue[] {
  if (path === null) return [];
  if (path.endsWith(SYNONYMS)) return termNames(record, path.slice(0, -SYNONYMS.length), element);
  const [original = ""] = path.split("@");
  const source = original.endsWith(".") ? `${original}value` : original;
  return record.leaves.filter((leaf) => leaf.element === element && leaf.path === source);
}

/**
 * Returns the marks of a text that its first fragments can show. A fragment may end in the next piece of text, which
 * may contain the next match: two pieces and one more are enough for each fragment.
 */
function locateMarks(text: string, matches: readonly Match[], fragments: number): readonly Span[] {
  if (matches.some(({ to }) => to === WHOLE_VALUE)) return [{ from: 0, to: text.length }];
  const numbers = new Set<number>();
  for (const { from, to } of matches) for (let number = from; number < to; number++) numbers.add(number);
  const ascending = [...numbers].sort((a, b) => a - b);
  const words = locateSomeWords(text, ascending, 2 * fragments + 1);
  return matches.flatMap(({ from, to }) => {
    const [first, last] = [words.get(from), words.get(to - 1)];
    return first === undefined || last === undefined ? [] : [{ from: first.from, to: last.to }];
  });
}

/** Length of a fragment, and of the text before its first mark if text is left out there, in UTF-16 units. */
const FRAGMENT_LENGTH = 160;
const LEAD_LENGTH = 40;

/**
 * Returns fragments of a text around its marks, in order, as HTML in which only `<em>` and `</em>` are markup. A short
 * text is one fragment. Otherwise fragments are cut between words if possible, with `…` for omitted text. The text
 * after the last fragment may have more marks.
 *
 * @param max maximum number of fragments
 */
export function cutFragments(text: string, marks: readonly Span[], max: number): readonly string[] {
  const spans = mergeSpans(marks);
  if (text.length <= FRAGMENT_LENGTH) return [writeFragment(text, { from: 0, to: text.length }, spans)];
  const fragments: string[] = [];
  let previousEnd = 0;
  for (const span of spans) {
    if (fragments.length === max) break;
    if (span.from < previousEnd) continue;
    const window = windowAt(text, span, previousEnd);
    fragments.push(writeFragment(text, window, spans));
    previousEnd = window.to;
  }
  return fragments;
}

/** Sorts spans, and merges those that touch each other. */
function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = merged.at(-1);
    if (last === undefined || span.from > last.to) merged.push(span);
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return merged;
}

function windowAt(text: string, span: Span, startMin: number): Span {
  const earliest = Math.max(startMin, span.from - LEAD_LENGTH);
  const blank = text.slice(earliest, span.from).search(/\s\S/u);
  const start = earliest === 0 ? 0 : wholeCharacter(text, blank < 0 ? earliest : earliest + blank + 1);
  const latest = Math.min(text.length, start + FRAGMENT_LENGTH);
  if (latest === text.length) return { from: start, to: latest };
  const last = /\s\S*$/u.exec(text.slice(span.to, latest))?.index;
  return { from: start, to: wholeCharacter(text, last === undefined ? latest : span.to + last) };
}

/** Returns the start of the character at a position, not the second half of a surrogate pair or a combining mark. */
function wholeCharacter(text: string, place: number): number {
  let start = place;
  while (start > 0 && start < text.length && /^(?:\p{M}|[\udc00-\udfff])/u.test(text.slice(start, start + 2))) start--;
  return start === 0 ? place : start;
}

function writeFragment(text: string, window: Span, spans: readonly Span[]): string {
  let html = "";
  let at = window.from;
  for (const span of spans) {
    const start = Math.max(span.from, window.from);
    const end = Math.min(span.to, window.to);
    if (start >= end) continue;
    html += `${escapeHtml(text.slice(at, start))}<em>${escapeHtml(text.slice(start, end))}</em>`;
    at = end;
  }
  html += escapeHtml(text.slice(at, window.to));
  return `${window.from > 0 ? "… " : ""}${html.trim()}${window.to < text.length ? " …" : ""}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (sign) => ESCAPES[sign]!);
