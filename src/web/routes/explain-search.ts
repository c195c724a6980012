import type { Actor } from "../../core/actor.js";
import type { QueryPart, QueryText as QueryTextAnswer } from "../../core/answers/query-text.js";
import type { Warning } from "../../core/issue.js";
import type { SearchParameters } from "../../http/parameters/search-parameters.js";
import type { RecordSearchRequest, SearchAnswer } from "../../services/api/searches.js";
import type { Services } from "../../services/use-cases.js";
import type { PageOptions } from "../answers/page-route.js";
import type { OfferedUnit, PartView, SuggestedView, UnitsNeeded } from "../pages/search-page.js";
import type { SearchAddress } from "../views/page-addresses.js";
import { addPictures } from "./structure-addresses.js";

const isUnitMissing = ({ code }: Pick<Warning, "code">): boolean => code === "QUERY_UNIT_MISSING";

/**
 * Removes the hits of an answer that a page does not show: the text is no query, or a number lacks its unit, for which
 * the page asks in their place. The API compares such numbers as they were entered.
 */
export function withoutHits<Hit>(answer: SearchAnswer<Hit>): SearchAnswer<Hit> {
  const { aggregations: _counts, next: _next, query, warnings, ...rest } = answer;
  return {
    ...rest,
    query: { parsed: query.parsed, fallback: query.fallback },
    hits: [],
    total: 0,
    warnings: warnings.filter((warning) => !isUnitMissing(warning)),
  };
}

/** A search with its answer. */
interface AnsweredSearch<Hit = unknown> {
  readonly actor: Actor;
  readonly parameters: SearchParameters<RecordSearchRequest>;
  readonly answer: SearchAnswer<Hit>;
  readonly model: string | undefined;
}

/**
 * Explains a search and finds the hits of a suggested query. Removes hits that the page does not show.
 * @param refused text that is no query; see `searchLeniently`
 */
export async function explainSearch<Hit>(
  options: PageOptions,
  address: SearchAddress,
  search: AnsweredSearch<Hit>,
  refused: string | undefined,
): Promise<ExplainedSearch<Hit>> {
  const { actor, answer, parameters } = search;
  const [explanation, suggested] = await Promise.all([
    explainQuery(options.services, address, search),
    refused === undefined ? findSuggested(options, actor, answer, parameters.request) : NOT_SUGGESTED,
  ]);
  const showsHits = explanation.unitsNeeded.length === 0 && refused === undefined;
  return showsHits
    ? { answer, explanation, suggested }
    : { answer: withoutHits(answer), explanation, suggested: NOT_SUGGESTED };
}

interface ExplainedSearch<Hit> {
  readonly answer: SearchAnswer<Hit>;
  readonly explanation: QueryExplanation;
  readonly suggested: SuggestedHits;
}

/** Explanation of a query and suggestions to change it. */
interface QueryExplanation {
  /** Parts of the query with their numbers of hits. Empty if the query has hits. */
  readonly parts: readonly PartView[];
  /** Corrected queries, by the message of a warning. */
  readonly cures: ReadonlyMap<string, NonNullable<QueryTextAnswer["warnings"][number]["cures"]>>;
  /** Fields whose numbers lack a unit, with links to searches with each unit. The page shows them instead of hits. */
  readonly unitsNeeded: readonly UnitsNeeded[];
  /** Whether the explanation may change although nothing is published. */
  readonly isUnsettled: boolean;
}

/** Explains a query that has no hits or a warning. */
async function explainQuery(
  services: Services,
  address: SearchAddress,
  search: AnsweredSearch,
): Promise<QueryExplanation> {
  const { parameters, answer, model } = search;
  const { q = "" } = parameters.request;
  if (q === "" || (answer.total > 0 && answer.warnings.length === 0)) return NO_EXPLANATION;
  const scope = { model, lang: parameters.request.lang };
  // If the index is behind, counts of the parts would not fit the hits.
  const totals = answer.total === 0 && answer.behind === undefined && !answer.warnings.some(isUnitMissing);
  const { answer: text, isUnsettled } = await services.readQueryText({ q, totals, ...scope });
  const questions = unitQuestions(text.warnings);
  const counts = await countOffers(services, questions, search);
  return {
    parts: answer.total === 0 && questions.length === 0 ? partViews(text.parts, address) : [],
    unitsNeeded: unitsFor(questions, counts.totals, address),
    cures: new Map(text.warnings.map(({ message, cures = [] }) => [message, cures])),
    isUnsettled: isUnsettled || counts.isUnsettled,
  };
}

