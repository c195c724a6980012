/** How `bestmatch` ranks records: a list of steps, which engines only evaluate. */
import type { Clause } from "../index-model/clause.js";
import type { TextWeights } from "../index-model/leaves.js";
import { titleToken, wholeToken } from "../index-model/record-tokens.js";

/** What the hits of a step have. */
export type RecordTest =
  /** This token (`record-tokens`), or one that begins so. */
  | { readonly kind: "token"; readonly token: string; readonly isPrefix?: true }
  /** The clause holds where its unfielded text is looked for in values of these weights only. */
  | { readonly kind: "clause"; readonly clause: Clause; readonly weights: TextWeights }
  | { readonly kind: "everything" };

/**
 * One step of the ranking: it has the hits that pass its test and are in no step
 * before; the newest come first.
 */
export interface RecordStep {
  readonly number: number;
  readonly test: RecordTest;
}

/**
 * The steps of `bestmatch` (docs/search-syntax.md): 1 an id or identifier is q as a whole, 2 a title is, 3 a title
 * begins with it, 4 the clause holds in titles, 5 in titles and heavy fields, 6 anywhere.
 */
export function bestMatchSteps(search: {
  readonly clause: Clause;
  readonly plain?: readonly string[];
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
  if (looksAtText(clause)) {
    steps.push(
      { number: 4, test: { kind: "clause", clause, weights: ["title"] } },
      { number: 5, test: { kind: "clause", clause, weights: ["title", "heavy"] } },
    );
  }
  return [...steps, { number: 6, test: { kind: "everything" } }];
}

/** Has the clause unfielded text that is not under NOT? Else the steps that look at fewer fields say nothing. */
function looksAtText(clause: Clause): boolean {
  switch (clause.kind) {
    case "words":
    case "prefix":
    case "wildcard":
    case "fuzzy":
      return clause.place.in === "text";
    case "all":
    case "any":
      return clause.of.some(looksAtText);
    case "element":
      return looksAtText(clause.of);
    default:
      return false;
  }
}
