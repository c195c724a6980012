/** Sets of records, as things that are kept. */
import { recordOf } from "./element-rows.js";
import type { Thing } from "./looking.js";
import type { Answer, Question } from "./question.js";
import { bytesOfRows, type Rows, replaceRanges, rowsOf, rowsOfAny } from "./rows.js";
import type { RowScope } from "./scope.js";

type SetOf<K extends Question["kind"]> = Thing<Rows> & { readonly question: Extract<Question, { kind: K }> };

export function matchedRecords(matches: readonly string[]): SetOf<"records"> {
  return recordSet({ kind: "records", matches }, ({ rows }) => rowsOf(Uint32Array.from(rows)));
}

/** Records of the models, whoever may see them. */
export const modelRecords = (models: readonly string[]): SetOf<"visible"> => visibleRecords({ kind: "models", models });

export function visibleRecords(scope: RowScope): SetOf<"visible"> {
  return recordSet({ kind: "visible", scope }, ({ rows }) => rowsOf(Uint32Array.from(rows)));
}

/** Records with such a keyword anywhere. */
export function keywordRecords(question: Extract<Question, { kind: "keywords" }>): SetOf<"keywords"> {
  return recordSet(question, ({ rows }) => rowsOfAny(Uint32Array.from(rows, recordOf)));
}

function recordSet<Q extends Question>(question: Q, make: (answer: Answer) => Rows): Thing<Rows> & { question: Q } {
  return {
    key: `records ${JSON.stringify(question)}`,
    question,
    make,
    patch: (rows, ranges, found) => replaceRanges(rows, ranges, make(found)),
    bytesOf: bytesOfRows,
  };
}