/** A field whose numbers lack a unit, with the queries for each unit. */
interface UnitQuestion {
  readonly field: string;
  readonly offers: readonly { readonly unit: string; readonly q: string }[];
}

/** Returns the fields whose numbers lack a unit, without those that have no unit to offer. */
function unitQuestions(warnings: QueryTextAnswer["warnings"]): readonly UnitQuestion[] {
  const questions = new Map<string, UnitQuestion>();
  for (const { value, cures = [] } of warnings.filter(isUnitMissing)) {
    const offers = cures.flatMap(({ unit, q }) => (unit === undefined ? [] : [{ unit, q }]));
    // Two spellings of one field (`kd:<5 K_D:>1`) are one question.
    const key = JSON.stringify(offers);
    if (offers.length > 0 && !questions.has(key)) questions.set(key, { field: String(value), offers });
  }
  return [...questions.values()];
}

type OfferCounts = Awaited<ReturnType<Services["countRecords"]>>;

/**
 * Counts the hits with each offered unit, in one call. Counts nothing if numbers of several fields lack a unit: the
 * numbers of the other fields would be compared as entered, so the counts would mislead.
 */
async function countOffers(
  services: Services,
  questions: readonly UnitQuestion[],
  { actor, parameters, answer }: AnsweredSearch,
): Promise<OfferCounts> {
  const [question] = questions;
  const mayCount = questions.length === 1 && answer.behind === undefined;
  if (question === undefined || !mayCount) return { totals: [], isUnsettled: false };
  const queries = question.offers.map(({ q }) => q);
  return services.countRecords(actor, parameters.request, queries);
}

/** Returns the units of each field. Units without hits come last. */
function unitsFor(
  questions: readonly UnitQuestion[],
  totals: OfferCounts["totals"],
  address: SearchAddress,
): readonly UnitsNeeded[] {
  return questions.map(({ field, offers }) => {
    const units = offers.map(
      ({ unit, q }, i): OfferedUnit => ({ unit, page: String(address.with("q", q)), total: totals[i] }),
    );
    const isEmpty = ({ total }: OfferedUnit): boolean => total === 0;
    return { field, units: [...units.filter((each) => !isEmpty(each)), ...units.filter(isEmpty)] };
  });
}

const NO_EXPLANATION: QueryExplanation = { parts: [], unitsNeeded: [], cures: new Map(), isUnsettled: false };

/** Number of hits shown for a suggested query. */
const SUGGESTED_HITS = 5;

/** Hits of a suggested query. */
interface SuggestedHits {
  /** Undefined if nothing is suggested. */
  readonly view?: SuggestedView;
  readonly isUnsettled: boolean;
  readonly behind?: number | undefined;
}

const NOT_SUGGESTED: SuggestedHits = { isUnsettled: false };

/** Returns the hits of the first suggested query if a search has no hits. */
async function findSuggested(
  options: PageOptions,
  actor: Actor,
  answer: SearchAnswer<unknown>,
  request: RecordSearchRequest,
): Promise<SuggestedHits> {
  const { services, catalog } = options;
  const [q] = answer.query.suggestions ?? [];
  if (answer.total > 0 || q === undefined) return NOT_SUGGESTED;
  const suggestedRequest = {
    ...request,
    q,
    window: { page: 1, size: SUGGESTED_HITS },
    facetSize: 0,
    highlight: true,
    beginnings: true,
    mayBeBehind: true,
  };
  const { hits, total, isUnsettled = false, behind } = await services.searchRecords(actor, suggestedRequest);
  const views = hits.map((hit) => options.hitView(hit));
  const view = { q, total, hits: await addPictures(services, catalog, views) };
  return { view, isUnsettled, behind };
}

/** Returns the parts of a query with links to the query without each part. Empty if some parts are alternatives. */
function partViews(parts: readonly QueryPart[], address: SearchAddress): readonly PartView[] {
  if (parts.some(({ operator }) => operator !== undefined && operator !== "AND")) return [];
  return parts.flatMap(({ text, total, without }) =>
    without === undefined ? [] : [{ text, without: String(address.with("q", without)), total }],
  );
}
