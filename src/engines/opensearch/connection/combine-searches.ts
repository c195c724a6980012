import type { AggregationAnswer, IndexAnswer } from "./multi-search.js";

/** A search of one index. `ranking`, `visitsAll` and `replacements` are ours; the other members are sent unchanged. */
export interface IndexSearch {
  readonly query?: object;
  /** A query whose scores order the documents. It matches all of them. */
  readonly ranking?: object | undefined;
  /**
   * Whether the search visits every document of `query`, so that it can count them too, unless the answer says that it
   * ended early (`terminate_after`).
   */
  readonly visitsAll?: boolean;
  /** Returns the searches to send if this one ended early. Their answers are its `replacements`. */
  readonly replacements?: () => readonly IndexSearch[];
  readonly size?: number;
  readonly track_total_hits?: boolean;
  readonly aggs?: object;
  readonly from?: number;
  readonly sort?: readonly object[];
  readonly search_after?: readonly (string | number)[] | undefined;
  readonly terminate_after?: number | undefined;
  readonly stored_fields?: "_none_";
  readonly docvalue_fields?: readonly string[];
}

/** Searches as they are sent, which may be fewer. */
interface CombinedSearches {
  readonly sent: readonly object[];
  /** Returns the answer of each search; undefined if it must be sent alone. @param answers those of `sent` */
  answersOf(answers: readonly IndexAnswer[]): readonly (IndexAnswer | undefined)[];
}

/**
 * Combines searches that only count documents with a search that visits the same documents anyway. At most one of them
 * may have an aggregation with many buckets, because OpenSearch limits the buckets of a search.
 */
export function combineSearches(searches: readonly IndexSearch[]): CombinedSearches {
  const visiting = new Map(
    searches.flatMap(({ query, visitsAll }, i): [string, number][] =>
      visitsAll === true ? [[JSON.stringify(query), i]] : [],
    ),
  );
  const withBuckets = new Set<number>();
  /** For each search, the position of the search that answers it. */
  const senders = searches.map(({ size, query, aggs = {} }, i) => {
    const sender = size === 0 && visiting.size > 0 ? visiting.get(JSON.stringify(query)) : undefined;
    const hasBuckets = Object.values(aggs).some((aggregation: object) => "terms" in aggregation);
    if (sender === undefined || (hasBuckets && withBuckets.has(sender))) return i;
    if (hasBuckets) withBuckets.add(sender);
    return sender;
  });
  const sentPositions = [...senders.keys()].filter((i) => senders[i] === i);
  return {
    sent: sentPositions.map((i) => {
      const counting = [...senders.keys()].filter((j) => j !== i && senders[j] === i);
      return compile(searches[i]!, new Map(counting.map((j) => [j, searches[j]!])));
    }),
    answersOf: (answers) => {
      const answerAt = new Map(sentPositions.map((position, n) => [position, answers[n]!]));
      return senders.map((sender, i) => {
        const answer = answerAt.get(sender)!;
        if (sender === i) return answer;
        return answer.terminated_early === true ? undefined : countsOf(answer, i);
      });
    },
  };
}

/** @param counting searches by position, which the search answers too */
function compile(
  { query, ranking, visitsAll: _, replacements: __, ...members }: IndexSearch,
  counting: ReadonlyMap<number, IndexSearch>,
): object {
  const search = { ...members, query: ranking === undefined ? query : { bool: { filter: query, must: ranking } } };
  if (counting.size === 0) return search;
  const aggs = [...counting].flatMap(([position, counted]) =>
    Object.entries(counted.aggs ?? {}).map(([name, aggregation]) => [nameAt(position, name), aggregation]),
  );
  // Otherwise OpenSearch may skip documents that cannot be on the page.
  return { ...search, track_total_hits: true, aggs: { ...members.aggs, ...Object.fromEntries(aggs) } };
}

/** Returns the name that an aggregation of a combined search has in the request. */
const nameAt = (position: number, name: string): string => `${position}_${name}`;

/** Returns the total and the aggregations for one of the combined searches. */
function countsOf({ hits, aggregations = {} }: IndexAnswer, position: number): IndexAnswer {
  const prefix = nameAt(position, "");
  const own = Object.entries(aggregations).flatMap(([name, aggregation]): [string, AggregationAnswer][] =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), aggregation]] : [],
  );
  return { hits: { ...hits, hits: [] }, aggregations: Object.fromEntries(own) };
}
