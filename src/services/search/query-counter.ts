import { BinderyError } from "../../core/errors.js";
import { startSlices } from "../../core/slices.js";
import type { Clause } from "../../query/index-model/clause.js";
import { parseQuery } from "../../query/parse/parse.js";
import { printQuery } from "../../query/parse/print.js";
import type { QueryNode } from "../../query/parse/tree.js";
import { resolveQuery } from "../../query/resolve/resolve.js";
import type { Deps } from "../context/deps.js";
import type { QuerySpace } from "./query-space.js";

/** Default time for all counts of a request: a person is typing. */
const BUDGET_MICROS = 50_000;

/** Searches to count. A count is undefined if there is no index to ask. */
interface CountedSpace {
  readonly fields: QuerySpace["fields"];
  count(clause: Clause): Promise<number | undefined>;
}

/** Counts the hits of several queries, as long as there is time. */
export interface QueryCounter {
  /** Undefined where there is no time left, or it takes too long. @param isNeeded is time no matter? */
  count(tree: QueryNode, asked?: { readonly isNeeded: boolean }): Promise<number | undefined>;
  countText(text: string): Promise<number | undefined>;
  /** What is found, or undefined where looking takes too long: the text was read, and that must not be spoiled. */
  attempt<Found>(look: () => Promise<Found>): Promise<Found | undefined>;
  /** Was something not counted, or something that the clock decides? */
  readonly isUnsettled: boolean;
}

/** @param budgetMicros no count begins after the counts before it took this long together */
export function makeCounter(
  { clock }: Pick<Deps, "clock">,
  space: CountedSpace,
  budgetMicros: number = BUDGET_MICROS,
): QueryCounter {
  let spentMicros = 0;
  const slices = startSlices();
  const counted = new Map<string, number>();
  let isUnsettled = false;
  const attempt: QueryCounter["attempt"] = async (look) => {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof BinderyError && error.code === "QUERY_TOO_COSTLY")) throw error;
      isUnsettled = true;
      return undefined;
    }
  };
  const count: QueryCounter["count"] = async (tree, { isNeeded } = { isNeeded: false }) => {
    const text = printQuery(tree);
    const known = counted.get(text);
    if (known !== undefined) return known;
    // What was asked before may have taken long: others have their turn.
    await slices.pause();
    if (!isNeeded && spentMicros > budgetMicros) {
      isUnsettled = true;
      return undefined;
    }
    const begun = clock.nowMicros();
    const { clause, usesNow } = resolveQuery(tree, space.fields, begun);
    if (usesNow) isUnsettled = true;
    const total = await attempt(() => space.count(clause));
    spentMicros += clock.nowMicros() - begun;
    if (total === undefined) isUnsettled = true;
    else counted.set(text, total);
    return total;
  };
  return {
    attempt,
    count,
    countText: (text) => count(parseQuery(text, space.fields).tree),
    get isUnsettled() {
      return isUnsettled;
    },
  };
}
