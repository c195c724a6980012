import type { Actor } from "../../core/actor.js";
import type { QueryPart, QueryText as QueryTextAnswer } from "../../core/answers/query-text.js";
import type { Warning } from "../../core/issue.js";
import type { Units } from "../../core/units/units.js";
import type { SearchParameters } from "../../http/parameters/search-parameters.js";
import type { RecordSearchRequest, SearchAnswer } from "../../services/api/searches.js";
import type { Services } from "../../services/use-cases.js";
import type { PageOptions } from "../answers/page-route.js";
import { partText } from "../notation/query-parts.js";
import { plainText } from "../notation/rich-text.js";
import { shownUnits, unitLabel } from "../notation/unit-choice.js";
import type { OfferedUnit, PartView, SuggestedView, UnitsNeeded } from "../pages/search-page.js";
import type { SearchAddress } from "../views/page-addresses.js";
import { queryReading, type ReadingPart } from "../views/query-reading.js";
import { addPictures } from "./structure-addresses.js";

const isUnitMissing = ({ code }: Pick<Warning, "code">): boolean => code === "QUERY_UNIT_MISSING";

/**
 * Removes the hits of an answer that a page does not show, because the text is no query, or because a number lacks its
 * unit and the page asks for the unit instead. The API compares such numbers as they were entered.
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
  readonly units: Units | undefined;
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
  /** The query as it was read. Empty if it is only words. */
  readonly reading: readonly ReadingPart[];
  /** Parts of a query without hits, with the searches without each part. */
  readonly parts: readonly PartView[];
  /** Corrected queries, by the message of a warning. */
  readonly cures: ReadonlyMap<string, NonNullable<QueryTextAnswer["warnings"][number]["cures"]>>;
  /** Fields whose numbers lack a unit, with links to searches with each unit. The page shows them instead of hits. */
  readonly unitsNeeded: readonly UnitsNeeded[];
  /** Whether the explanation may change although nothing is published. */
  readonly isUnsettled: boolean;
}

/** Explains a query. */
async function explainQuery(
  services: Services,
  address: SearchAddress,
  search: AnsweredSearch,
): Promise<QueryExplanation> {
  const { parameters, answer, model, units } = search;
  const { q = "" } = parameters.request;
  if (q === "") return NO_EXPLANATION;
  const scope = { model, lang: parameters.request.lang };
  const { answer: text, isUnsettled } = await services.readQueryText({ q, totals: false, ...scope });
  const questions = unitQuestions(text.warnings, units);
  const removals = answer.total === 0 && questions.length === 0 ? removableParts(text.parts) : [];
  const queries = [...offerQueries(questions), ...removals.map(({ without }) => without)];
  const counts = await countQueries(services, queries, search);
  return {
    reading: queryReading(text.parts, address, units),
    parts: removals.map((part) => ({
      text: partText(part),
      page: String(address.with("q", part.without)),
      total: counts.totals.get(part.without),
    })),
    unitsNeeded: questions.map(({ field, offers }) => ({ field, units: offeredUnits(offers, counts, address, units) })),
    cures: new Map(text.warnings.map(({ message, cures = [] }) => [message, cures])),
    isUnsettled: isUnsettled || counts.isUnsettled,
  };
}

/** A field whose numbers lack a unit. */
interface UnitQuestion {
  readonly field: string;
  readonly offers: readonly UnitOffer[];
}

interface UnitOffer {
  readonly unit: string;
  /** The query with the unit. */
  readonly q: string;
  /** Query for the records whose numbers pages show in this unit. Absent if its size decides nothing. */
  readonly usage: string | undefined;
}

/** Returns the fields whose numbers lack a unit, without those that have no unit to offer. */
function unitQuestions(warnings: QueryTextAnswer["warnings"], units: Units | undefined): readonly UnitQuestion[] {
  const questions = new Map<string, UnitQuestion>();
  for (const { value, cures = [] } of warnings.filter(isUnitMissing)) {
    const field = String(value);
    const offers = cures.flatMap(({ unit, q }): readonly UnitOffer[] => {
      if (unit === undefined) return [];
      const hasScale = units !== undefined && shownUnits(units, unit).length > 1;
      return [{ unit, q, usage: hasScale ? `${field}:[1${unit} TO 1000${unit}}` : undefined }];
    });
    // Two spellings of one field (`kd:<5 K_D:>1`) are one question.
    const key = JSON.stringify(offers.map(({ q }) => q));
    if (offers.length > 0 && !questions.has(key)) questions.set(key, { field, offers });
  }
  return [...questions.values()];
}

/**
 * Returns the queries to count for the units of a field. None if numbers of several fields lack a unit: the numbers of
 * the other fields would be compared as entered, so the counts would mislead.
 */
function offerQueries([question, ...others]: readonly UnitQuestion[]): readonly string[] {
  if (question === undefined || others.length > 0) return [];
  return question.offers.flatMap(({ q, usage }) => (usage === undefined ? [q] : [q, usage]));
}

interface QueryCounts {
  /** Numbers of hits by query. Empty if nothing was counted. */
  readonly totals: ReadonlyMap<string, number | undefined>;
  readonly isUnsettled: boolean;
}

/** Counts the hits of queries with the filters of a search, unless the index is behind the hits. */
async function countQueries(
  services: Services,
  queries: readonly string[],
  { actor, parameters, answer }: AnsweredSearch,
): Promise<QueryCounts> {
  if (queries.length === 0 || answer.behind !== undefined) return { totals: new Map(), isUnsettled: false };
  const { totals, isUnsettled } = await services.countRecords(actor, parameters.request, queries);
  return { totals: new Map(queries.map((query, i) => [query, totals[i]])), isUnsettled };
}

/** Returns the offered units: the commonest first, and those without hits last. */
function offeredUnits(
  offers: readonly UnitOffer[],
  { totals }: QueryCounts,
  address: SearchAddress,
  units: Units | undefined,
): readonly OfferedUnit[] {
  const ranked = offers.map(({ unit, q, usage }) => {
    const [shown] = units === undefined ? [] : shownUnits(units, unit);
    const use = usage === undefined ? Number(shown?.unit.name === unit) : (totals.get(usage) ?? 0);
    const total = totals.get(q);
    const view: OfferedUnit = { unit: plainText(unitLabel(units, unit)), page: String(address.with("q", q)), total };
    return { view, rank: total === 0 ? -1 : use };
  });
  return ranked.sort((a, b) => b.rank - a.rank).map(({ view }) => view);
}

const NO_EXPLANATION: QueryExplanation = {
  reading: [],
  parts: [],
  unitsNeeded: [],
  cures: new Map(),
  isUnsettled: false,
};

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

type RemovablePart = QueryPart & { readonly without: string };

/** Returns the parts without which a query can be searched. Empty if some parts are alternatives. */
function removableParts(parts: readonly QueryPart[]): readonly RemovablePart[] {
  if (parts.some(({ operator }) => operator !== undefined && operator !== "AND")) return [];
  return parts.filter((part): part is RemovablePart => part.without !== undefined);
}
