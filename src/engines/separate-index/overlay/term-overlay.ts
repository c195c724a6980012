import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import type { SourceTerm } from "../../../ports/index-documents.js";
import type { ChangedTerm, SourceView } from "../../../ports/index-source.js";
import type { TermDocument } from "./term-predicates.js";

/** Terms of a vocabulary that the index may have otherwise than the store. They are excluded from queries to it. */
export interface TermOverlay {
  /** Their ids, including those of deleted terms. */
  readonly changed: readonly string[];
  /** The existing ones. */
  readonly documents: readonly TermDocument[];
}

/**
 * Makes overlays. Data of a term is kept until the term changes again, or another index is searched: the load that made
 * that index may have changed the term, without a change row of its own.
 */
interface TermOverlays {
  /** Makes an overlay. @param changed of all vocabularies */
  overlayOf(
    view: Pick<SourceView, "head" | "termsOf">,
    of: SearchedVocabularyIndex,
    changed: readonly ChangedTerm[],
  ): Promise<TermOverlay>;
  /** Returns the number of kept terms of all vocabularies. */
  size(): number;
}

interface SearchedVocabularyIndex {
  readonly vocabulary: string;
  /** Name of its index: each generation of a vocabulary has its own. */
  readonly index: string;
}

interface CachedTerm {
  readonly seq: number;
  /** Undefined: the term was deleted. */
  readonly document?: TermDocument | undefined;
}

interface CachedVocabulary {
  readonly index: string;
  /** The state of the store that they were read from. */
  readonly head: number;
  readonly items: ReadonlyMap<string, CachedTerm>;
}

/** Makes the maker of overlays. @param documentOf returns the document by which a term is judged */
export function makeTermOverlays(
  { vocabularies }: Pick<Catalog, "vocabularies">,
  documentOf: (term: SourceTerm, vocabulary: Vocabulary) => TermDocument,
): TermOverlays {
  const cache = new Map<string, CachedVocabulary>();
  return {
    async overlayOf(view, { vocabulary, index }, changed) {
      const declared = vocabularies.get(vocabulary)!;
      const changedTerms = changed.filter((term) => term.vocabulary === vocabulary);
      const previous = cache.get(vocabulary);
      const cached = previous?.index === index ? previous : undefined;
      const isUnchanged = ({ id, seq }: ChangedTerm): boolean => cached?.items.get(id)?.seq === seq;
      const missing = changedTerms.filter((term) => !isUnchanged(term)).map(({ id }) => id);
      const sources = missing.length === 0 ? [] : await view.termsOf(vocabulary, missing);
      const documents = new Map(sources.map((source) => [source.content.id, documentOf(source, declared)]));
      const items = new Map(
        changedTerms.map((term): [string, CachedTerm] => {
          if (isUnchanged(term)) return [term.id, cached!.items.get(term.id)!];
          const document = documents.get(term.id);
          return [term.id, { seq: term.seq, document }];
        }),
      );
      // Of concurrent searches, the one with the newest view determines what is kept.
      if (view.head >= (previous?.head ?? 0)) cache.set(vocabulary, { head: view.head, index, items });
      return {
        changed: [...items.keys()],
        documents: [...items.values()].flatMap(({ document }) => document ?? []),
      };
    },
    size: () => [...cache.values()].reduce((sum, { items }) => sum + items.size, 0),
  };
}
