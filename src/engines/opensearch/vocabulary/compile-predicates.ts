import type { Bound, Clause, TextScope } from "../../../query/index-model/clause.js";
import { existsToken, IDENTIFIER, pathToken, startToken } from "../../../query/index-model/term-document.js";
import type { IdentifierKeys, StepColumns, TermStep, TermStepTest } from "../../../query/ranking/term-steps.js";
import { type TypedWord, typosMax } from "../../../query/ranking/typed-words.js";
import type { TextColumn } from "../../separate-index/overlay/term-predicates.js";
import {
  ALWAYS,
  allOf,
  anyOf,
  hasAny,
  NEVER,
  notOf,
  type TermPredicate,
} from "../../separate-index/overlay/term-predicates.js";
import { fieldName, keywordsAt, rangeKeyword, wholeId, wholeName } from "../documents/term-document.js";

/** Returns the predicate of the descendants of a term, which were read before compiling. */
export type DescendantsOf = (id: string) => TermPredicate;

/** The context of compiling a clause. */
interface ClauseContext {
  readonly vocabulary: string;
  readonly below: DescendantsOf;
}

/** Columns of words without a field. */
const COLUMNS: Readonly<Record<StepColumns, readonly TextColumn[]>> = {
  title: ["title"],
  names: ["title", "names"],
  all: ["title", "names", "rest"],
};

/** Compiles a clause. @param columns restricts words without a field, except in negated clauses */
export function compileTermClause(clause: Clause, columns: StepColumns, context: ClauseContext): TermPredicate {
  switch (clause.kind) {
    case "everything":
      return ALWAYS;
    case "nothing":
    case "element":
      return NEVER;
    case "all":
      return allOf(clause.of.map((of) => compileTermClause(of, columns, context)));
    case "any":
      return anyOf(clause.of.map((of) => compileTermClause(of, columns, context)));
    case "not":
      return notOf(compileTermClause(clause.of, "all", context));
    case "words":
    case "prefix":
      return wordsPredicate(clause, columns);
    case "wildcard":
      return inColumns(clause.place, columns, (scope) => ({ kind: "pattern", ...scope, pattern: clause.pattern }));
    case "fuzzy": {
      const near = { word: clause.word, edits: clause.edits, isPrefix: false };
      return inColumns(clause.place, columns, (scope) => ({ kind: "near", ...scope, ...near }));
    }
    case "exists":
      return anyOf(clause.paths.map((path) => phrase("at", [existsToken(path)], false)));
    case "range":
      return rangePredicate(clause);
    case "cites":
      return citesPredicate(clause, context);
  }
}

/** Returns the ids of terms whose descendants a clause needs. */
export function idsWithin(clause: Clause): readonly string[] {
  switch (clause.kind) {
    case "all":
    case "any":
      return clause.of.flatMap(idsWithin);
    case "not":
      return idsWithin(clause.of);
    case "cites":
      return clause.within ? [clause.id] : [];
    default:
      return [];
  }
}

const phrase = (column: TextColumn, tokens: readonly string[], isPrefix: boolean): TermPredicate => ({
  kind: "phrase",
  column,
  tokens,
  isPrefix,
});

function wordsPredicate(
  { kind, place, words }: Extract<Clause, { kind: "words" | "prefix" }>,
  columns: StepColumns,
): TermPredicate {
  if (words.length === 0) return NEVER;
  return inColumns(place, columns, ({ column, before }) =>
    phrase(
      column,
      words.map((word) => before + word),
      kind === "prefix",
    ),
  );
}

/** A column, and the prefix of the tokens that are meant in it. */
interface ColumnScope {
  readonly column: TextColumn;
  /** Prefix of each token. */
  readonly before: string;
}

function inColumns(place: TextScope, columns: StepColumns, make: (scope: ColumnScope) => TermPredicate): TermPredicate {
  if (place.in === "text") return anyOf(COLUMNS[columns].map((column) => make({ column, before: "" })));
  return anyOf(place.paths.map((path) => make({ column: "at", before: pathToken(path, "") })));
}

