import type { Bound, Clause, TextScope } from "../../../query/index-model/clause.js";
import { existsToken, pathToken } from "../../../query/index-model/term-document.js";
import type { StepColumns } from "../../../query/ranking/term-steps.js";
import { fieldName, keywordsAt, rangeKeyword, type TextColumn } from "../documents/term-document.js";
import { ALWAYS, allTests, anyTest, type DocumentTest, hasAny, NEVER, notTest } from "./document-test.js";

/** What has the items below some: what clauses ask for is read before they become tests. */
export type ItemsBelow = (id: string) => DocumentTest;

/** Where a clause is asked. */
export interface ClausePlace {
  readonly vocabulary: string;
  readonly below: ItemsBelow;
}

/** Columns of words without a field. */
export const COLUMNS: Readonly<Record<StepColumns, readonly TextColumn[]>> = {
  title: ["title"],
  names: ["title", "names"],
  all: ["title", "names", "rest"],
};

/** @param columns restricts words without a field, but for what is negated */
export function clauseTest(clause: Clause, columns: StepColumns, place: ClausePlace): DocumentTest {
  switch (clause.kind) {
    case "everything":
      return ALWAYS;
    case "nothing":
    case "element":
      return NEVER;
    case "all":
      return allTests(clause.of.map((of) => clauseTest(of, columns, place)));
    case "any":
      return anyTest(clause.of.map((of) => clauseTest(of, columns, place)));
    case "not":
      return notTest(clauseTest(clause.of, "all", place));
    case "words":
    case "prefix":
      return wordsTest(clause, columns);
    case "wildcard":
      return inColumns(clause.place, columns, (where) => ({ kind: "pattern", ...where, pattern: clause.pattern }));
    case "fuzzy": {
      const near = { word: clause.word, edits: clause.edits, isPrefix: false };
      return inColumns(clause.place, columns, (where) => ({ kind: "near", ...where, ...near }));
    }
    case "exists":
      return anyTest(clause.paths.map((path) => phrase("at", [existsToken(path)], false)));
    case "range":
      return rangeTest(clause);
    case "cites":
      return citesTest(clause, place);
  }
}

/** The ids whose items below have to be known. */
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

export const phrase = (column: TextColumn, tokens: readonly string[], isPrefix: boolean): DocumentTest => ({
  kind: "phrase",
  ...{ column, tokens, isPrefix },
});

function wordsTest(
  { kind, place, words }: Extract<Clause, { kind: "words" | "prefix" }>,
  columns: StepColumns,
): DocumentTest {
  if (words.length === 0) return NEVER;
  return inColumns(place, columns, ({ column, before }) =>
    phrase(
      column,
      words.map((word) => before + word),
      kind === "prefix",
    ),
  );
}

interface Where {
  readonly column: TextColumn;
  /** Stands before each word of the column. */
  readonly before: string;
}

function inColumns(place: TextScope, columns: StepColumns, make: (where: Where) => DocumentTest): DocumentTest {
  if (place.in === "text") return anyTest(COLUMNS[columns].map((column) => make({ column, before: "" })));
  return anyTest(place.paths.map((path) => make({ column: "at", before: pathToken(path, "") })));
}

function rangeTest({ paths, type, from, to }: Extract<Clause, { kind: "range" }>): DocumentTest {
  if (type === "keyword") return anyTest(paths.map((path) => keywordTest(path, from, to)));
  const ends = { ...(from && { from: numberEnd(from) }), ...(to && { to: numberEnd(to) }) };
  return anyTest(paths.map((path) => ({ kind: "between", path: fieldName(path), ...ends })));
}

const numberEnd = ({ value, inclusive }: Bound) => ({ value: Number(value), inclusive });

function keywordTest(path: string, from: Bound | undefined, to: Bound | undefined): DocumentTest {
  const all = keywordsAt(path);
  const end = (bound: Bound) => ({ value: rangeKeyword(path, String(bound.value)), inclusive: bound.inclusive });
  return {
    kind: "keyword",
    from: from === undefined ? { value: all.from, inclusive: true } : end(from),
    to: to === undefined ? { value: all.below, inclusive: false } : end(to),
  };
}

function citesTest(clause: Extract<Clause, { kind: "cites" }>, { vocabulary, below }: ClausePlace): DocumentTest {
  const isHere = clause.sites === undefined && clause.vocabularies.includes(vocabulary);
  if (!isHere) return NEVER;
  const itself = hasAny("id", [clause.id]);
  return clause.within ? anyTest([itself, below(clause.id)]) : itself;
}
