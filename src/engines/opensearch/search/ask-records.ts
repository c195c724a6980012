import { fail } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import { describeClause } from "../../../query/resolve/describe-clause.js";
import { SearchRefusal } from "../connection/map-error.js";
import type { AskIndex } from "../connection/multi-search.js";
import type { CompileContext } from "../query/compile-query.js";
import { type FacetAnswer, readExtremes, readTally } from "../query/facet-aggregations.js";
import { type Hit, readPlace } from "../query/record-order.js";
import type { RecordPlace } from "../query/record-places.js";
import type { Extremes, FacetTally, RecordQuestion } from "../query/record-question.js";
import { extremesBody, isStepped, searchBody } from "../query/record-request.js";

/** What OpenSearch answers to what is asked here. */
interface AskedAnswer {
  readonly hits: { readonly total?: { readonly value: number }; readonly hits: readonly Hit[] };
  readonly aggregations?: Readonly<Record<string, FacetAnswer>>;
}

/** What the index says to a question. */
export interface RecordAnswer {
  /** All hits, exact. */
  readonly total: number;
  readonly places: readonly RecordPlace[];
  /** In the order of the facets that are counted. */
  readonly facets: readonly FacetTally[];
}

/** Total, page and facets. @throws BinderyError QUERY_TOO_COSTLY */
export async function askRecords(
  ask: AskIndex,
  question: RecordQuestion,
  context: CompileContext,
): Promise<RecordAnswer> {
  const { hits, aggregations } = await askOne(ask, question, searchBody(question, context));
  const counted = question.facets.filter(({ size }) => size > 0);
  return {
    total: hits.total?.value ?? 0,
    places: hits.hits.map((hit) => readPlace(hit, question.search)),
    facets: counted.map((facet, i) =>
      readTally(facet, aggregations?.[`f${i}`] ?? {}, question.wanted.get(facet.name) ?? { keys: [] }),
    ),
  };
}

/**
 * The numbers between which equal steps are made, by the names of facets; of those that no hit has a number of none.
 * @throws BinderyError QUERY_TOO_COSTLY
 */
export async function askExtremes(
  ask: AskIndex,
  question: RecordQuestion,
  context: CompileContext,
): Promise<ReadonlyMap<string, Extremes>> {
  const { aggregations } = await askOne(ask, question, extremesBody(question, context));
  const found = question.facets.filter(isStepped).flatMap((facet, i): [string, Extremes][] => {
    const extremes = readExtremes(aggregations?.[`f${i}`] ?? {});
    return extremes === undefined ? [] : [[facet.name, extremes]];
  });
  return new Map(found);
}

async function askOne(ask: AskIndex, { search }: RecordQuestion, body: object): Promise<AskedAnswer> {
  try {
    const [answer] = await ask([body as JsonObject]);
    return answer as unknown as AskedAnswer;
  } catch (error) {
    if (!(error instanceof SearchRefusal && TOO_MUCH.has(error.type))) throw error;
    throw fail("QUERY_TOO_COSTLY", { clause: describeClause(search.clause) }, error);
  }
}

/** The search was cancelled after its time, or it or its answer is larger than OpenSearch allows. */
const TOO_MUCH: ReadonlySet<string> = new Set([
  ...["task_cancelled_exception", "too_many_clauses", "too_many_nested_clauses", "too_many_buckets_exception"],
]);
