/** Ranking of records by `bestmatch`: a list of steps that engines evaluate. */
import type { Clause } from "../index-model/clause.js";
import type { TextWeights } from "../index-model/leaves.js";
import { titleToken, wholeToken } from "../index-model/record-document.js";

/** Condition of a step. */
export type RecordStepTest =
  /** The record has this token (see `record-document`), or one with this prefix. */
  | { readonly kind: "token"; readonly token: string; readonly isPrefix?: true }
  /** The clause matches if its words without a field are searched only in values of these weights. */
  | { readonly kind: "clause"; readonly clause: Clause; readonly weights: TextWeights }
  | { readonly kind: "everything" };

/** A step of the ranking. Its hits pass the test and are in no earlier step; the newest come first. */
export interface RecordStep {
  readonly number: number;
  readonly test: RecordStepTest;
}

/**
 * Returns the steps of `bestmatch` (docs/search-syntax.md). 1: an id or identifier equals the query, 2: a title equals
 * it, 3: a title begins with it, 4: the clause matches in titles, 5: in titles and heavy fields, 6: anywhere.
 */
export function bestMatchRecordSteps(search: {
  readonly clause: Clause;
  readonly plain?: readonly string[] | undefined;
}): readonly RecordStep[] {
  const { clause, plain = [] } = search;
  const steps: RecordStep[] = [];
  if (plain.length > 0) {
    steps.push(
      { number: 1, test: { kind: "token", token: wholeToken(plain) } },
      { number: 2, test: { kind: "token", token: titleToken(plain) } },
      { number: 3, test: { kind: "token", token: titleToken(plain), isPrefix: true } },
    );
  }
  if (searchesText(clause)) {
    steps.push(
      { number: 4, test: { kind: "clause", clause, weights: ["title"] } },
      { number: 5, test: { kind: "clause", clause, weights: ["title", "heavy"] } },
    );
  }
  return [...steps, { number: 6, test: { kind: "everything" } }];
}

/** Returns whether a clause has words without a field, except under NOT. Otherwise steps 4 and 5 have no effect. */
function searchesText(clause: Clause): boolean {
  switch (clause.kind) {
    case "words":
    case "prefix":
    case "wildcard":
    case "fuzzy":
      return clause.place.in === "text";
    case "all":
    case "any":
      return clause.of.some(searchesText);
    case "element":
      return searchesText(clause.of);
    default:
      return false;
  }
}
