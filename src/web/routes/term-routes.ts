import type { FastifyInstance } from "fastify";
import { ANONYMOUS } from "../../core/actor.js";
import { hierarchyOf } from "../../core/catalog/facet-kinds/facet-kinds.js";
import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { citationsPart, type PublicPart, recordsPart, termsPart } from "../../core/feed/feed.js";
import { LIMITS } from "../../core/limits.js";
import type { Titles } from "../../core/term.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import { TERM_TYPES } from "../../http/parameters/representation.js";
import { RESULT_TYPES } from "../../http/parameters/result-format.js";
import { readTermSearch } from "../../http/parameters/search-parameters.js";
import type { Query } from "../../http/parameters/url-encoding.js";
import type { SearchAnswer, TermHit } from "../../services/api/searches.js";
import type { TermAnswer } from "../../services/api/vocabularies.js";
import { makeTermFacets } from "../../services/search/facets.js";
import type { Services } from "../../services/use-cases.js";
import {
  addPage,
  JSON_ONLY,
  type PageOptions,
  type PageRequest,
  publicParts,
  type Redirect,
} from "../answers/page-route.js";
import { type CitationsView, termPage, termSearchPage, vocabulariesPage } from "../pages/term-pages.js";
import { type TreeNode, termTreePage } from "../pages/term-tree-page.js";
import type { PageView } from "../parts/frame.js";
import { plainSorts } from "../views/choice-views.js";
import {
  address,
  citationsPath,
  parametersOfLinks,
  SearchAddress,
  termPath,
  withoutPageParameters,
  withShortPage,
} from "../views/page-addresses.js";
import { searchView } from "../views/search-view.js";
import { type TermView, termView } from "../views/term-view.js";
import { withoutHits } from "./explain-search.js";
import { searchLeniently } from "./lenient-search.js";
import { addPictures } from "./structure-addresses.js";

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
  const { query, result, warnings, refused, beyond } = await searchLeniently(requestQuery, search);
  const { parameters } = result;
  const answer = refused === undefined ? result.answer : withoutHits(result.answer);
  const { request } = parameters;
  const view = searchView({
    units: vocabulary.units,
    scope: [["vocabulary", vocabulary.name]],
    address: SearchAddress.of(path, parametersOfLinks(query, parameters.carried)),
    parameters,
    answer,
    facets,
    first: facets.map(({ name }) => name),
    sorts: plainSorts(["bestmatch", "title", "newest"], answer.sortBy),
    views: ["list", "tree"],
    more: warnings,
    refused,
    beyond,
  });
  const hits = answer.hits.map((hit) => ({
    ...termView(vocabulary, hit, request.lang),
    matched: hit.matched,
  }));
  return { ...termSearchPage({ ...view, vocabulary, hits }), ...publicParts(termParts(vocabulary), answer) };
}

/** A search without filters and facets. */
const PLAIN = { filters: {}, facetSize: 0, lang: "en", mayBeBehind: true };

/** Number of children of a term on one page. */
const CHILDREN_MAX = 100;

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
  const below = term === undefined ? { q: "-_exists_:parent status:active" } : { parent: term.id };
  const { query, result, warnings } = await searchLeniently(requestQuery, (each) => {
    const window = { size: CHILDREN_MAX, cursor: each.get("cursor")?.[0] ?? "*" };
    return services.searchTerms(actor, { ...plainRequest, ...below, window });
  });
  const { hits, total, next } = result;
  const lineage = [
    ...(currentTerm?.ancestors ?? []).map((ancestor) => termView(vocabulary, ancestor)),
    ...(term === undefined ? [] : [term]),
  ];
  const children = hits.map((hit) => termView(vocabulary, hit));
  const { counts, ...freshness } = await countWithin(
    services,
    catalog,
    vocabulary,
    [...lineage, ...children].map(({ id }) => id),
  );
  const nodeOf = (each: TermView): TreeNode => ({ term: each, records: counts.get(each.id) });
  const more = next && String(SearchAddress.of(path, query).with("cursor", next));
  const page = termTreePage({
    warnings,
    vocabulary,
    path: lineage.map(nodeOf),
    children: children.map(nodeOf),
    total,
    isWhole: [...query.keys()].every((name) => name === "view"),
    more,
  });
  return { ...page, ...publicParts([...termParts(vocabulary), recordsPart()], result, freshness) };
}

/** Returns the public data that lists of terms depend on: all terms for their labels, and citations for their order. */
const termParts = ({ name }: Vocabulary): readonly PublicPart[] => [termsPart(), citationsPart(name)];

/**
 * Counts the records that cite each of the terms or their descendants. Selects the terms in a tree facet: selected
 * values always have buckets, and a facet's own filter does not change its counts.
 */
