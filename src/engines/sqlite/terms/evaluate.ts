import type { Clause } from "../../../query/clause.js";
import { compilePattern } from "../../../query/fits-pattern.js";
import { ALL_FOUND, complement, found, intersect, NOTHING_FOUND, type RowSet, union } from "../row-set.js";
import { countRows, either, NO_ROWS, type Rows, rowsOf } from "../rows.js";
import { selfAndBelow } from "./descend.js";
import { expressionRows, isCommon, phraseRows, type WordPlace, wordRows } from "./match-rows.js";
import { expressionOf, joined, type Phrase, phrasesOf, type TextClause, type TextColumns } from "./match-words.js";
import { findRow } from "./put-row.js";
import { rangeRows } from "./range-rows.js";
import type { SearchContext } from "./term-search.js";
import { termWords } from "./term-words.js";
import { pathToken } from "./tokens.js";

/**
 * The rows that fulfil a clause. Rows that were taken away may be among them, see `liveAmong`.
 * @param columns restricts unfielded text, but for what is negated
 * @throws BinderyError QUERY_TOO_COSTLY
 */
export function evaluate(context: SearchContext, clause: Clause, columns: TextColumns = "all"): RowSet {
  const question = `${columns} ${JSON.stringify(clause)}`;
  const known = context.answers.get(question);
  if (known !== undefined) return known;
  context.checkTime(clause);
  const answer = evaluateNew(context, clause, columns);
  context.answers.set(question, answer);
  return answer;
}

function evaluateNew(context: SearchContext, clause: Clause, columns: TextColumns): RowSet {
  switch (clause.kind) {
    case "everything":
      return ALL_FOUND;
    case "nothing":
    case "element":
      return NOTHING_FOUND;
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
      return found(phrases.map((phrase) => phraseRows(context, phrase, clause)).reduce(either, NO_ROWS));
    }
    case "wildcard":
    case "fuzzy":
      return found(similarRows(context, clause, columns));
    case "range":
      return rangeRows(context, clause, ALL_FOUND);
    case "cites":
      return found(citedRows(context, clause));
  }
}

/**
 * What is rare is asked for in one expression, and first; then what has sets; what has to read the items comes last,
 * on what is left.
 */
function evaluateAll(context: SearchContext, of: readonly Clause[], columns: TextColumns): RowSet {
  const parts = distinct(of);
  const rare = rareTogether(context, parts, columns, "AND");
  let rows: RowSet = ALL_FOUND;
  const isOver = (): boolean => !rows.except && countRows(rows.rows) === 0;
  const ask = (answer: () => RowSet): void => {
    if (!isOver()) rows = intersect(rows, answer());
  };
  for (const { table, expression, clauses } of rare) {
    ask(() => found(expressionRows(context, table, expression, clauses[0])));
  }
  const done = new Set(rare.flatMap(({ clauses }) => clauses));
  const rest = parts.filter((part) => !done.has(part));
  for (const part of rest) if (part.kind !== "range") ask(() => evaluate(context, part, columns));
  for (const part of rest) if (part.kind === "range") ask(() => rangeRows(context, part, rows));
  return rows;
}

function evaluateAny(context: SearchContext, of: readonly Clause[], columns: TextColumns): RowSet {
  const parts = distinct(of);
  const rare = rareTogether(context, parts, columns, "OR");
  const done = new Set(rare.flatMap(({ clauses }) => clauses));
  const answers = rare.map(({ table, expression, clauses }) =>
    found(expressionRows(context, table, expression, clauses[0])),
  );
  const rest = parts.filter((part) => !done.has(part));
  return [...answers, ...rest.map((part) => evaluate(context, part, columns))].reduce(union, NOTHING_FOUND);
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
function similarRows(context: SearchContext, clause: Similar, columns: TextColumns): Rows {
  const words = similarWords(context, clause);
  const { place } = clause;
  const at = (where: Omit<WordPlace, "isPrefix">): Rows =>
    wordRows(context, words, { ...where, isPrefix: false }, clause);
  if (place.in === "text") return at({ table: "term_fts", before: "", columns });
  return place.paths
    .map((path) => at({ table: "term_at", before: pathToken(path, ""), columns: "all" }))
    .reduce(either, NO_ROWS);
}

function similarWords({ generation, vocabulary, memory }: SearchContext, clause: Similar): string[] {
  const words = termWords(generation, vocabulary, memory);
  if (clause.kind === "fuzzy") return words.similar(clause);
  const head = /^[^*?]*/u.exec(clause.pattern)![0];
  const { test } = compilePattern(clause.pattern.slice(head.length));
  return words.beginning(head, test);
}

function citedRows(context: SearchContext, clause: Extract<Clause, { kind: "cites" }>): Rows {
  const isHere = clause.sites === undefined && clause.vocabularies.includes(context.vocabulary.name);
  if (!isHere) return NO_ROWS;
  if (clause.within) return selfAndBelow(context, clause.id);
  const row = findRow(context.generation, clause.id);
  return row === undefined ? NO_ROWS : rowsOf(Uint32Array.of(row.id));
}
