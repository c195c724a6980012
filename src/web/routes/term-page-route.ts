/** The page of a term: what links to the term, and to what it links. */
import { ANONYMOUS } from "../../core/actor.js";
import { hierarchyOf } from "../../core/catalog/facet-kinds/facet-kinds.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { recordsPart } from "../../core/feed/feed.js";
import { moleculeId } from "../../core/pasted-identifiers.js";
import type { Titles } from "../../core/term.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import type { SearchAnswer, TermHit } from "../../services/api/searches.js";
import { type PageOptions, type PageRedirect, type PageRequest, publicParts } from "../answers/page-route.js";
import { type CitationsView, termPage } from "../pages/term-page.js";
import type { PageView } from "../parts/frame.js";
import { address, citationsPath, moleculePath, termPath } from "../views/page-addresses.js";
import { homonymView, termView } from "../views/term-view.js";
import { addPictures } from "./structure-addresses.js";
import { countWithin, type Freshness, PLAIN, readTermOf, termParts } from "./term-subject.js";

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
