/** Queries for terms in the index of their vocabulary. */
import type { Clause, TextClause } from "../../../query/index-model/clause.js";
import { existsToken, IDENTIFIER_NAME, pathToken, startToken } from "../../../query/index-model/term-document.js";
import type { IdentifierKeys, StepColumns, TermStepTest } from "../../../query/ranking/term-steps.js";
import { type TypedWord, typosMax } from "../../../query/ranking/typed-words.js";
import {
  fieldName,
  PREFIX_LENGTH_MAX,
  rangeKeywordToken,
  termKeywordRange,
  wholeIdToken,
  wholeNameToken,
} from "../documents/term-document.js";
import { nearPrefixes } from "../query/count-near-words.js";
import {
  andQueries,
  EVERYTHING_QUERY,
  hasToken,
  type IndexQuery,
  NOTHING_QUERY,
  notQuery,
  numberRange,
  orQueries,
  REWRITE,
  tokenRange,
  wordsAt,
  wordsInFields,
  wordsQuery,
} from "../query/dsl.js";

/** Facts about a search that its queries need. */
export interface QueryContext {
  readonly vocabulary: string;
  /** Returns the query for the descendants of a term, which were read before compiling. */
  readonly belowQuery: (id: string) => IndexQuery;
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
export function compileTermQuery(clause: Clause, columns: StepColumns, context: QueryContext): IndexQuery {
  switch (clause.kind) {
    case "everything":
      return EVERYTHING_QUERY;
    case "nothing":
    case "element":
      return NOTHING_QUERY;
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
        ? wordsInFields(clause, COLUMNS[columns], columnQuery)
        : wordsAt(
            clause,
            "at",
            clause.place.paths.map((path) => pathToken(path, "")),
          );
  }
}

/** Returns the query for words in a column, whose short prefixes are tokens of a separate field. */
function columnQuery(clause: TextClause, column: string): IndexQuery {
  const last = clause.kind === "prefix" ? clause.words.at(-1)! : undefined;
  if (last === undefined || [...last].length > PREFIX_LENGTH_MAX) return wordsQuery(clause, column);
  const prefixes = `${column}.begin`;
  const words = clause.kind === "prefix" ? clause.words.slice(0, -1) : [];
  if (words.length === 0) return hasToken(prefixes, [last]);
  const span = (field: string, value: string): IndexQuery => ({ span_term: { [field]: { value } } });
  const prefix = { field_masking_span: { query: span(prefixes, last), field: column } };
  return { span_near: { clauses: [...words.map((word) => span(column, word)), prefix], slop: 0, in_order: true } };
}

function rangeAt(clause: Extract<Clause, { kind: "range" }>, path: string): IndexQuery {
  if (clause.type !== "keyword") return numberRange(clause, `number.${fieldName(path)}`);
  return tokenRange(clause, "keyword", termKeywordRange(path), (value) => rangeKeywordToken(path, String(value)));
}

function citesQuery(clause: Extract<Clause, { kind: "cites" }>, { vocabulary, belowQuery }: QueryContext): IndexQuery {
  const isOwnTerm = clause.sites === undefined && clause.vocabularies.includes(vocabulary);
  if (!isOwnTerm) return NOTHING_QUERY;
  const term = hasToken("id", [clause.id]);
  return clause.within ? orQueries([term, belowQuery(clause.id)]) : term;
}

/** Compiles the condition of a step of a ranking. */
export function compileStepQuery(test: TermStepTest, context: QueryContext): IndexQuery {
  switch (test.kind) {
    case "identified":
      return identifiedQuery(test.by, context.urlKey);
    case "named":
      return hasToken("whole", [wholeNameToken(test.as, test.key)]);
    case "titleStart": {
      const { words, isPrefix } = test.start;
      const start = startToken(words[0]!);
      const tokens = words.length === 1 ? [start] : [start, ...words];
      const clause = { kind: isPrefix ? "prefix" : "words", place: { in: "text" }, words: tokens } as const;
      const besides = test.besides === undefined ? EVERYTHING_QUERY : compileTermQuery(test.besides, "title", context);
      return andQueries([columnQuery(clause, "title"), besides]);
    }
    case "clause":
      return compileTermQuery(test.clause, test.columns, context);
    case "near":
      return andQueries(
        (context.typed ?? []).map((word) => orQueries(COLUMNS[test.columns].map((column) => nearQuery(word, column)))),
      );
    case "rest":
      return EVERYTHING_QUERY;
  }
}

/** Returns the query for terms that an identifier names. @param urlKey key of the end of a URL that some term has */
function identifiedQuery({ whole, local }: IdentifierKeys, urlKey: string | undefined): IndexQuery {
  const byLocal =
    whole === undefined
      ? NOTHING_QUERY
      : andQueries([identifierQuery(local), hasToken("whole", [wholeIdToken(whole)])]);
  return orQueries([identifierQuery([whole, urlKey].filter((key) => key !== undefined)), byLocal]);
}

/** Returns the query for terms with one of the identifiers. */
export const identifierQuery = (keys: readonly string[]): IndexQuery =>
  hasToken(
    "whole",
    keys.map((key) => wholeNameToken(IDENTIFIER_NAME, key)),
  );

/** The automaton of a long word with two edits has more states than the default limit. */
const STATES_MAX = 1_000_000;

/** Returns the query for a word similar to a typed one, or for a word with a prefix similar to it. */
function nearQuery({ word, isPrefix }: TypedWord, column: string): IndexQuery {
  const edits = typosMax(word);
  const place = { in: "text" } as const;
  if (edits === 0) return columnQuery({ kind: isPrefix ? "prefix" : "words", place, words: [word] }, column);
  if (!isPrefix) return wordsQuery({ kind: "fuzzy", place, word, edits }, column);
  const value = nearPrefixes(word, edits);
  return { regexp: { [column]: { value, flags: "NONE", max_determinized_states: STATES_MAX, rewrite: REWRITE } } };
}
