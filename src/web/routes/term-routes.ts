import type { FastifyInstance } from "fastify";
import type { Vocabulary } from "../../core/catalog/types.js";
import { termsPart } from "../../core/feed/feed.js";
import { TERM_TYPES } from "../../http/parameters/representation.js";
import { RESULT_TYPES } from "../../http/parameters/result-format.js";
import { readTermSearch } from "../../http/parameters/search-parameters.js";
import type { Query } from "../../http/parameters/url-encoding.js";
import { makeTermFacets } from "../../services/search/facets.js";
import {
  addPage,
  JSON_ONLY,
  type PageOptions,
  type PageRedirect,
  type PageRequest,
  publicParts,
} from "../answers/page-route.js";
import { termSearchPage, vocabulariesPage } from "../pages/term-search-page.js";
import type { PageView } from "../parts/frame.js";
import { plainSorts } from "../views/choice-views.js";
import { excludingAddress } from "../views/facet-view.js";
import { noteUnknownChoice } from "../views/look.js";
import {
  parametersOfLinks,
  SearchAddress,
  TERM_PAGE_PARAMETER_NAMES,
  withoutEndlessQuery,
  withoutTermPageParameters,
  withShortPage,
} from "../views/page-addresses.js";
import { queryReading } from "../views/query-reading.js";
import { type Choice, searchView } from "../views/search-view.js";
import { termView } from "../views/term-view.js";
import { withoutHits } from "./explain-search.js";
import { searchLeniently } from "./lenient-search.js";
import { makeTerm, termParts, vocabularyOf } from "./term-page-route.js";
import { makeTree } from "./term-tree-route.js";

/** Adds the pages of vocabularies and their terms. */
export function addTermPages(app: FastifyInstance, options: PageOptions): void {
  const { services, catalog } = options;
  const facetsOf = makeTermFacets(catalog);
  addPage(app, options, {
    url: "/vocabularies",
    data: JSON_ONLY,
    make: async () => ({ ...vocabulariesPage(await services.listVocabularies()), parts: [termsPart()] }),
  });
  addPage(app, options, {
    url: "/vocabularies/:vocabulary",
    isSearch: true,
    data: RESULT_TYPES.terms,
    make: (request) => {
      const vocabulary = vocabularyOf(catalog, request);
      const isTree = vocabulary.hierarchy && request.query.get("view")?.[0] === "tree";
      return isTree ? makeTree(options, request, vocabulary) : makeTermSearch(options, request, vocabulary, facetsOf);
    },
  });
  addPage(app, options, {
    url: "/vocabularies/:vocabulary/:id",
    isSearch: true,
    data: TERM_TYPES,
    make: (request) => makeTerm(options, request),
  });
}

const isTermPageParameter = (name: string): boolean => TERM_PAGE_PARAMETER_NAMES.includes(name);

const TERM_VIEWS = ["list", "tree"];

async function makeTermSearch(
  { services }: PageOptions,
  { actor, query: requestQuery, path }: PageRequest,
  vocabulary: Vocabulary,
  facetsOf: ReturnType<typeof makeTermFacets>,
): Promise<PageView | PageRedirect> {
  const facets = facetsOf(vocabulary.name);
  const search = async (each: Query) => {
    const parameters = withShortPage(
      readTermSearch(withoutTermPageParameters(each), vocabulary, facets, TERM_PAGE_PARAMETER_NAMES),
    );
    const { ids, request } = parameters;
    const isPlain = (request.q ?? "").trim().replace(STATUS, "") === "" && request.suggest === undefined;
    const sort = request.sort ?? (isPlain ? "mostcited" : undefined);
    const answer = await (ids === undefined
      ? services.searchTerms(actor, { ...request, ...(sort === undefined ? {} : { sort }), mayBeBehind: true })
      : services.fetchTerms(vocabulary.name, ids));
    return { parameters, answer };
  };
  const excluding = excludingAddress(facets, path, requestQuery);
  if (excluding !== undefined) return { status: 302, to: String(excluding) };
  const { query, result, warnings, refused, beyond } = await searchLeniently(requestQuery, search);
  const { parameters } = result;
  const answer = refused === undefined ? result.answer : withoutHits(result.answer);
  const { request } = parameters;
  const { q = "", lang } = request;
  const linkParameters = parametersOfLinks(query, parameters.carried, isTermPageParameter);
  const here = withoutEndlessQuery(SearchAddress.of(path, linkParameters), refused);
  const text =
    q === "" ? undefined : await services.readQueryText({ q, totals: false, vocabulary: vocabulary.name, lang });
  const view = searchView({
    reading: queryReading(text?.answer.parts ?? [], here, vocabulary.units),
    units: vocabulary.units,
    scope: [["vocabulary", vocabulary.name]],
    address: here,
    parameters,
    answer,
    facets,
    facetOrder: { first: facets.map(({ name }) => name) },
    sorts: plainSorts(["bestmatch", "mostcited", "title", "newest"], answer.sortBy),
    views: TERM_VIEWS,
    more: [...warnings, ...noteUnknownChoice(query, "view", TERM_VIEWS)],
    refused,
    beyond,
  });
  const hits = answer.hits.map((hit) => ({
    ...termView(vocabulary, hit, lang),
    matched: hit.matched,
  }));
  const statuses = statusChoices(here, q, vocabulary);
  return { ...termSearchPage({ ...view, vocabulary, hits, statuses }), ...publicParts(termParts(vocabulary), answer) };
}

/** Condition that a choice of a status adds to a query. The groups are the query without it, and the status. */
const STATUS = /^(?:\((.+)\) AND )?status:(active|deprecated)$/;

/** Returns the choices of a status: all terms, active ones, withdrawn ones, and those that wait for a curator. */
function statusChoices(here: SearchAddress, q: string, { extensible }: Vocabulary): readonly Choice[] {
  const [, group = "", status] = STATUS.exec(q.trim()) ?? [undefined, q];
  const isUnconfirmed = here.pairs.some(([name, value]) => name === "confirmed" && value === "false");
  const current = isUnconfirmed ? "unconfirmed" : (status ?? "any");
  const all = here.with("confirmed", undefined);
  const choiceOf = (name: string, address: SearchAddress): Choice => ({
    name,
    page: String(address),
    isCurrent: name === current,
  });
  const withStatus = (name: string): Choice =>
    choiceOf(name, all.with("q", group === "" ? `status:${name}` : `(${group}) AND status:${name}`));
  return [
    choiceOf("any", all.with("q", group)),
    withStatus("active"),
    withStatus("deprecated"),
    ...(extensible ? [choiceOf("unconfirmed", here.with("q", group).with("confirmed", "false"))] : []),
  ];
}
