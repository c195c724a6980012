import type { Clause } from "../../../../query/index-model/clause.js";
import { pathToken } from "../../../../query/index-model/term-tokens.js";
import { compilePattern } from "../../../../query/text/fits-pattern.js";
import { cardinality, type DocIdSet, EMPTY_SET, or, setOfSorted } from "../../bitmaps/doc-id-set.js";
import {
  complement,
  intersect,
  MATCH_ALL,
  MATCH_NONE,
  type MatchSet,
  matching,
  union,
} from "../../bitmaps/match-set.js";
import { findRow } from "../store/put-row.js";
import { selfAndBelow } from "./descendants.js";
import { expressionRows, isCommon, phraseRows, type WordPlace, wordRows } from "./match-rows.js";
import { expressionOf, joined, type Phrase, phrasesOf, type TextClause, type TextColumns } from "./match-words.js";
import { rangeRows } from "./range-rows.js";
import type { SearchContext } from "./search-context.js";
import { termWords } from "./term-lexicon.js";

/**
 * The rows that fulfil a clause. Rows that were taken away may be among them, see `liveAmong`.
 * @param columns restricts unfielded text, but for what is negated
 * @throws BinderyError QUERY_TOO_COSTLY
 */
export function evaluate(context: SearchContext, clause: Clause, columns: TextColumns = "all"): MatchSet {
  const question = `${columns} ${JSON.stringify(clause)}`;
  const known = context.answers.get(question);
  if (known !== undefined) return known;
  context.checkTime(clause);
  const answer = evaluateNew(context, clause, columns);
  context.answers.set(question, answer);
  return answer;
}

function evaluateNew(context: SearchContext, clause: Clause, columns: TextColumns): MatchSet {
  switch (clause.kind) {
    case "everything":
      return MATCH_ALL;
    case "nothing":
    case "element":
      return MATCH_NONE;
    case "all":
      return evaluateAll(context, clause.of, columns);
    case "any":
      return evaluateAny(context, clause.of, columns);
    case "not":
      return complement(evaluate(context, clause.of));
    case "words":
    case "prefix":
    case "exists": {
      const phrases = phrasesOf(context, clause, columns);
      return matching(phrases.map((phrase) => phraseRows(context, phrase, clause)).reduce(or, EMPTY_SET));
    }
    case "wildcard":
    case "fuzzy":
      return matching(similarRows(context, clause, columns));
    case "range":
      return rangeRows(context, clause, MATCH_ALL);
    case "cites":
      return matching(citedRows(context, clause));
  }
}

/**
 * What is rare is asked for in one expression, and first; then what has sets; what has to read the items comes last,
 * on what is left.
 */
function evaluateAll(context: SearchContext, of: readonly Clause[], columns: TextColumns): MatchSet {
  const parts = distinct(of);
  const rare = rareTogether(context, parts, columns, "AND");
  let rows: MatchSet = MATCH_ALL;
  const isOver = (): boolean => !rows.isComplement && cardinality(rows.rows) === 0;
  const ask = (answer: () => MatchSet): void => {
    if (!isOver()) rows = intersect(rows, answer());
  };
  for (const { table, expression, clauses } of rare) {
    ask(() => matching(expressionRows(context, table, expression, clauses[0])));
  }
  const done = new Set(rare.flatMap(({ clauses }) => clauses));
  const rest = parts.filter((part) => !done.has(part));
  for (const part of rest) if (part.kind !== "range") ask(() => evaluate(context, part, columns));
  for (const part of rest) if (part.kind === "range") ask(() => rangeRows(context, part, rows));
  return rows;
}

function evaluateAny(context: SearchContext, of: readonly Clause[], columns: TextColumns): MatchSet {
  const parts = distinct(of);
  const rare = rareTogether(context, parts, columns, "OR");
  const done = new Set(rare.flatMap(({ clauses }) => clauses));
  const answers = rare.map(({ table, expression, clauses }) =>
    matching(expressionRows(context, table, expression, clauses[0])),
  );
  const rest = parts.filter((part) => !done.has(part));
  return [...answers, ...rest.map((part) => evaluate(context, part, columns))].reduce(union, MATCH_NONE);
}

/** Each clause once. */
function distinct(of: readonly Clause[]): readonly Clause[] {
  return [...new Map(of.map((part) => [JSON.stringify(part), part])).values()];
}

interface Together {
  readonly table: Phrase["table"];
  readonly expression: string;
  readonly clauses: readonly Clause[];
}

/** Clauses that are one phrase each of words that are not all common, in one expression for each table. */
function rareTogether(
  context: SearchContext,
  parts: readonly Clause[],
  columns: TextColumns,
  operator: "AND" | "OR",
): readonly Together[] {
  const byTable = new Map<Phrase["table"], { expressions: string[]; clauses: Clause[] }>();
  for (const part of parts) {
    if (!isText(part)) continue;
    const [phrase, other] = phrasesOf(context, part, columns);
    if (phrase === undefined || other !== undefined || isCommon(context, phrase)) continue;
    const { expressions, clauses } = byTable.get(phrase.table) ?? { expressions: [], clauses: [] };
    expressions.push(expressionOf(phrase));
    clauses.push(part);
    byTable.set(phrase.table, { expressions, clauses });
  }
  return [...byTable].map(([table, { expressions, clauses }]) => ({
    table,
    expression: joined(expressions, operator),
    clauses,
  }));
}

const isText = (clause: Clause): clause is TextClause =>
  clause.kind === "words" || clause.kind === "prefix" || clause.kind === "exists";

/** A clause whose words are taken from the index: FTS5 has neither wildcards inside a word nor typos. */
type Similar = Extract<Clause, { kind: "wildcard" | "fuzzy" }>;

/** The rows with a word that is like the pattern, or near enough to the word. */
function similarRows(context: SearchContext, clause: Similar, columns: TextColumns): DocIdSet {
  const words = similarWords(context, clause);
  const { place } = clause;
  const at = (where: Omit<WordPlace, "isPrefix">): DocIdSet =>
    wordRows(context, words, { ...where, isPrefix: false }, clause);
  if (place.in === "text") return at({ table: "term_fts", before: "", columns });
  return place.paths
    .map((path) => at({ table: "term_at", before: pathToken(path, ""), columns: "all" }))
    .reduce(or, EMPTY_SET);
}

function similarWords({ generation, vocabulary, cache }: SearchContext, clause: Similar): string[] {
  const words = termWords(generation, vocabulary, cache);
  if (clause.kind === "fuzzy") return words.similar(clause);
  const head = /^[^*?]*/u.exec(clause.pattern)![0];
  const { test } = compilePattern(clause.pattern.slice(head.length));
  return words.beginning(head, test);
}

function citedRows(context: SearchContext, clause: Extract<Clause, { kind: "cites" }>): DocIdSet {
  const isHere = clause.sites === undefined && clause.vocabularies.includes(context.vocabulary.name);
  if (!isHere) return EMPTY_SET;
  if (clause.within) return selfAndBelow(context, clause.id);
  const row = findRow(context.generation, clause.id);
  return row === undefined ? EMPTY_SET : setOfSorted(Uint32Array.of(row.id));
}
