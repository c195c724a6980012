import type { Catalog } from "../../../core/catalog/types.js";
import type { ChangedTerm, SourceView } from "../../../ports/index-source.js";
import { type TermDocument, termDocument } from "../documents/term-document.js";

/** Items of a vocabulary that the index may have otherwise than the store: it is asked for all others. */
export interface TermOverlay {
  /** Their ids, also of those that are gone. */
  readonly changed: readonly string[];
  /** Those that are there. */
  readonly documents: readonly TermDocument[];
}

/**
 * Makes overlays. What was made of an item is kept until it changes again, or another index is searched: the load that
 * made this one may have changed the item, and is no change to it.
 */
interface TermOverlays {
  /** @param changed of all vocabularies */
  overlayOf(
    view: Pick<SourceView, "head" | "termsOf">,
    of: SearchedVocabularyIndex,
    changed: readonly ChangedTerm[],
  ): Promise<TermOverlay>;
  /** Items that are kept, of all vocabularies. */
  size(): number;
}

interface SearchedVocabularyIndex {
  readonly vocabulary: string;
  /** Its name in OpenSearch: each generation of a vocabulary has its own. */
  readonly index: string;
}

interface Kept {
  readonly seq: number;
  /** Absent: the item is gone. */
  readonly document?: TermDocument;
}

interface OfVocabulary {
  readonly index: string;
  /** The state of the store that they were read from. */
  readonly head: number;
  readonly items: ReadonlyMap<string, Kept>;
}

export function makeTermOverlays({ vocabularies }: Pick<Catalog, "vocabularies">): TermOverlays {
  const kept = new Map<string, OfVocabulary>();
  return {
    async overlayOf(view, { vocabulary, index }, changed) {
      const declared = vocabularies.get(vocabulary)!;
      const here = changed.filter((term) => term.vocabulary === vocabulary);
      const last = kept.get(vocabulary);
      const known = last?.index === index ? last : undefined;
      const isKept = ({ id, seq }: ChangedTerm): boolean => known?.items.get(id)?.seq === seq;
      const missing = here.filter((term) => !isKept(term)).map(({ id }) => id);
      const read = missing.length === 0 ? [] : await view.termsOf(vocabulary, missing);
      const made = new Map(read.map((source) => [source.content.id, termDocument(source, declared)]));
      const items = new Map(
        here.map((term): [string, Kept] => {
          if (isKept(term)) return [term.id, known!.items.get(term.id)!];
          const document = made.get(term.id);
          return [term.id, { seq: term.seq, ...(document === undefined ? {} : { document }) }];
        }),
      );
      // Of searches that overlap, the one of the newest state says what is kept.
      if (view.head >= (last?.head ?? 0)) kept.set(vocabulary, { head: view.head, index, items });
      return {
        changed: [...items.keys()],
        documents: [...items.values()].flatMap(({ document }) => document ?? []),
      };
    },
    size: () => [...kept.values()].reduce((sum, { items }) => sum + items.size, 0),
  };
}
