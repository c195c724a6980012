import type { Model, Vocabulary } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import type { RecordBody } from "../../core/record.js";
import type { TermContent } from "../../core/term.js";
import type { Clause } from "../index-model/clause.js";
import type { LeafValue, RecordLeaves } from "../index-model/leaves.js";
import { recordLeaves } from "../index-model/record-leaves.js";
import { termLeaves } from "../index-model/term-leaves.js";
import { analyse } from "../text/analyse.js";
import { cutFragments, type Span } from "../text/fragments.js";
import { locateSome } from "../text/locate-words.js";
import {
  type CheckTime,
  findElements,
  findMatches,
  findParts,
  type IsDescendant,
  type Match,
  termNames,
  WHOLE,
} from "./find-matches.js";

/** Fragments that matched, by the path of their field; under `*` those of fields that no schema declares. */
export type Highlight = Readonly<Record<string, readonly string[]>>;

/** What matching needs to know of the terms that a record cites. */
export interface CitedTerms {
  /** All synonyms of a term: they are searched without standing in the record. */
  namesOf(vocabulary: string, id: string): readonly string[];
  readonly isDescendant: IsDescendant;
  /** Absent: there is no time limit. What it throws ends the work. */
  readonly check?: CheckTime;
}

/** Where synonyms of a cited term are indexed, below its site. */
const SYNONYMS = ".synonyms";

/** Fields of a highlight, and fragments of each, at most: titles first, then heavy fields, then by their place. */
const FIELDS_MAX = 5;
const FRAGMENTS_MAX = 3;

/** A record as it is highlighted: read once, for whatever is asked of it. */
export interface ShownRecord {
  readonly leaves: RecordLeaves;
  /** The values that stand in the body. */
  readonly texts: ReadonlyMap<LeafValue, string>;
}

