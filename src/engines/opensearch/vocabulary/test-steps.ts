import { IDENTIFIER, startToken } from "../../../query/index-model/term-document.js";
import type { IdentifierKeys, StepColumns, TermStep, TermStepTest } from "../../../query/ranking/term-steps.js";
import { type TypedWord, typosMax } from "../../../query/ranking/typed-words.js";
import { wholeId, wholeName } from "../documents/term-document.js";
import { ALWAYS, allTests, anyTest, type DocumentTest, hasAny, NEVER } from "./document-test.js";
import { type ClausePlace, COLUMNS, clauseTest, phrase } from "./test-clause.js";

/** A step of a ranking: it takes what fulfils its test and that of no step before it. */
export interface TestedStep {
  readonly number: number;
  readonly test: DocumentTest;
}

/** What the steps of a search speak of beside the items. */
export interface StepPlace extends ClausePlace {
  /** The key of the URL's end that an item has (`urlKeys`). */
  readonly urlKey?: string;
  /** The words that were typed, of suggestions. */
  readonly typed?: readonly TypedWord[];
}

export const testSteps = (steps: readonly TermStep[], place: StepPlace): readonly TestedStep[] =>
  steps.map(({ number, test }) => ({ number, test: stepTest(test, place) }));

function stepTest(test: TermStepTest, place: StepPlace): DocumentTest {
  switch (test.kind) {
    case "identified":
      return identifiedTest(test.by, place.urlKey);
    case "named":
      return hasAny("whole", [wholeName(test.as, test.key)]);
    case "titleStart": {
      const { words, isPrefix } = test.start;
      const start = startToken(words[0]!);
      const begins = phrase("title", words.length === 1 ? [start] : [start, ...words], isPrefix);
      return test.besides === undefined ? begins : allTests([begins, clauseTest(test.besides, "title", place)]);
    }
    case "clause":
      return clauseTest(test.clause, test.columns, place);
    case "near":
      return nearTest(place.typed ?? [], test.columns);
    case "rest":
      return ALWAYS;
  }
}

/** @param urlKey the end of a URL that some item has */
function identifiedTest({ whole, local }: IdentifierKeys, urlKey: string | undefined): DocumentTest {
  const named = (key: string): string => wholeName(IDENTIFIER, key);
  const byLocal =
    whole === undefined || local.length === 0
      ? NEVER
      : allTests([hasAny("whole", local.map(named)), hasAny("whole", [wholeId(whole)])]);
  const keys = [whole, urlKey].filter((key) => key !== undefined);
  return anyTest([hasAny("whole", keys.map(named)), byLocal]);
}

/** What has one of the identifiers that may end a URL. */
export const urlTest = (key: string | undefined): DocumentTest =>
  key === undefined ? NEVER : hasAny("whole", [wholeName(IDENTIFIER, key)]);

/** A word near to each of these, in any order. */
function nearTest(typed: readonly TypedWord[], columns: StepColumns): DocumentTest {
  return allTests(typed.map((word) => anyTest(COLUMNS[columns].map((column) => nearIn(column, word)))));
}

function nearIn(column: "title" | "names" | "rest" | "at", { word, isPrefix }: TypedWord): DocumentTest {
  const edits = typosMax(word);
  if (edits === 0) return phrase(column, [word], isPrefix);
  return { kind: "near", column, before: "", word, edits, isPrefix };
}
