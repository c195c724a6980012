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

/** One step of the ranking: hits of a lower number come first; within a step the newest do. */
export interface RecordStep {
  readonly number: number;
  readonly test: RecordTest;
  /** Hits with one of these are of a step before. A test that holds for all hits of another stands for both. */
  readonly before: readonly RecordTest[];
}

/**
 * The steps of `bestmatch` (docs/search-syntax.md): 1 an id or identifier is q as a whole, 2 a title is, 3 a title
 * begins with it, 4 the clause holds in titles, 5 in titles and heavy fields, 6 anywhere.
 */
export function bestMatchSteps({
  clause,
  plain = [],
}: {
  readonly clause: Clause;
  readonly plain?: readonly string[];
}): readonly RecordStep[] {
  const steps: RecordStep[] = [];
  const before = new Map<string, RecordTest>();
  const add = (number: number, holds: string, test: RecordTest): void => {
    steps.push({ number, test, before: [...before.values()] });
    before.set(holds, test);
  };
  if (plain.length > 0) {
    add(1, "identifier", { kind: "token", token: wholeToken(plain) });
    add(2, "beginning", { kind: "token", token: titleToken(plain) });
    add(3, "beginning", { kind: "token", token: titleToken(plain), isPrefix: true });
  }
  if (looksAtText(clause)) {
    add(4, "clause", { kind: "clause", clause, weights: ["title"] });
    add(5, "clause", { kind: "clause", clause, weights: ["title", "heavy"] });
  }
  add(6, "clause", { kind: "everything" });
  return steps;
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
