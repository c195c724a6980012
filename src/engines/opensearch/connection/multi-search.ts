import type { PointInTime, SearchTarget } from "../../separate-index/driver/index-driver.js";
import { combineSearches, type IndexSearch } from "./combine-searches.js";
import { mapFailure, unavailable } from "./map-error.js";
import type { SearchClient } from "./search-client.js";

/** The members of an answer that are read. */
export interface IndexAnswer {
  /** Whether the search visited as many documents as it may (`terminate_after`). */
  readonly terminated_early?: boolean;
  /** The answers of `IndexSearch.replacements`, added by `multiSearch`. */
  readonly replacements?: readonly IndexAnswer[];
  readonly hits: {
    readonly total?: { readonly value: number };
    readonly hits: readonly {
      readonly sort?: readonly (string | number)[];
      readonly fields?: Readonly<Record<string, readonly string[]>>;
    }[];
  };
  readonly aggregations?: Readonly<Record<string, AggregationAnswer>>;
}

/** The answer to an aggregation. */
export interface AggregationAnswer {
  readonly doc_count: number;
  readonly value?: number | null;
  readonly buckets?: readonly { readonly key: string | { readonly value: number }; readonly doc_count: number }[];
}

interface FailedAnswer {
  readonly status: number;
  readonly error: object;
}

interface CompletedAnswer {
  readonly _shards: { readonly failed: number };
}

/** Time after OpenSearch's own time limit at which the client gives up. */
const GRACE_MS = 5_000;

/**
 * Sends several searches to one target, combined where possible (`combineSearches`). If some end early, another request
 * has all that they leave to ask.
 * @param timeoutMs time after which OpenSearch cancels each of them, in each request
 * @throws BinderyError SEARCH_UNAVAILABLE, also if a part of the index did not answer; SearchRefusal
 */
export async function multiSearch(
  client: SearchClient,
  target: SearchTarget,
  searches: readonly IndexSearch[],
  timeoutMs: number,
): Promise<readonly IndexAnswer[]> {
  if (searches.length === 0) return [];
  const { sent, answersOf } = combineSearches(searches);
  const answers = answersOf(await sendSearches(client, target, sent, timeoutMs));
  const laterSearches = searches.map((search, i): readonly IndexSearch[] => {
    const answer = answers[i];
    if (answer === undefined) return [search];
    return (answer.terminated_early === true && search.replacements?.()) || [];
  });
  const laterAnswers = [...(await multiSearch(client, target, laterSearches.flat(), timeoutMs))];
  return answers.map((answer, i) => {
    const later = laterAnswers.splice(0, laterSearches[i]!.length);
    if (answer === undefined) return later[0]!;
    return later.length === 0 ? answer : { ...answer, replacements: later };
  });
}

async function sendSearches(
  client: SearchClient,
  target: SearchTarget,
  searches: readonly object[],
  timeoutMs: number,
): Promise<readonly IndexAnswer[]> {
  const isIndex = "index" in target;
  // Partial answers are errors. A point in time never gives one, and must not be named here.
  const header = JSON.stringify(isIndex ? { index: target.index, allow_partial_search_results: false } : {});
  const inPit = isIndex ? {} : { pit: { id: target.point, keep_alive: POINT_KEEP_ALIVE } };
  const { responses } = await client.send<{
    readonly responses: readonly ((IndexAnswer & CompletedAnswer) | FailedAnswer)[];
  }>({
    method: "POST",
    path: "/_msearch",
    query: { cancel_after_time_interval: `${timeoutMs}ms` },
    body: searches.map((search) => `${header}\n${JSON.stringify({ ...search, ...inPit })}\n`).join(""),
    timeoutMs: timeoutMs + GRACE_MS,
  });
  return responses.map((answer) => {
    if ("error" in answer) throw mapFailure(answer.status, answer);
    if (answer._shards.failed > 0) throw unavailable("a part of its index did not answer");
    return answer;
  });
}

/** Time for which OpenSearch keeps an unused point in time. */
const POINT_KEEP_ALIVE = "1m";

interface PointAnswer {
  readonly pit_id: string;
  readonly _shards: { readonly failed: number };
}

/** Opens a point in time. @throws BinderyError SEARCH_UNAVAILABLE */
export async function openPoint(client: SearchClient, index: string): Promise<PointInTime> {
  const path = `/${index}/_search/point_in_time`;
  const query = { keep_alive: POINT_KEEP_ALIVE, allow_partial_pit_creation: false };
  const { pit_id: point, _shards } = await client.send<PointAnswer>({ method: "POST", path, query });
  const close = async (): Promise<void> => {
    // A point that is not closed expires.
    const body = { pit_id: [point] };
    await client.send({ method: "DELETE", path: "/_search/point_in_time", body }).catch(() => undefined);
  };
  if (_shards.failed > 0) {
    await close();
    throw unavailable("a part of its index is not there");
  }
  return { index, target: { point }, close };
}
