import type { FastifyInstance } from "fastify";
import type { Vocabulary } from "../../core/catalog/types.js";
import { recordsPart, termsPart } from "../../core/feed/feed.js";
import { TERM_TYPES } from "../../http/parameters/representation.js";
import { RESULT_TYPES } from "../../http/parameters/result-format.js";
import { readTermSearch } from "../../http/parameters/search-parameters.js";
import type { Query } from "../../http/parameters/url-encoding.js";
import type { TermSearchRequest } from "../../services/api/searches.js";
import { makeTermFacets } from "../../services/search/facets.js";
import {
  addPage,
  JSON_ONLY,
  type PageOptions,
  type PageRequest,
  publicParts,
  type Redirect,
} from "../answers/page-route.js";
import { termSearchPage, vocabulariesPage } from "../pages/term-search-page.js";
import { type TreeNode, termTreePage } from "../pages/term-tree-page.js";
import type { PageView } from "../parts/frame.js";
import { plainSorts } from "../views/choice-views.js";
import { excludingAddress } from "../views/facet-view.js";
import { parametersOfLinks, SearchAddress, withoutPageParameters, withShortPage } from "../views/page-addresses.js";
import { queryReading } from "../views/query-reading.js";
import { searchView } from "../views/search-view.js";
import { type TermView, termView } from "../views/term-view.js";
import { withoutHits } from "./explain-search.js";
import { searchLeniently } from "./lenient-search.js";
import { makeTerm } from "./term-page-route.js";
import { countWithin, PLAIN, termParts, vocabularyOf } from "./term-subject.js";

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

async function makeTermSearch(
  { services }: PageOptions,
  { actor, query: requestQuery, path }: PageRequest,
  vocabulary: Vocabulary,
  facetsOf: ReturnType<typeof makeTermFacets>,
): Promise<PageView | Redirect> {
  const facets = facetsOf(vocabulary.name);
  const search = async (each: Query) => {
    const parameters = withShortPage(readTermSearch(withoutPageParameters(each), vocabulary, facets));
    const { ids, request } = parameters;
    const isPlain = (request.q ?? "").trim() === "" && request.suggest === undefined;
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
  const here = SearchAddress.of(path, parametersOfLinks(query, parameters.carried));
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
    views: ["list", "tree"],
    more: warnings,
    refused,
    beyond,
  });
  const hits = answer.hits.map((hit) => ({
    ...termView(vocabulary, hit, lang),
    matched: hit.matched,
  }));
  return { ...termSearchPage({ ...view, vocabulary, hits }), ...publicParts(termParts(vocabulary), answer) };
}

/** Number of children of a term on one page. */
const CHILDREN_MAX = 100;

/** Returns the condition for the children of a term, or for the terms without a parent. */
const childrenOf = (parent: string | undefined): Partial<Pick<TermSearchRequest, "q" | "parent">> =>
  parent === undefined ? { q: "-_exists_:parent status:active" } : { parent };

async function makeTree(
  { services, catalog }: PageOptions,
  { actor, query: requestQuery, path }: PageRequest,
  vocabulary: Vocabulary,
): Promise<PageView> {
  const at = requestQuery.get("at")?.[0];
  const termAnswer = at === undefined ? undefined : await services.readTerm(vocabulary.name, at);
  const currentTerm = termAnswer?.kind === "found" ? termAnswer : undefined;
  const term = currentTerm && termView(vocabulary, currentTerm.term);
  const plainRequest = { ...PLAIN, vocabulary: vocabulary.name, sort: "title" };
  const readSiblings = async (current: TermView, parent: string | undefined): Promise<readonly TermView[]> => {
    const window = { page: 1, size: CHILDREN_MAX };
    const found = await services.searchTerms(actor, { ...plainRequest, ...childrenOf(parent), window });
    const views = found.hits.map((hit) => termView(vocabulary, hit));
    return views.some(({ id }) => id === current.id) ? views : [...views, current];
  };
  const { query, result, warnings } = await searchLeniently(requestQuery, (each) => {
    const window = { size: CHILDREN_MAX, cursor: each.get("cursor")?.[0] ?? "*" };
    return services.searchTerms(actor, { ...plainRequest, ...childrenOf(term?.id), window });
  });
  const { hits, total, next } = result;
  const lineage = [
    ...(currentTerm?.ancestors ?? []).map((ancestor) => termView(vocabulary, ancestor)),
    ...(term === undefined ? [] : [term]),
  ];
  const children = hits.map((hit) => termView(vocabulary, hit));
  const siblings = term === undefined ? [] : await readSiblings(term, lineage.at(-2)?.id);
  const { counts, ...freshness } = await countWithin(
    services,
    catalog,
    vocabulary,
    [...lineage, ...siblings, ...children].map(({ id }) => id),
  );
  const nodeOf = (each: TermView): TreeNode => ({ term: each, records: counts.get(each.id) });
  const more = next && String(SearchAddress.of(path, query).with("cursor", next));
  const page = termTreePage({
    warnings,
    vocabulary,
    path: lineage.map(nodeOf),
    siblings: siblings.map(nodeOf),
    children: children.map(nodeOf),
    total,
    isWhole: [...query.keys()].every((name) => name === "view"),
    more,
  });
  return { ...page, ...publicParts([...termParts(vocabulary), recordsPart()], result, freshness) };
}
