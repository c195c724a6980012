import { mapFailure, unavailable } from "./map-error.js";
import { POINT_KEPT } from "./point-in-time.js";
import type { SearchClient } from "./search-client.js";

/** An answer to one search, as far as it is read here. */
export interface SearchAnswer {
  readonly hits: {
    readonly total?: { readonly value: number };
    readonly hits: readonly {
      readonly sort?: readonly (string | number)[];
      readonly fields?: Readonly<Record<string, readonly string[]>>;
    }[];
  };
  readonly aggregations?: Readonly<Record<string, Aggregation>>;
}

export interface Aggregation {
  readonly doc_count: number;
  readonly value?: number | null;
  readonly buckets?: readonly { readonly key: string | { readonly value: number }; readonly doc_count: number }[];
}

interface Failed {
  readonly status: number;
  readonly error: object;
}

interface Searched {
  readonly _shards: { readonly failed: number };
}

/** What is searched: an index, or the state of one that a point in time keeps. */
export type SearchTarget = { readonly index: string } | { readonly pit: string };

/** Asks one target, as long as a search may take. */
export type AskIndex = (searches: readonly object[]) => Promise<readonly SearchAnswer[]>;

/** OpenSearch gives a search up at its time; one that says nothing so long after it is not waited for either. */
const GRACE_MS = 5_000;

/**
 * Sends searches of one target together.
 * @param timeoutMs after which OpenSearch gives each of them up
 * @throws BinderyError SEARCH_UNAVAILABLE, also where a part of the index did not answer; SearchRefusal
 */
export async function searchAll<Answer = SearchAnswer>(
  client: SearchClient,
  target: SearchTarget,
  searches: readonly object[],
  timeoutMs: number,
): Promise<readonly Answer[]> {
  if (searches.length === 0) return [];
  const isIndex = "index" in target;
  // Part of an answer is none; a point in time is asked for itself, and never gives one.
  const header = JSON.stringify(isIndex ? { index: target.index, allow_partial_search_results: false } : {});
  const inPit = isIndex ? {} : { pit: { id: target.pit, keep_alive: POINT_KEPT } };
  const { responses } = await client.send<{ readonly responses: readonly ((Answer & Searched) | Failed)[] }>({
    ...{ method: "POST", path: "/_msearch", query: { cancel_after_time_interval: `${timeoutMs}ms` } },
    body: searches.map((search) => `${header}\n${JSON.stringify({ ...search, ...inPit })}\n`).join(""),
    timeoutMs: timeoutMs + GRACE_MS,
  });
  return responses.map((answer) => {
    if ("error" in answer) throw mapFailure(answer.status, answer);
    if (answer._shards.failed > 0) throw unavailable("a part of its index did not answer");
    return answer;
  });
}
