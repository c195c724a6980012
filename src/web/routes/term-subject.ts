/** Functions that the pages of vocabularies and those of terms share. */
import { ANONYMOUS } from "../../core/actor.js";
import { hierarchyOf } from "../../core/catalog/facet-kinds/facet-kinds.js";
import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { citationsPart, type DataPart, termsPart } from "../../core/feed/feed.js";
import { LIMITS } from "../../core/limits.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import type { TermAnswer } from "../../services/api/vocabularies.js";
import type { Services } from "../../services/use-cases.js";
import type { PageOptions, PageRequest } from "../answers/page-route.js";
import { type TermView, termView } from "../views/term-view.js";

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
export interface Freshness {
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
