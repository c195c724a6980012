import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { isObject, type Json } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { StoredTerm } from "../../core/term.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import type { TermBody } from "../../core/terms/term-version.js";
import { compoundBlock } from "../../query/fields/identifiers.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { emptyIfUnavailable } from "../context/index-availability.js";
import { useCase } from "../context/use-case.js";

/** Terms to which the page of a term links, besides its ancestors and descendants. */
export interface RelatedTerms {
  /** Other active terms with the same title in any language, at most `HOMONYMS_MAX`. */
  readonly homonyms: readonly StoredTerm[];
  /**
   * Compounds whose InChIKeys have the same first block: stereoisomers, isotopes and charged forms. The most cited ones
   * come first.
   */
  readonly sameSkeleton: readonly StoredTerm[];
  /** Terms of the vocabulary whose ids are in the props of the term, such as related organisations. */
  readonly linked: readonly StoredTerm[];
}

/** Maximum number of compounds with the same skeleton. */
const COMPOUNDS_MAX = 12;

/** Finds the terms that are related to a stored term. */
export const findRelatedTerms = useCase(
  { thread: "search" },
  ({ store, catalog, index }) =>
    async (name: string, term: StoredTerm): Promise<RelatedTerms> => {
      const vocabulary = findVocabulary(catalog, name);
      const titles = await store.terms.titles(name, [term.id], vocabulary.languages[0]!);
      const [homonyms, linked] = await Promise.all([
        store.terms.getMany(name, titles.get(term.id)?.homonyms ?? []),
        store.terms.getMany(name, idsInProps(vocabulary, parseStoredTerm<TermBody>(term).props ?? {})),
      ]);
      return {
        homonyms: homonyms.map((each) => each.term),
        sameSkeleton: await findSameSkeleton(index, vocabulary, term.id),
        linked: linked.map((each) => each.term),
      };
    },
);

async function findSameSkeleton(
  index: Deps["index"],
  { name, idKind, languages }: Vocabulary,
  id: string,
): Promise<readonly StoredTerm[]> {
  const block = idKind === "inchikey" ? compoundBlock(id) : undefined;
  if (block === undefined) return [];
  const found = await index
    .searchTerms({
      vocabulary: name,
      clause: { kind: "words", place: { in: "text" }, words: [block] },
      facets: [],
      sort: "mostcited",
      lang: languages[0]!,
      // The compound itself is one of the hits.
      page: { offset: 0, limit: COMPOUNDS_MAX + 1 },
    })
    .catch(emptyIfUnavailable);
  const others = (found.hits ?? []).filter((hit) => hit.id !== id && compoundBlock(hit.id) === block);
  return others.slice(0, COMPOUNDS_MAX);
}

function idsInProps(vocabulary: Vocabulary, props: Readonly<Record<string, Json>>): readonly string[] {
  const texts = (value: Json): readonly string[] => {
    if (typeof value === "string") return [value];
    return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(texts) : [];
  };
  const ids = texts(props).filter((text) => hasIdForm(vocabulary, text));
  return [...new Set(ids)].slice(0, LIMITS.idsMax);
}
