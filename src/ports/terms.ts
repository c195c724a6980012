/** The terms of vocabularies in the store: how they are read, found and written. */
import type { CitedTerm, StoredTerm, TermContent } from "../core/term.js";
import type { AssumedTerm } from "../query/index-model/leaves.js";

/** A term above another one in a hierarchy. */
export interface Ancestor {
  readonly id: string;
  /** As clients see it: `{"id","title"}`. */
  readonly json: string;
}

/** What stands under an id of a vocabulary; `ancestors` from the root to the parent, none without a hierarchy. */
export type TermLookup =
  | {
      readonly kind: "found";
      readonly term: StoredTerm;
      readonly ancestors: readonly Ancestor[];
      /** false: no person has changed the item, so that `TermHistoryReader.edited` has nothing of it. */
      readonly mayBeEdited: boolean;
    }
  /** An alias, or an id that another replaced: the current id. */
  | { readonly kind: "moved"; readonly to: string }
  /** Deleted; or an alias whose target is gone. */
  | { readonly kind: "gone" };

/** A term, and the terms above it from the root to its parent; none without a hierarchy. */
export interface PlacedTerm {
  readonly term: StoredTerm;
  readonly ancestors: readonly Ancestor[];
}

/** Maximum number of homonyms of a `ListedTitle`. */
export const HOMONYMS_MAX = 50;

/** The title of a term in a list. */
export interface ListedTitle {
  readonly text: string;
  /**
   * Ids of other active terms that have a title with the same words (`nameKey`) as a title of this term, in any
   * language; at most `HOMONYMS_MAX`.
   */
  readonly homonyms: readonly string[];
}

export interface TermReference {
  readonly vocabulary: string;
  readonly id: string;
}

/** `asked` differs from `term.id` where the id was an alias or had been replaced. */
export interface Citation {
  readonly asked: TermReference;
  readonly term: CitedTerm;
}

export interface TermReader {
  get(vocabulary: string, id: string): Promise<TermLookup | undefined>;
  /** The item with exactly this id, also where another replaced it; aliases lead nowhere. */
  getExact(vocabulary: string, id: string): Promise<PlacedTerm | undefined>;
  /** Reads several terms as `getExact` does, in one fetch, in the order of the ids. Unknown ids are left out. */
  getPlaced(vocabulary: string, ids: readonly string[]): Promise<readonly PlacedTerm[]>;
  /** Several items by id, in the order asked, unknown ones left out, replaced ones followed, each once. */
  getMany(vocabulary: string, ids: readonly string[]): Promise<readonly { asked: string; term: StoredTerm }[]>;
  /** A text that is another one when any term of any vocabulary has changed: as long as it is the same all are. */
  version(): Promise<string>;
  /** All terms that a body cites, in one fetch; unknown ones are left out. */
  cite(references: readonly TermReference[]): Promise<readonly Citation[]>;
  /** What an index takes of each of these terms now: of a replaced one the names of its successors too. */
  citedNow(references: readonly TermReference[]): Promise<readonly AssumedTerm[]>;
  /** Number of items, deprecated ones included. */
  count(vocabulary: string): Promise<number>;
  /** Number of stored records (drafts too) that cite the item. */
  citations(vocabulary: string, id: string): Promise<number>;
  /** Number of items that name this id as their parent. */
  children(vocabulary: string, id: string): Promise<number>;
  /** Their ids. */
  childIds(vocabulary: string, id: string): Promise<readonly string[]>;
  /** Returns titles by id, for lists of terms: in the language, or the first there is. Unknown ids are left out. */
  titles(vocabulary: string, ids: readonly string[], lang: string): Promise<ReadonlyMap<string, ListedTitle>>;
  /** Number of terms that changed, where the index of the records that cite them does not follow yet. */
  stale(): Promise<number>;
}

/** What takes a search: no transaction waits for it. */
export interface TermFinder extends TermReader {
  /**
   * Ids of terms similar to an unknown id, best first, at most `limit`: terms with this identifier, then terms whose id
   * is few edits away or begins alike. Empty if the text does not have the form of an id.
   * @throws QUERY_TOO_COSTLY (over the time limit)
   */
  nearestIds(vocabulary: string, id: string, limit: number): Promise<readonly string[]>;
  /** Items of which one of these (`nameKey`) is a whole title or synonym: of each key at most `limit`, best first. */
  named(vocabulary: string, keys: readonly string[], limit: number): Promise<readonly NamedTerm[]>;
}

/** An item, and the key of its name that was asked for. */
export type NamedTerm = { readonly key: string; readonly term: StoredTerm };

export interface TermWriter extends TermReader {
  /** Inserts or replaces; same content changes nothing. Revisions go on from the last one, also after a deletion. */
  put(vocabulary: string, content: TermContent): Promise<"new" | "changed" | "unchanged">;
  /** Removes the item; its id answers `gone` from then on. */
  delete(vocabulary: string, id: string): Promise<void>;
}
