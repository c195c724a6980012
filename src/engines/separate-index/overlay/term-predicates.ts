/**
 * Predicates on documents of terms, compiled from clauses, steps of rankings and filters. An engine makes a query of
 * a predicate, and `makeDocumentFilter` filters documents that the index does not have yet.
 */
import { compareBytes } from "../../../core/terms/term-order.js";
import { isWord } from "../../../query/index-model/term-document.js";
import { makeEditTest } from "../../../query/text/edit-distance.js";
import { compilePattern } from "../../../query/text/pattern.js";

/** Columns of words: of titles, of synonyms, of all other values; and words with the paths of their values. */
export type TextColumn = "title" | "names" | "rest" | "at";

/**
 * A term as its index has it. Values of text columns are tokens separated by blanks, one text per value, so that no
 * phrase spans two of them.
 */
export interface TermDocument extends Readonly<Record<TextColumn, readonly string[]>> {
  readonly id: string;
  /** The static rank, see `CitedKey`. */
  readonly status: number;
  readonly cited: number;
  readonly prior: number;
  readonly length: number;
  /** Microseconds since 1970 UTC. */
  readonly created: number;
  readonly parent?: string | undefined;
  readonly successor?: string | undefined;
  /** Tokens of whole names, and of the words of the whole id. */
  readonly whole: readonly string[];
  /** All words, each once. */
  readonly words: readonly string[];
  /** Keywords with their paths, as ranges compare them. */
  readonly keyword: readonly string[];
  /** Keys of facets of texts and of years, by name of the facet. */
  readonly facet: Readonly<Record<string, readonly string[]>>;
  /** Numbers and dates, by name of the path. */
  readonly number: Readonly<Record<string, readonly number[]>>;
  /** Sort keys of titles, by language. */
  readonly order: Readonly<Record<string, string>>;
}

/** A keyword field of a document. */
type TermField = "id" | "parent" | "region" | "whole" | `facet.${string}`;

/** A predicate on a document of a term. */
export type TermPredicate =
  | { readonly kind: "always" }
  | { readonly kind: "never" }
  | { readonly kind: "all"; readonly of: readonly TermPredicate[] }
  | { readonly kind: "any"; readonly of: readonly TermPredicate[] }
  | { readonly kind: "not"; readonly of: TermPredicate }
  /** The field has one of the values. */
  | { readonly kind: "has"; readonly field: TermField; readonly values: ReadonlySet<string> }
  /** The term has a successor. */
  | { readonly kind: "replaced" }
  /** One value has the sequence of tokens. `isPrefix`: the last token is a prefix. */
  | {
      readonly kind: "phrase";
      readonly column: TextColumn;
      readonly tokens: readonly string[];
      readonly isPrefix: boolean;
    }
  /** A word matches a pattern. `before` is the prefix of each word in the column. */
  | { readonly kind: "pattern"; readonly column: TextColumn; readonly before: string; readonly pattern: string }
  /** A word, or with `isPrefix` a prefix of one, is within `edits` of `word`. */
  | {
      readonly kind: "near";
      readonly column: TextColumn;
      readonly before: string;
      readonly word: string;
      readonly edits: 1 | 2;
      readonly isPrefix: boolean;
    }
  /** A number at the path is between the ends. An absent end is open. */
  | { readonly kind: "between"; readonly path: string; readonly from?: End<number>; readonly to?: End<number> }
  /** A keyword with its path is between the ends. */
  | { readonly kind: "keyword"; readonly from: End<string>; readonly to: End<string> };

/** An end of a range. */
export interface End<T> {
  readonly value: T;
  readonly inclusive: boolean;
}

export const ALWAYS: TermPredicate = { kind: "always" };
export const NEVER: TermPredicate = { kind: "never" };

/** Returns the conjunction of predicates, simplified. */
export function allOf(predicates: readonly TermPredicate[]): TermPredicate {
  const of = predicates.filter(({ kind }) => kind !== "always");
  if (of.some(({ kind }) => kind === "never")) return NEVER;
  return of.length === 1 ? of[0]! : of.length === 0 ? ALWAYS : { kind: "all", of };
}

/** Returns the disjunction of predicates, simplified. */
export function anyOf(predicates: readonly TermPredicate[]): TermPredicate {
  const of = predicates.filter(({ kind }) => kind !== "never");
  if (of.some(({ kind }) => kind === "always")) return ALWAYS;
  return of.length === 1 ? of[0]! : of.length === 0 ? NEVER : { kind: "any", of };
}

