import type { FastifyInstance } from "fastify";
import { ANONYMOUS } from "../../core/actor.js";
import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import { citationsPart, type PublicPart, recordsPart, termsPart } from "../../core/feed/feed.js";
import type { Titles } from "../../core/term.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import type { Query } from "../../http/parameters/query-string.js";
import { TERM_TYPES } from "../../http/parameters/representation.js";
import { RESULT_TYPES } from "../../http/parameters/result-format.js";
import { readTermSearch } from "../../http/parameters/search-parameters.js";
import type { SearchAnswer, TermHit } from "../../services/api/search-services.js";
import type { Services } from "../../services/api/services.js";
import { makeTermFacets } from "../../services/search/facets.js";
import { addPage, JSON_ONLY, type Move, type PageOptions, type PageRequest, partsOf } from "../answers/page-route.js";
import { type Cited, termPage, termSearchPage, vocabulariesPage } from "../pages/term-pages.js";
import { type TreeNode, termTreePage } from "../pages/term-tree-page.js";
import type { PageView } from "../parts/frame.js";
import { SearchAddress } from "../views/address-of-search.js";
import { plainSorts } from "../views/choice-views.js";
import { address, citationsPath, termPath } from "../views/paths.js";
import { searchView } from "../views/search-view.js";
import { termView } from "../views/term-view.js";
import { parametersOfLinks, withoutPageParameters, withShortPage } from "../views/view-parameters.js";
import { searchLeniently } from "./lenient-search.js";
import { withoutHits } from "./query-parts.js";
import { drawHits } from "./structures.js";
import { readTermOf, vocabularyOf } from "./term-of-page.js";

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
  { actor, query: sent, path }: PageRequest,
  vocabulary: Vocabulary,
  facetsOf: ReturnType<typeof makeTermFacets>,
): Promise<PageView> {
  const facets = facetsOf(vocabulary.name);
  const search = async (each: Query) => {
    const parameters = withShortPage(readTermSearch(withoutPageParameters(each), vocabulary, facets));
    const { ids, request } = parameters;
    const answer = await (ids === undefined
      ? services.searchTerms(actor, { ...request, mayBeBehind: true })
      : services.fetchTerms(vocabulary.name, ids));
    return { parameters, answer };
  };
  const searched = await searchLeniently(sent, search);
  const { query, warnings, refused, beyond } = searched;
  const { parameters, answer } = searched.found;
  const found = refused === undefined ? answer : withoutHits(answer);
  const { request } = parameters;
  const view = searchView({
    units: vocabulary.units,
    scope: [["vocabulary", vocabulary.name]],
    address: SearchAddress.of(path, parametersOfLinks(query, parameters.carried)),
    parameters,
    found,
    facets,
    first: facets.map(({ name }) => name),
    sorts: plainSorts(["bestmatch", "title", "newest"], found.sortBy),
    views: ["list", "tree"],
    more: warnings,
    refused,
    beyond,
  });
  const hits = found.hits.map((hit) => ({
    ...termView(vocabulary, hit, request.lang),
    ...(hit.matched === undefined ? {} : { matched: hit.matched }),
  }));
  return { ...termSearchPage({ ...view, vocabulary, hits }), ...partsOf(termParts(vocabulary), found) };
}

/** A search without filters and facets. */
const PLAIN = { filters: {}, facetSize: 0, lang: "en", mayBeBehind: true };

/** Number of children of a term on one page. */
const CHILDREN_MAX = 100;

async function makeTree(
  { services, catalog }: PageOptions,
  { actor, query: sent, path }: PageRequest,
  vocabulary: Vocabulary,
): Promise<PageView> {
  const at = sent.get("at")?.[0];
  const answer = at === undefined ? undefined : await services.readTerm(vocabulary.name, at);
  const found = answer?.kind === "found" ? answer : undefined;
  const term = found && termView(vocabulary, found.term);
  const asked = { ...PLAIN, vocabulary: vocabulary.name, sort: "title" };
  const below = term === undefined ? { q: "-_exists_:parent status:active" } : { parent: term.id };
  const searched = await searchLeniently(sent, (query) => {
    const window = { size: CHILDREN_MAX, cursor: query.get("cursor")?.[0] ?? "*" };
    return services.searchTerms(actor, { ...asked, ...below, window });
  });
  const { query, found: listed, warnings } = searched;
  const { hits, total, next } = listed;
  const lineage = [
    ...(found?.ancestors ?? []).map((ancestor) => termView(vocabulary, ancestor)),
    ...(term === undefined ? [] : [term]),
  ];
  const children = hits.map((hit) => termView(vocabulary, hit));
  const { counts, ...counted } = await countWithin(
    services,
    catalog,
    vocabulary,
    [...lineage, ...children].map(({ id }) => id),
  );
  const nodeOf = (each: (typeof children)[number]): TreeNode => {
    const records = counts.get(each.id);
    return { term: each, ...(records === undefined ? {} : { records }) };
  };
  const more = next && String(SearchAddress.of(path, query).with("cursor", next));
  const page = termTreePage({
    warnings,
    vocabulary,
    path: lineage.map(nodeOf),
    children: children.map(nodeOf),
    total,
    isWhole: [...query.keys()].every((name) => name === "view"),
    ...(more === undefined ? {} : { more }),
  });
  return { ...page, ...partsOf([...termParts(vocabulary), recordsPart()], listed, counted) };
}