async function countWithin(
  services: Services,
  { models }: Catalog,
  vocabulary: Vocabulary,
  ids: readonly string[],
): Promise<Freshness & { readonly counts: ReadonlyMap<string, number> }> {
  const facets = [...models.values()].flatMap((model) => model.facets);
  const facet = facets.find((each) => hierarchyOf(each) === vocabulary.name);
  if (facet === undefined || ids.length === 0) return { counts: new Map() };
  const window = { page: 1, size: 1 };
  const counting = { names: [facet.name] };
  const request = { ...PLAIN, window, filters: { [facet.name]: ids }, facetSize: 1, counting, own: false };
  const { aggregations = {}, behind } = await services.searchRecords(ANONYMOUS, request);
  const counts = new Map(aggregations[facet.name]?.buckets.map(({ key, doc_count }) => [key, doc_count]));
  return { counts, behind };
}

/** Number of changes that an answer lacks. */
interface Freshness {
  readonly behind?: number | undefined;
}

/** Numbers of children and of citing records on the page of a term. */
const BELOW_SHOWN = 30;
const CITING_SHOWN = 5;

const NOTHING_BELOW: Pick<SearchAnswer<TermHit>, "hits" | "total" | "isUnsettled" | "behind"> = { hits: [], total: 0 };

async function makeTerm(options: PageOptions, request: PageRequest): Promise<PageView | Redirect> {
  const { services } = options;
  const subject = await readTermOf(options, request);
  if ("to" in subject) return { status: 301, to: termPath(subject.vocabulary.name, subject.to) };
  const { vocabulary, term, answer } = subject;
  const window = { page: 1, size: BELOW_SHOWN };
  const [below, { cited, ...freshness }] = await Promise.all([
    vocabulary.hierarchy
      ? services.searchTerms(request.actor, { ...PLAIN, vocabulary: vocabulary.name, parent: term.id, window })
      : NOTHING_BELOW,
    findCitations(options, vocabulary, term.id),
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
  return { ...page, ...publicParts([...termParts(vocabulary), recordsPart()], below, freshness) };
}

/** Counts the records that cite a term, and returns the newest of them. */
async function findCitations(
  options: PageOptions,
  vocabulary: Vocabulary,
  id: string,
): Promise<Freshness & { readonly cited: CitationsView }> {
  const { services, catalog } = options;
  const citing = { vocabulary: vocabulary.name, id };
  const request = {
    ...PLAIN,
    citing,
    window: { page: 1, size: CITING_SHOWN },
    sort: "newest",
    own: false,
    beginnings: true,
  };
  const [{ total, hits, behind }, within] = await Promise.all([
    services.searchRecords(ANONYMOUS, request),
    countWithin(services, catalog, vocabulary, [id]),
  ]);
  const below = within.counts.get(id);
  const facets = [...catalog.models.values()].flatMap((model) => model.facets);
  const facet = facets.find((each) => hierarchyOf(each) === vocabulary.name);
  const views = hits.map((hit) => options.hitView(hit));
  const cited: CitationsView = {
    total,
    page: citationsPath(vocabulary.name, id),
    hits: await addPictures(services, catalog, views),
    ...(below === undefined || facet === undefined
      ? {}
      : { within: { label: facet.label, total: below, page: address("search", [[facet.name, id]]) } }),
  };
  return { cited, behind: behind ?? within.behind };
}

/** The term that a page is about, or the id of the term that replaces it. */
type TermOfPage =
  | { readonly vocabulary: Vocabulary; readonly to: string }
  | {
      readonly vocabulary: Vocabulary;
      readonly term: TermView;
      readonly answer: Extract<TermAnswer, { readonly kind: "found" }>;
    };

/** Reads the term that a path names. @throws VOCABULARY_NOT_FOUND, TERM_NOT_FOUND, TERM_DELETED */
export async function readTermOf({ services, catalog }: PageOptions, request: PageRequest): Promise<TermOfPage> {
  const vocabulary = vocabularyOf(catalog, request);
  const { id = "" } = request.params;
  if (id.length > LIMITS.termIdLengthMax) throw fail("TERM_NOT_FOUND", { vocabulary: vocabulary.name, id: clip(id) });
  const answer = await services.readTerm(vocabulary.name, id);
  if (answer.kind === "moved") return { vocabulary, to: answer.to };
  return { vocabulary, term: termView(vocabulary, answer.term), answer };
}

/** Returns the vocabulary that a path names. @throws VOCABULARY_NOT_FOUND */
function vocabularyOf({ vocabularies }: Catalog, { params }: PageRequest): Vocabulary {
  const vocabulary = vocabularies.get(params.vocabulary ?? "");
  if (vocabulary !== undefined) return vocabulary;
  throw fail("VOCABULARY_NOT_FOUND", { vocabulary: clip(params.vocabulary ?? ""), known: [...vocabularies.keys()] });
}
