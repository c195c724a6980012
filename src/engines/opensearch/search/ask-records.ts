import { fail } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import type { CountedFacet } from "../../../query/facets/declared-facets.js";
import { describeClause } from "../../../query/index-model/clause.js";
import type { AskIndex as Ask } from "../../separate-index/driver/index-driver.js";
import type { RecordPlace } from "../../separate-index/overlay/record-places.js";
import { isTooCostly } from "../connection/map-error.js";
import type { SearchAnswer } from "../connection/multi-search.js";
import { type Extremes, type FacetAnswer, type FacetTally, readExtremes } from "../facets/counters.js";
import type { CompileContext } from "../query/compile-query.js";
import { isCut, readTally } from "../query/facet-aggregations.js";
import {
  extremesBody,
  type Hit,
  needsEdges,
  type RecordQuestion,
  readPlace,
  searchBody,
  treeBodies,
} from "../query/record-request.js";

type AskIndex = Ask<SearchAnswer>;

/** An answer of OpenSearch to a request of this file. */
interface RecordSearchAnswer {
  readonly hits: { readonly total?: { readonly value: number }; readonly hits: readonly Hit[] };
  readonly aggregations?: Readonly<Record<string, FacetAnswer>>;
}

/** Answer of the index to a question. */
export interface RecordAnswer {
  /** Number of all hits, exact. */
  readonly total: number;
  readonly places: readonly RecordPlace[];
  /** In the order of the counted facets. */
  readonly facets: readonly FacetTally[];
}

/** Requests total, page and facets. @throws BinderyError QUERY_TOO_COSTLY */
export async function askRecords(
  ask: AskIndex,
  question: RecordQuestion,
  context: CompileContext,
): Promise<RecordAnswer> {
  const { hits, aggregations } = await askOne(ask, question, searchBody(question, context));
  const countedFacets = question.facets.filter(({ size }) => size > 0);
  const facets = countedFacets.map(async (facet, i) => {
    const answer = aggregations?.[`f${i}`] ?? {};
    const completeAnswer = isCut(facet, answer, context)
      ? { ...answer, keys: await askAllKeys(ask, question, facet, context) }
      : answer;
    return readTally(facet, completeAnswer, question.wanted.get(facet.name) ?? { keys: [] });
  });
  return {
    total: hits.total?.value ?? 0,
    places: hits.hits.map((hit) => readPlace(hit, question.search)),
    facets: await Promise.all(facets),
  };
}

/** Requests all buckets of a facet that has more than fit into one answer, in several parts. */
async function askAllKeys(
  ask: AskIndex,
  question: RecordQuestion,
  facet: CountedFacet,
  context: CompileContext,
): Promise<NonNullable<FacetAnswer["keys"]>> {
  for (let parts = 2; ; parts *= 2) {
    const answers = await askAll(ask, question, treeBodies(question, facet, parts, context));
    const answersByPart = answers.map(({ aggregations }) => aggregations?.f0 ?? {});
    if (answersByPart.some((answer) => isCut(facet, answer, context))) continue;
    return { buckets: answersByPart.flatMap(({ keys }) => keys?.buckets ?? []), sum_other_doc_count: 0 };
  }
}

/**
 * Requests the numbers that determine the edges of equal steps, by the names of facets. Facets without a number in any
 * hit are left out.
 * @throws BinderyError QUERY_TOO_COSTLY
 */
export async function askExtremes(
  ask: AskIndex,
  question: RecordQuestion,
  context: CompileContext,
): Promise<ReadonlyMap<string, Extremes>> {
  const { aggregations } = await askOne(ask, question, extremesBody(question, context));
  const extremesByFacet = question.facets.filter(needsEdges).flatMap((facet, i): [string, Extremes][] => {
    const extremes = readExtremes(aggregations?.[`f${i}`] ?? {});
    return extremes === undefined ? [] : [[facet.name, extremes]];
  });
  return new Map(extremesByFacet);
}

async function askOne(ask: AskIndex, question: RecordQuestion, body: object): Promise<RecordSearchAnswer> {
  return (await askAll(ask, question, [body]))[0]!;
}

async function askAll(
  ask: AskIndex,
  { search }: RecordQuestion,
  bodies: readonly object[],
): Promise<readonly RecordSearchAnswer[]> {
  try {
    return (await ask(bodies as readonly JsonObject[])) as unknown as readonly RecordSearchAnswer[];
  } catch (error) {
    if (!isTooCostly(error)) throw error;
    throw fail("QUERY_TOO_COSTLY", { clause: describeClause(search.clause) }, error);
  }
}