/**
 * Returns the parts of the public data on which lists of terms depend: all terms, for labels, and the citations that
 * order them.
 */
const termParts = ({ name }: Vocabulary): readonly PublicPart[] => [termsPart(), citationsPart(name)];

/**
 * Counts the records that cite each of the terms, or a term below it, with a tree facet. Selected values are always
 * among the buckets of a facet, and its own filter does not change its counts.
 */
async function countWithin(
  services: Services,
  { models }: Catalog,
  vocabulary: Vocabulary,
  ids: readonly string[],
): Promise<HowFar & { readonly counts: ReadonlyMap<string, number> }> {
  const facets = [...models.values()].flatMap((model) => model.facets);
  const facet = facets.find((each) => each.kind === "tree" && each.vocabulary === vocabulary.name);
  if (facet === undefined || ids.length === 0) return { counts: new Map() };
  const window = { page: 1, size: 1 };
  const counting = { names: [facet.name] };
  const asked = { ...PLAIN, window, filters: { [facet.name]: ids }, facetSize: 1, counting, own: false };
  const { aggregations = {}, behind } = await services.searchRecords(ANONYMOUS, asked);
  const counts = new Map(aggregations[facet.name]?.buckets.map(({ key, doc_count }) => [key, doc_count]));
  return { counts, ...(behind === undefined ? {} : { behind }) };
}

/** The number of changes that a search lacked. */
interface HowFar {
  readonly behind?: number;
}

/** Numbers of children and of citing records on the page of a term. */
const BELOW_SHOWN = 30;
const CITING_SHOWN = 5;

const NOTHING_BELOW: Pick<SearchAnswer<TermHit>, "hits" | "total" | "isUnsettled" | "behind"> = { hits: [], total: 0 };

async function makeTerm(options: PageOptions, request: PageRequest): Promise<PageView | Move> {
  const { services } = options;
  const about = await readTermOf(options, request);
  if ("to" in about) return { status: 301, to: termPath(about.vocabulary.name, about.to) };
  const { vocabulary, term, found: answer } = about;
  const window = { page: 1, size: BELOW_SHOWN };
  const [below, { cited, ...counted }] = await Promise.all([
    vocabulary.hierarchy
      ? services.searchTerms(request.actor, { ...PLAIN, vocabulary: vocabulary.name, parent: term.id, window })
      : NOTHING_BELOW,
    citationsOf(options, vocabulary, term.id),
  ]);
  const page = termPage({
    vocabulary,
    term,
    childrenTotal: below.total,
    ancestors: answer.ancestors.map((ancestor) => {
      const above = parseStoredTerm<{ readonly id: string; readonly title: Titles }>(ancestor);
      return { id: above.id, title: above.title.en ?? Object.values(above.title)[0] ?? above.id };
    }),
    children: below.hits.map((hit) => termView(vocabulary, hit)),
    cited,
  });
  return { ...page, ...partsOf([...termParts(vocabulary), recordsPart()], below, counted) };
}

async function citationsOf(
  options: PageOptions,
  vocabulary: Vocabulary,
  id: string,
): Promise<HowFar & { readonly cited: Cited }> {
  const { services, catalog } = options;
  const citing = { vocabulary: vocabulary.name, id };
  const asked = {
    ...PLAIN,
    citing,
    window: { page: 1, size: CITING_SHOWN },
    sort: "newest",
    own: false,
    beginnings: true,
  };
  const [{ total, hits, behind }, { counts, ...counted }] = await Promise.all([
    services.searchRecords(ANONYMOUS, asked),
    countWithin(services, catalog, vocabulary, [id]),
  ]);
  const below = counts.get(id);
  const facets = [...catalog.models.values()].flatMap((model) => model.facets);
  const facet = facets.find((each) => each.kind === "tree" && each.vocabulary === vocabulary.name);
  const views = hits.map((hit) => options.hitView(hit));
  const cited: Cited = {
    total,
    page: citationsPath(vocabulary.name, id),
    hits: await drawHits(services, catalog, views),
    ...(below === undefined || facet === undefined
      ? {}
      : { within: { label: facet.label, total: below, page: address("search", [[facet.name, id]]) } }),
  };
  return { cited, ...counted, ...(behind === undefined ? {} : { behind }) };
}
