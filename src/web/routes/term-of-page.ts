import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import type { TermAnswer } from "../../services/api/vocabulary-services.js";
import type { PageOptions, PageRequest } from "../answers/page-route.js";
import { type TermView, termView } from "../views/term-view.js";

/** The term that a page is about; or the id that it has now. */
type TermOfPage =
  | { readonly vocabulary: Vocabulary; readonly to: string }
  | {
      readonly vocabulary: Vocabulary;
      readonly term: TermView;
      readonly found: Extract<TermAnswer, { readonly kind: "found" }>;
    };

/** @throws VOCABULARY_NOT_FOUND, TERM_NOT_FOUND, TERM_DELETED */
export async function readTermOf({ services, catalog }: PageOptions, request: PageRequest): Promise<TermOfPage> {
  const vocabulary = vocabularyOf(catalog, request);
  const { id = "" } = request.params;
  if (id.length > LIMITS.termIdLengthMax) throw fail("TERM_NOT_FOUND", { vocabulary: vocabulary.name, id: clip(id) });
  const found = await services.readTerm(vocabulary.name, id);
  if (found.kind === "moved") return { vocabulary, to: found.to };
  return { vocabulary, term: termView(vocabulary, found.term), found };
}

/** The vocabulary that the path of a page names. @throws VOCABULARY_NOT_FOUND */
export function vocabularyOf({ vocabularies }: Catalog, { params }: PageRequest): Vocabulary {
  const vocabulary = vocabularies.get(params.vocabulary ?? "");
  if (vocabulary !== undefined) return vocabulary;
  throw fail("VOCABULARY_NOT_FOUND", { vocabulary: clip(params.vocabulary ?? ""), known: [...vocabularies.keys()] });
}