export function readShown(body: RecordBody, model: Model): ShownRecord {
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
 * What of a record matched a clause: values in HTML, escaped but for `<em>` around what matched. What stands under NOT
 * is never marked. A value that lies in a range, and the title of a term that is cited or was found by a synonym, is
 * marked whole. Empty where nothing stands in the record to be shown (`_exists_:ph`).
 */
export function highlightRecord({ leaves, texts }: ShownRecord, clause: Clause, terms: CitedTerms): Highlight {
  return highlight(clause, withNames(leaves, terms), texts, terms);
}

/**
 * Which elements of a list fulfil what a clause asks of it, in their order; undefined where it asks nothing of it.
 */
export function matchedElements(
  { leaves }: ShownRecord,
  clause: Clause,
  list: string,
  terms: CitedTerms,
): readonly boolean[] | undefined {
  const found = findElements(clause, withNames(leaves, terms), list, terms.isDescendant, terms.check);
  if (found === undefined) return undefined;
  return leaves.elements.flatMap(({ path }, i) => (path === list ? [found.has(i + 1)] : []));
}

/** With the synonyms of what is cited, by which it is found, too. */
function withNames(leaves: RecordLeaves, terms: CitedTerms): RecordLeaves {
  const names = leaves.cites.flatMap(({ vocabulary, id, site, element }) =>
    terms.namesOf(vocabulary, id).map((name): LeafValue => {
      return { path: site + SYNONYMS, element, weight: "rest", words: analyse(name) };
    }),
  );
  return { ...leaves, leaves: [...leaves.leaves, ...names] };
}

/**
 * What of a vocabulary's item matched a clause, as `highlightRecord`.
 * @param forgiving clauses by which it may have been found where it does not fulfil that one, the strictest first
 */
export function highlightTerm(
  content: TermContent,
  vocabulary: Vocabulary,
  clause: Clause,
  forgiving: readonly Clause[] = [],
  check?: CheckTime,
): Highlight {
  const texts = new Map<LeafValue, string>();
  const leaves = termLeaves(content, vocabulary, (leaf, text) => texts.set(leaf, text));
  const cites = [{ vocabulary: vocabulary.name, id: content.id, site: "", element: 0 }];
  const item = { elements: [], leaves, cites };
  const isFulfilled = (each: Clause): boolean => findMatches(each, item, () => false, check) !== undefined;
  const fulfilled = forgiving.length === 0 ? clause : [clause, ...forgiving].find(isFulfilled);
  return highlight(fulfilled ?? clause, item, texts, { isDescendant: () => false, ...(check && { check }) });
}

/** @param texts the values that stand in the body; what is not among them was derived */
function highlight(
  clause: Clause,
  record: RecordLeaves,
  texts: ReadonlyMap<LeafValue, string>,
  { isDescendant, check }: Pick<CitedTerms, "isDescendant" | "check">,
): Highlight {
  // A hit that does not fulfil the clause was found in another way (a typo, a URL): what there is of it is shown.
  const matches = findMatches(clause, record, isDescendant, check) ?? findParts(clause, record, isDescendant, check);
  const marks = new Map<LeafValue, Match[]>();
  for (const match of matches.flatMap((found) => shown(found, record, texts))) {
    const known = marks.get(match.leaf);
    if (known === undefined) marks.set(match.leaf, [match]);
    else known.push(match);
  }
  const fields = new Map<string, string[]>();
  for (const leaf of inOrder(record.leaves.filter((one) => marks.has(one)))) {
    const key = leaf.path ?? "*";
    if (!fields.has(key) && fields.size === FIELDS_MAX) continue;
    const fragments = fields.get(key) ?? [];
    const room = FRAGMENTS_MAX - fragments.length;
    if (room === 0) continue;
    check?.();
    const text = texts.get(leaf)!;
    if (text.length > LIMITS.markedTextLengthMax) continue;
    const cut = cutFragments(text, spansOf(text, marks.get(leaf)!, room), room);
    fields.set(key, [...new Set([...fragments, ...cut])]);
  }
  return Object.fromEntries(fields);
}

const WEIGHTS = ["title", "heavy", "rest"] as const;

function inOrder(leaves: readonly LeafValue[]): readonly LeafValue[] {
  return WEIGHTS.flatMap((weight) => leaves.filter((leaf) => leaf.weight === weight));
}

/** What shows a match: the value itself, or what stands in the body for a derived one. */
function shown(match: Match, record: RecordLeaves, texts: ReadonlyMap<LeafValue, string>): readonly Match[] {
  const { leaf } = match;
  if (leaf.isFieldOnly) return [];
  if (texts.has(leaf)) return [match];
  const sources = sourcesOf(leaf, record).filter((source) => texts.has(source));
  return sources.map((source) => ({ leaf: source, from: 0, to: WHOLE }));
}

/**
 * Returns the leaves that a derived one is made of: the names of a term for a synonym, the number as sent for one in
 * canonical units, and all values of the field, derived ones too, for another form of a project number.
 */
function sourcesOf({ path, element }: LeafValue, record: RecordLeaves): readonly LeafValue[] {
  if (path === null) return [];
  if (path.endsWith(SYNONYMS)) return termNames(record, path.slice(0, -SYNONYMS.length), element);
  const [sent = ""] = path.split("@");
  const source = sent.endsWith(".") ? `${sent}value` : sent;
  return record.leaves.filter((leaf) => leaf.element === element && leaf.path === source);
}

/**
 * Returns the marks of a text that its first fragments can show. A fragment may end in the next piece of text, which
 * may contain the next match: two pieces and one more are enough for each fragment.
 */
function spansOf(text: string, matches: readonly Match[], fragments: number): readonly Span[] {
  if (matches.some(({ to }) => to === WHOLE)) return [{ start: 0, end: text.length }];
  const numbers = new Set<number>();
  for (const { from, to } of matches) for (let number = from; number < to; number++) numbers.add(number);
  const ascending = [...numbers].sort((one, other) => one - other);
  const words = locateSome(text, ascending, 2 * fragments + 1);
  return matches.flatMap(({ from, to }) => {
    const [first, last] = [words.get(from), words.get(to - 1)];
    return first === undefined || last === undefined ? [] : [{ start: first.start, end: last.end }];
  });
}