function rangePredicate({ paths, type, from, to }: Extract<Clause, { kind: "range" }>): TermPredicate {
  if (type === "keyword") return anyOf(paths.map((path) => keywordPredicate(path, from, to)));
  const ends = { ...(from && { from: numberEnd(from) }), ...(to && { to: numberEnd(to) }) };
  return anyOf(paths.map((path) => ({ kind: "between", path: fieldName(path), ...ends })));
}

const numberEnd = ({ value, inclusive }: Bound) => ({ value: Number(value), inclusive });

function keywordPredicate(path: string, from: Bound | undefined, to: Bound | undefined): TermPredicate {
  const all = keywordsAt(path);
  const end = (bound: Bound) => ({ value: rangeKeyword(path, String(bound.value)), inclusive: bound.inclusive });
  return {
    kind: "keyword",
    from: from === undefined ? { value: all.from, inclusive: true } : end(from),
    to: to === undefined ? { value: all.below, inclusive: false } : end(to),
  };
}

function citesPredicate(
  clause: Extract<Clause, { kind: "cites" }>,
  { vocabulary, below }: ClauseContext,
): TermPredicate {
  const isOwnTerm = clause.sites === undefined && clause.vocabularies.includes(vocabulary);
  if (!isOwnTerm) return NEVER;
  const term = hasAny("id", [clause.id]);
  return clause.within ? anyOf([term, below(clause.id)]) : term;
}

/** A step of a ranking. It takes the terms that match its predicate and that of no earlier step. */
export interface PredicateStep {
  readonly number: number;
  readonly predicate: TermPredicate;
}

/** The context of compiling the steps of a search. */
export interface StepContext extends ClauseContext {
  /** The key of the end of a typed URL (`urlKeys`) that a term has. */
  readonly urlKey?: string;
  /** The typed words of suggestions. */
  readonly typed?: readonly TypedWord[];
}

/** Compiles the steps of a ranking. */
export const compileSteps = (steps: readonly TermStep[], context: StepContext): readonly PredicateStep[] =>
  steps.map(({ number, test }) => ({ number, predicate: compileStep(test, context) }));

function compileStep(test: TermStepTest, context: StepContext): TermPredicate {
  switch (test.kind) {
    case "identified":
      return identifiedPredicate(test.by, context.urlKey);
    case "named":
      return hasAny("whole", [wholeName(test.as, test.key)]);
    case "titleStart": {
      const { words, isPrefix } = test.start;
      const start = startToken(words[0]!);
      const startsWithWords = phrase("title", words.length === 1 ? [start] : [start, ...words], isPrefix);
      return test.besides === undefined
        ? startsWithWords
        : allOf([startsWithWords, compileTermClause(test.besides, "title", context)]);
    }
    case "clause":
      return compileTermClause(test.clause, test.columns, context);
    case "near":
      return nearPredicate(context.typed ?? [], test.columns);
    case "rest":
      return ALWAYS;
  }
}

/** @param urlKey the key of the end of a URL that some term has */
function identifiedPredicate({ whole, local }: IdentifierKeys, urlKey: string | undefined): TermPredicate {
  const nameOf = (key: string): string => wholeName(IDENTIFIER, key);
  const byLocal =
    whole === undefined || local.length === 0
      ? NEVER
      : allOf([hasAny("whole", local.map(nameOf)), hasAny("whole", [wholeId(whole)])]);
  const keys = [whole, urlKey].filter((key) => key !== undefined);
  return anyOf([hasAny("whole", keys.map(nameOf)), byLocal]);
}

/** Returns the predicate of terms with the identifier at the end of a URL. */
export const urlPredicate = (key: string | undefined): TermPredicate =>
  key === undefined ? NEVER : hasAny("whole", [wholeName(IDENTIFIER, key)]);

/** Returns the predicate of terms with a word similar to each typed word, in any order. */
function nearPredicate(typed: readonly TypedWord[], columns: StepColumns): TermPredicate {
  return allOf(typed.map((word) => anyOf(COLUMNS[columns].map((column) => nearIn(column, word)))));
}

function nearIn(column: "title" | "names" | "rest" | "at", { word, isPrefix }: TypedWord): TermPredicate {
  const edits = typosMax(word);
  if (edits === 0) return phrase(column, [word], isPrefix);
  return { kind: "near", column, before: "", word, edits, isPrefix };
}
