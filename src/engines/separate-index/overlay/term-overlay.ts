import type { Catalog } from "../../../core/catalog/types.js";
import type { SourceTerm } from "../../../ports/index-documents.js";
import type { ChangedTerm, SourceView } from "../../../ports/index-source.js";
import { TermInMemory } from "../../../query/evaluate/term-in-memory.js";

/** A term that is judged here instead of by the index. */
export interface OverlaidTerm {
  readonly source: SourceTerm;
  readonly inMemory: TermInMemory;
}

/** Terms of a vocabulary that the index may have otherwise than the store. They are excluded from queries to it. */
export interface TermOverlay {
  /** Their ids, including those of deleted terms. */
  readonly changed: readonly string[];
  /** The existing ones. */
  readonly terms: readonly OverlaidTerm[];
}

/**
 * Makes overlays. Data of a term is kept until the term changes again, or another index is searched: the load that made
 * that index may have changed the term, without a change row of its own.
 */
interface TermOverlays {
  /** Makes an overlay. @param changed of all vocabularies */
  makeOverlay(
    view: Pick<SourceView, "head" | "readTerms">,
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
  readonly term?: OverlaidTerm | undefined;
}

interface CachedVocabulary {
  readonly index: string;
  /** The state of the store that they were read from. */
  readonly head: number;
  readonly terms: ReadonlyMap<string, CachedTerm>;
}

/** Makes the maker of overlays. */
export function makeTermOverlays({ vocabularies }: Pick<Catalog, "vocabularies">): TermOverlays {
  const cache = new Map<string, CachedVocabulary>();
  return {
    async makeOverlay(view, { vocabulary, index }, changed) {
      const declared = vocabularies.get(vocabulary)!;
      const changedTerms = changed.filter((term) => term.vocabulary === vocabulary);
      const previous = cache.get(vocabulary);
      const cached = previous?.index === index ? previous : undefined;
      const getUnchanged = ({ id, seq }: ChangedTerm): CachedTerm | undefined => {
        const term = cached?.terms.get(id);
        return term?.seq === seq ? term : undefined;
      };
      const missing = changedTerms.filter((term) => getUnchanged(term) === undefined).map(({ id }) => id);
      const sources = missing.length === 0 ? [] : await view.readTerms(vocabulary, missing);
      const overlaid = new Map(
        sources.map((source): [string, OverlaidTerm] => {
          const inMemory = new TermInMemory(source.content, declared);
          return [source.content.id, { source, inMemory }];
        }),
      );
      const terms = new Map(
        changedTerms.map((change): [string, CachedTerm] => {
          const { id, seq } = change;
          return [id, getUnchanged(change) ?? { seq, term: overlaid.get(id) }];
        }),
      );
      // Of concurrent searches, the one with the newest view determines what is kept.
      if (view.head >= (previous?.head ?? 0)) cache.set(vocabulary, { head: view.head, index, terms });
      return {
        changed: [...terms.keys()],
        terms: [...terms.values()].flatMap(({ term }) => term ?? []),
      };
    },
    size: () => [...cache.values()].reduce((sum, { terms }) => sum + terms.size, 0),
  };
}
