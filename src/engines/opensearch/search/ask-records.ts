import { fail } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { describeClause } from "../../../query/resolve/describe-clause.js";
import { isTooCostly } from "../connection/map-error.js";
import type { AskIndex } from "../connection/multi-search.js";
import type { CompileContext } from "../query/compile-query.js";
import { type FacetAnswer, isCut, readExtremes, readTally } from "../query/facet-aggregations.js";
import { type Hit, readPlace } from "../query/record-order.js";
import type { RecordPlace } from "../query/record-places.js";
import type { Extremes, FacetTally, RecordQuestion } from "../query/record-question.js";
import { extremesBody, isStepped, searchBody, treeBodies } from "../query/record-request.js";

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
  const facets = counted.map(async (facet, i) => {
    const answer = aggregations?.[`f${i}`] ?? {};
    const whole = isCut(facet, answer, context)
      ? { ...answer, keys: await askAllKeys(ask, question, facet, context) }
      : answer;
    return readTally(facet, whole, question.wanted.get(facet.name) ?? { keys: [] });
  });
  return {
    total: hits.total?.value ?? 0,
    places: hits.hits.map((hit) => readPlace(hit, question.search)),
    facets: await Promise.all(facets),
  };
}

/** All buckets of a facet that has more than one answer can, in as many answers as they take. */
async function askAllKeys(
  ask: AskIndex,
  question: RecordQuestion,
  facet: CountedFacet,
  context: CompileContext,
): Promise<NonNullable<FacetAnswer["keys"]>> {
  for (let parts = 2; ; parts *= 2) {
    const answers = await askAll(ask, question, treeBodies(question, facet, parts, context));
    const found = answers.map(({ aggregations }) => aggregations?.f0 ?? {});
    if (found.some((answer) => isCut(facet, answer, context))) continue;
    return { buckets: found.flatMap(({ keys }) => keys?.buckets ?? []), sum_other_doc_count: 0 };
  }
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

async function askOne(ask: AskIndex, question: RecordQuestion, body: object): Promise<AskedAnswer> {
  return (await askAll(ask, question, [body]))[0]!;
}

async function askAll(
  ask: AskIndex,
  { search }: RecordQuestion,
  bodies: readonly object[],
): Promise<readonly AskedAnswer[]> {
  try {
    return (await ask(bodies as readonly JsonObject[])) as unknown as readonly AskedAnswer[];
  } catch (error) {
    if (!isTooCostly(error)) throw error;
    throw fail("QUERY_TOO_COSTLY", { clause: describeClause(search.clause) }, error);
  }
}
