/** The page of a term: what links to the term, and to what it links. */
import { ANONYMOUS } from "../../core/actor.js";
import { hierarchyOf } from "../../core/catalog/facet-kinds/facet-kinds.js";
import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { citationsPart, type DataPart, recordsPart, termsPart } from "../../core/feed/feed.js";
import { LIMITS } from "../../core/limits.js";
import { moleculeId } from "../../core/pasted-identifiers.js";
import type { Titles } from "../../core/term.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import type { SearchAnswer, TermHit } from "../../services/api/searches.js";
import type { TermAnswer } from "../../services/api/vocabularies.js";
import type { Services } from "../../services/use-cases.js";
import { type PageOptions, type PageRedirect, type PageRequest, publicParts } from "../answers/page-route.js";
import { type CitationsView, termPage } from "../pages/term-page.js";
import type { PageView } from "../parts/frame.js";
import { address, citationsPath, moleculePath, termPath } from "../views/page-addresses.js";
import { homonymView, type TermView, termView } from "../views/term-view.js";
import { addPictures } from "./structure-addresses.js";

/** Numbers of subgroups and of citing records on the page of a term. */
const BELOW_SHOWN = 30;
const CITING_SHOWN = 5;

const NOTHING_BELOW: Pick<SearchAnswer<TermHit>, "hits" | "total" | "isUnsettled" | "behind"> = { hits: [], total: 0 };

/** Makes the page of a term. A replaced id redirects to the current one. */
export async function makeTerm(options: PageOptions, request: PageRequest): Promise<PageView | PageRedirect> {
  const { services } = options;
  const subject = await readTermOf(options, request);
  if ("to" in subject) return { status: 301, to: termPath(subject.vocabulary.name, subject.to) };
  const { vocabulary, term, answer } = subject;
  const window = { page: 1, size: BELOW_SHOWN };
  const [below, { cited, ...freshness }, related] = await Promise.all([
    vocabulary.hierarchy
      ? services.searchTerms(request.actor, { ...PLAIN, vocabulary: vocabulary.name, parent: term.id, window })
      : NOTHING_BELOW,
    findCitations(options, vocabulary, term.id),
    services.findRelatedTerms(vocabulary.name, answer.term),
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
    homonyms: related.homonyms.map((each) => homonymView(vocabulary, each.term, each.label)),
    sameSkeleton: related.sameSkeleton.map((each) => termView(vocabulary, each)),
    linked: new Map(related.linked.map((each) => [each.id, termView(vocabulary, each)])),
    origin: {
      ...related.origin,
      formerIds: related.origin.formerIds.map((former) => ({
        ...former,
        title: former.term && termView(vocabulary, former.term).title,
      })),
    },
  });
  return { ...page, ...publicParts([...termParts(vocabulary), recordsPart()], below, freshness) };
}

/** Returns the address of the page of the molecule with the id of a term, if records have it as a molecule. */
async function moleculeOf(
  { services, catalog }: PageOptions,
  { name }: Vocabulary,
  id: string,
): Promise<string | undefined> {
  const lists = [...catalog.models.values()].flatMap(({ molecules }) => molecules ?? []);
  const [list] = lists.filter(({ ids }) => ids.some(({ vocabulary }) => vocabulary === name));
  if (list === undefined || moleculeId(id) !== id) return undefined;
  const request = { ...PLAIN, q: `${list.name}:"${id}"`, window: { page: 1, size: 1 }, own: false };
  const { total } = await services.searchRecords(ANONYMOUS, request);
  return total > 0 ? moleculePath(id) : undefined;
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
    molecule: await moleculeOf(options, vocabulary, id),
    hits: await addPictures(services, catalog, views),
    ...(below === undefined || facet === undefined
      ? {}
      : { within: { label: facet.label, total: below, page: address("search", [[facet.name, id]]) } }),
  };
  return { cited, behind: behind ?? within.behind };
}

/** A search without filters and facets. */
export const PLAIN = { filters: {}, facetSize: 0, lang: "en", mayBeBehind: true };

/** Returns the public data that lists of terms depend on: all terms for their labels, and citations for their order. */
export const termParts = ({ name }: Vocabulary): readonly DataPart[] => [termsPart(), citationsPart(name)];

/**
 * Counts the records that cite each of the terms or their descendants. Selects the terms in a tree facet: selected
 * values always have buckets, and a facet's own filter does not change its counts.
 */
export async function countWithin(
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
export function vocabularyOf({ vocabularies }: Catalog, { params }: PageRequest): Vocabulary {
  const vocabulary = vocabularies.get(params.vocabulary ?? "");
  if (vocabulary !== undefined) return vocabulary;
  throw fail("VOCABULARY_NOT_FOUND", { vocabulary: clip(params.vocabulary ?? ""), known: [...vocabularies.keys()] });
}
