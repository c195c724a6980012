/** Queries for terms in the index of their vocabulary. */
import type { Clause, TextClause } from "../../../query/index-model/clause.js";
import { existsToken, IDENTIFIER, pathToken, startToken } from "../../../query/index-model/term-document.js";
import type { IdentifierKeys, StepColumns, TermStepTest } from "../../../query/ranking/term-steps.js";
import { type TypedWord, typosMax } from "../../../query/ranking/typed-words.js";
import {
  fieldName,
  keywordsAt,
  PREFIX_LENGTH_MAX,
  rangeKeyword,
  wholeId,
  wholeName,
} from "../documents/term-document.js";
import { nearPrefixes } from "../query/count-near-words.js";
import {
  andQueries,
  EVERYTHING,
  hasToken,
  NOTHING,
  notQuery,
  numberRange,
  orQueries,
  type Query,
  REWRITE,
  tokenRange,
  wordsAt,
  wordsIn,
  wordsQuery,
} from "../query/dsl.js";

/** Facts about a search that its queries need. */
export interface QueryContext {
  readonly vocabulary: string;
  /** Returns the query for the descendants of a term, which were read before compiling. */
  readonly belowQuery: (id: string) => Query;
  /** The key of the end of a typed URL (`urlKeys`) that a term has. */
  readonly urlKey?: string | undefined;
  /** The typed words of suggestions. */
  readonly typed?: readonly TypedWord[] | undefined;
}

/** Fields of words without a path. */
const COLUMNS: Readonly<Record<StepColumns, readonly string[]>> = {
  title: ["title"],
  names: ["title", "names"],
  all: ["title", "names", "rest"],
};

/** Compiles a clause. @param columns restricts words without a field, except in negated clauses */
export function compileTermQuery(clause: Clause, columns: StepColumns, context: QueryContext): Query {
  switch (clause.kind) {
    case "everything":
      return EVERYTHING;
    case "nothing":
    case "element":
      return NOTHING;
    case "all":
      return andQueries(clause.of.map((of) => compileTermQuery(of, columns, context)));
    case "any":
      return orQueries(clause.of.map((of) => compileTermQuery(of, columns, context)));
    case "not":
      return notQuery(compileTermQuery(clause.of, "all", context));
    case "exists":
      return hasToken("at", clause.paths.map(existsToken));
    case "range":
      return orQueries(clause.paths.map((path) => rangeAt(clause, path)));
    case "cites":
      return citesQuery(clause, context);
    default:
      return clause.place.in === "text"
        ? wordsIn(clause, COLUMNS[columns], columnQuery)
        : wordsAt(
            clause,
            "at",
            clause.place.paths.map((path) => pathToken(path, "")),
          );
  }
}

/** Returns the query for words in a column, whose short prefixes are tokens of a separate field. */
function columnQuery(clause: TextClause, column: string): Query {
  const last = clause.kind === "prefix" ? clause.words.at(-1)! : undefined;
  if (last === undefined || [...last].length > PREFIX_LENGTH_MAX) return wordsQuery(clause, column);
  const prefixes = `${column}.begin`;
  const words = clause.kind === "prefix" ? clause.words.slice(0, -1) : [];
  if (words.length === 0) return hasToken(prefixes, [last]);
  const span = (field: string, value: string): Query => ({ span_term: { [field]: { value } } });
  const prefix = { field_masking_span: { query: span(prefixes, last), field: column } };
  return { span_near: { clauses: [...words.map((word) => span(column, word)), prefix], slop: 0, in_order: true } };
}

function rangeAt(clause: Extract<Clause, { kind: "range" }>, path: string): Query {
  if (clause.type !== "keyword") return numberRange(clause, `number.${fieldName(path)}`);
  return tokenRange(clause, "keyword", keywordsAt(path), (value) => rangeKeyword(path, String(value)));
}

function citesQuery(clause: Extract<Clause, { kind: "cites" }>, { vocabulary, belowQuery }: QueryContext): Query {
  const isOwnTerm = clause.sites === undefined && clause.vocabularies.includes(vocabulary);
  if (!isOwnTerm) return NOTHING;
  const term = hasToken("id", [clause.id]);
  return clause.within ? orQueries([term, belowQuery(clause.id)]) : term;
}

/** Compiles the condition of a step of a ranking. */
export function compileStepQuery(test: TermStepTest, context: QueryContext): Query {
  switch (test.kind) {
    case "identified":
      return identifiedQuery(test.by, context.urlKey);
    case "named":
      return hasToken("whole", [wholeName(test.as, test.key)]);
    case "titleStart": {
      const { words, isPrefix } = test.start;
      const start = startToken(words[0]!);
      const tokens = words.length === 1 ? [start] : [start, ...words];
      const clause = { kind: isPrefix ? "prefix" : "words", place: { in: "text" }, words: tokens } as const;
      const besides = test.besides === undefined ? EVERYTHING : compileTermQuery(test.besides, "title", context);
      return andQueries([columnQuery(clause, "title"), besides]);
    }
    case "clause":
      return compileTermQuery(test.clause, test.columns, context);
    case "near":
      return andQueries(
        (context.typed ?? []).map((word) => orQueries(COLUMNS[test.columns].map((column) => nearQuery(word, column)))),
      );
    case "rest":
      return EVERYTHING;
  }
}

/** Returns the query for terms that an identifier names. @param urlKey key of the end of a URL that some term has */
function identifiedQuery({ whole, local }: IdentifierKeys, urlKey: string | undefined): Query {
  const byLocal =
    whole === undefined ? NOTHING : andQueries([identifierQuery(local), hasToken("whole", [wholeId(whole)])]);
  return orQueries([identifierQuery([whole, urlKey].filter((key) => key !== undefined)), byLocal]);
}

/** Returns the query for terms with one of the identifiers. */
export const identifierQuery = (keys: readonly string[]): Query =>
  hasToken(
    "whole",
    keys.map((key) => wholeName(IDENTIFIER, key)),
  );

/** The automaton of a long word with two edits has more states than the default limit. */
const STATES_MAX = 1_000_000;

/** Returns the query for a word similar to a typed one, or for a word with a prefix similar to it. */
function nearQuery({ word, isPrefix }: TypedWord, column: string): Query {
  const edits = typosMax(word);
  const place = { in: "text" } as const;
  if (edits === 0) return columnQuery({ kind: isPrefix ? "prefix" : "words", place, words: [word] }, column);
  if (!isPrefix) return wordsQuery({ kind: "fuzzy", place, word, edits }, column);
  const value = nearPrefixes(word, edits);
  return { regexp: { [column]: { value, flags: "NONE", max_determinized_states: STATES_MAX, rewrite: REWRITE } } };
}