/** Returns the negation of a predicate, simplified. */
export function notOf(of: TermPredicate): TermPredicate {
  if (of.kind === "always") return NEVER;
  if (of.kind === "never") return ALWAYS;
  return of.kind === "not" ? of.of : { kind: "not", of };
}

/** Returns the predicate of documents with one of the values in a field. */
export const hasAny = (field: TermField, values: Iterable<string>): TermPredicate => {
  const set = new Set(values);
  return set.size === 0 ? NEVER : { kind: "has", field, values: set };
};

/** The predicate of a kind. */
type Of<Kind extends TermPredicate["kind"]> = Extract<TermPredicate, { kind: Kind }>;

/** Tells whether a document matches a predicate, as the index would. */
export type DocumentFilter = (document: TermDocument) => boolean;

/** Compiles a predicate to a filter of documents in memory. */
export function makeDocumentFilter(predicate: TermPredicate): DocumentFilter {
  switch (predicate.kind) {
    case "always":
      return () => true;
    case "never":
      return () => false;
    case "all": {
      const filters = predicate.of.map(makeDocumentFilter);
      return (document) => filters.every((filter) => filter(document));
    }
    case "any": {
      const filters = predicate.of.map(makeDocumentFilter);
      return (document) => filters.some((filter) => filter(document));
    }
    case "not": {
      const filter = makeDocumentFilter(predicate.of);
      return (document) => !filter(document);
    }
    case "has":
      return (document) => valuesOf(document, predicate.field).some((value) => predicate.values.has(value));
    case "replaced":
      return ({ successor }) => successor !== undefined;
    case "phrase":
      return (document) => document[predicate.column].some((value) => hasPhrase(value.split(" "), predicate));
    case "pattern":
    case "near":
      return makeWordFilter(predicate);
    case "between":
      return ({ number }) =>
        (number[predicate.path] ?? []).some((value) => isWithin(value, predicate, (a, b) => a - b));
    case "keyword":
      return ({ keyword }) => keyword.some((value) => isWithin(value, predicate, compareBytes));
  }
}

function valuesOf(document: TermDocument, field: TermField): readonly string[] {
  switch (field) {
    case "id":
      return [document.id];
    case "parent":
      return document.parent === undefined ? [] : [document.parent];
    case "region":
      // Changed descendants are matched by their ids (`Below`), not by regions.
      return [];
    case "whole":
      return document.whole;
    default:
      return document.facet[field.slice("facet.".length)] ?? [];
  }
}

function hasPhrase(words: readonly string[], { tokens, isPrefix }: Of<"phrase">): boolean {
  const last = tokens.length - 1;
  return words.some((_, at) =>
    tokens.every((token, i) => (isPrefix && i === last ? words[at + i]?.startsWith(token) : words[at + i] === token)),
  );
}

function makeWordFilter(predicate: Of<"pattern"> | Of<"near">): DocumentFilter {
  const { column, before } = predicate;
  const matches = predicate.kind === "pattern" ? compilePattern(predicate.pattern).test : makeNearTest(predicate);
  return (document) =>
    document[column].some((value) =>
      value
        .split(" ")
        .some((token) => isWord(token) && token.startsWith(before) && matches(token.slice(before.length))),
    );
}

function makeNearTest({ word, edits, isPrefix }: Of<"near">): (other: string) => boolean {
  const isNear = makeEditTest(word, edits);
  if (!isPrefix) return isNear;
  // Longer prefixes cannot be near, and words may have hundreds of letters.
  const lengthMax = [...word].length + edits;
  return (other) => {
    const letters = [...other].slice(0, lengthMax);
    return letters.some((_, i) => isNear(letters.slice(0, i + 1).join("")));
  };
}

function isWithin<T>(
  value: T,
  { from, to }: { readonly from?: End<T>; readonly to?: End<T> },
  compare: (a: T, b: T) => number,
): boolean {
  if (from !== undefined) {
    const order = compare(value, from.value);
    if (order < 0 || (order === 0 && !from.inclusive)) return false;
  }
  if (to === undefined) return true;
  const order = compare(value, to.value);
  return order < 0 || (order === 0 && to.inclusive);
}
