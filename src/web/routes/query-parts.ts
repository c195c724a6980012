import type { Actor } from "../../core/actor.js";
import type { Warning } from "../../core/issue.js";
import type { SearchParameters } from "../../http/parameters/search-parameters.js";
import type {
  QueryPart,
  QueryTextAnswer,
  RecordSearchRequest,
  SearchAnswer,
} from "../../services/api/search-services.js";
import type { Services } from "../../services/api/services.js";
import type { PageOptions } from "../answers/page-route.js";
import type { MeantView, OfferedUnit, PartView, UnitsNeeded } from "../pages/search-page.js";
import type { SearchAddress } from "../views/address-of-search.js";
import { drawHits } from "./structures.js";

const isUnitMissing = ({ code }: Pick<Warning, "code">): boolean => code === "QUERY_UNIT_MISSING";

/**
 * Removes the hits of a search that compares a quantity with a number without a unit, because a page asks for the unit
 * in their place. The API compares such numbers as they were entered.
 */
export function withoutHits<Hit>(found: SearchAnswer<Hit>): SearchAnswer<Hit> {
  const { aggregations: _counts, next: _next, query, warnings, ...rest } = found;
  return {
    ...rest,
    query: { parsed: query.parsed, fallback: query.fallback },
    hits: [],
    total: 0,
    warnings: warnings.filter((warning) => !isUnitMissing(warning)),
  };
}

interface Searched {
  readonly actor: Actor;
  readonly parameters: SearchParameters<RecordSearchRequest>;
  readonly found: SearchAnswer<unknown>;
  readonly model: string | undefined;
}

interface ReadParts {
  readonly parts: readonly PartView[];
  /** Other queries, by the message of the warning that they are for. */
  readonly cures: ReadonlyMap<string, NonNullable<QueryTextAnswer["warnings"][number]["cures"]>>;
  /** Fields whose numbers lack a unit, each with links to the searches with a unit. The page asks for it: no hits. */
  readonly unitsNeeded: readonly UnitsNeeded[];
  /** May the same query be read otherwise though nothing was published? */
  readonly isUnsettled: boolean;
}

/** A query that finds nothing, or that was not read as it was written, part by part: what to search for instead. */
export async function readParts(services: Services, address: SearchAddress, searched: Searched): Promise<ReadParts> {
  const { parameters, found, model } = searched;
  const { q = "" } = parameters.request;
  if (q === "" || (found.total > 0 && found.warnings.length === 0)) return NOTHING_READ;
  const scope = { ...(model === undefined ? {} : { model }), lang: parameters.request.lang };
  // What the index has not followed yet is not counted.
  const totals = found.total === 0 && found.behind === undefined && !found.warnings.some(isUnitMissing);
  const { answer, isUnsettled } = await services.readQueryText({ q, totals, ...scope });
  const asked = questionsIn(answer.warnings);
  const counted = await countOffers(services, asked, searched);
  return {
    parts: found.total === 0 && asked.length === 0 ? partViews(answer.parts, address) : [],
    unitsNeeded: unitsFor(asked, counted.totals, address),
    cures: new Map(answer.warnings.map(({ message, cures = [] }) => [message, cures])),
    isUnsettled: isUnsettled || counted.isUnsettled,
  };
}

/** A field whose numbers lack a unit, and the queries with each unit. */
interface UnitQuestion {
  readonly field: string;
  readonly offers: readonly { readonly unit: string; readonly q: string }[];
}

/** Returns the fields whose numbers lack a unit. Empty if no field has a unit to offer: then the hits are shown. */
function questionsIn(warnings: QueryTextAnswer["warnings"]): readonly UnitQuestion[] {
  const questions = new Map<string, UnitQuestion>();
  for (const { value, cures = [] } of warnings.filter(isUnitMissing)) {
    const offers = cures.flatMap(({ unit, q }) => (unit === undefined ? [] : [{ unit, q }]));
    // Two spellings of one field (`kd:<5 K_D:>1`) are one question.
    const key = JSON.stringify(offers);
    if (offers.length > 0 && !questions.has(key)) questions.set(key, { field: String(value), offers });
  }
  return [...questions.values()];
}

type Counted = Awaited<ReturnType<Services["countRecords"]>>;

/**
 * Counts the hits with each offered unit, in one call. Counts nothing if numbers of several fields lack a unit: the
 * numbers of the other fields would be compared as entered, so the counts would mislead.
 */
async function countOffers(
  services: Services,
  questions: readonly UnitQuestion[],
  { actor, parameters, found }: Searched,
): Promise<Counted> {
  const [question, ...others] = questions;
  const mayCount = others.length === 0 && found.behind === undefined;
  if (question === undefined || !mayCount) return { totals: [], isUnsettled: false };
  const queries = question.offers.map(({ q }) => q);
  return services.countRecords(actor, parameters.request, queries);
}

function unitsFor(
  questions: readonly UnitQuestion[],
  totals: Counted["totals"],
  address: SearchAddress,
): readonly UnitsNeeded[] {
  return questions.map(({ field, offers }) => {
    const units = offers.map(({ unit, q }, i): OfferedUnit => {
      const total = totals[i];
      return { unit, page: String(address.with("q", q)), ...(total === undefined ? {} : { total }) };
    });
    const isEmpty = ({ total }: OfferedUnit): boolean => total === 0;
    return { field, units: [...units.filter((each) => !isEmpty(each)), ...units.filter(isEmpty)] };
  });
}

const NOTHING_READ: ReadParts = { parts: [], unitsNeeded: [], cures: new Map(), isUnsettled: false };

/** Records that are shown where a query finds nothing, but one that may have been meant does. */
const MEANT_SHOWN = 5;

/** What the first of the queries finds that may have been meant. */
export async function findMeant(
  options: PageOptions,
  actor: Actor,
  { found, request }: { readonly found: SearchAnswer<unknown>; readonly request: RecordSearchRequest },
): Promise<{ readonly view?: MeantView; readonly isUnsettled: boolean; readonly behind?: number }> {
  const { services, catalog } = options;
  const [q] = found.query.suggestions ?? [];
  if (found.total > 0 || q === undefined) return { isUnsettled: false };
  const asked = {
    ...request,
    q,
    window: { page: 1, size: MEANT_SHOWN },
    facetSize: 0,
    highlight: true,
    beginnings: true,
    mayBeBehind: true,
  };
  const { hits, total, isUnsettled = false, behind } = await services.searchRecords(actor, asked);
  const views = hits.map((hit) => options.hitView(hit));
  const view = { q, total, hits: await drawHits(services, catalog, views) };
  return { view, isUnsettled, ...(behind === undefined ? {} : { behind }) };
}

/** The parts that must all be found; nothing where some are alternatives. */
function partViews(parts: readonly QueryPart[], address: SearchAddress): readonly PartView[] {
  if (parts.some(({ operator }) => operator !== undefined && operator !== "AND")) return [];
  return parts.flatMap(({ text, total, without }) =>
    without === undefined
      ? []
      : [{ text, without: String(address.with("q", without)), ...(total === undefined ? {} : { total }) }],
  );
}
