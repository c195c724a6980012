/** The terms of vocabularies in the store: how they are read, found and written, and who changed which fields when. */
import type { Actor } from "../core/actor.js";
import type { TermChange } from "../core/answers/term-answers.js";
import type { CitedTerm, StoredTerm, TermContent } from "../core/term.js";
import type { EditedField } from "../core/terms/edited-fields.js";
import type { AssumedTerm } from "../query/index-model/leaves.js";

/** An ancestor of a term. */
export interface Ancestor {
  readonly id: string;
  /** JSON text for clients: `{"id","title"}`. */
  readonly json: string;
}

/** The result of a look-up by id; `ancestors` from the root to the parent, none in a flat vocabulary. */
export type TermLookup =
  | {
      readonly kind: "found";
      readonly term: StoredTerm;
      readonly ancestors: readonly Ancestor[];
      /** False if no person has changed the term, so that `TermHistoryReader.edited` has nothing. */
      readonly mayBeEdited: boolean;
      /** Always false in a flat vocabulary. */
      readonly hasChildren: boolean;
    }
  /** An alias or a replaced id, with the current id. */
  | { readonly kind: "moved"; readonly to: string }
  /** A deleted term, or an alias of one. */
  | { readonly kind: "gone" };

/** A term, and the terms above it from the root to its parent; none without a hierarchy. */
export interface TermWithAncestors {
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

/** The vocabulary and id that cite a term. */
export interface TermReference {
  readonly vocabulary: string;
  readonly id: string;
}

/** The origin of a term. */
export interface TermProvenance {
  /** Names of the loaded sources that have the term, in the order of their first loads. */
  readonly sources: readonly string[];
  /** Ids that lead to the term, directly or through others: merged terms and former ids, in the order of the ids. */
  readonly formerIds: readonly string[];
}

/** A cited term. The id of `reference` differs from `term.id` if it was an alias or was replaced. */
export interface Citation {
  readonly reference: TermReference;
  readonly term: CitedTerm;
}

/** Read access to terms. */
export interface TermReader {
  get(vocabulary: string, id: string): Promise<TermLookup | undefined>;
  /** Returns the term with exactly this id, even if it was replaced. Does not follow aliases. */
  getExact(vocabulary: string, id: string): Promise<TermWithAncestors | undefined>;
  /** Reads several terms as `getExact` does, in one fetch, in the order of the ids. Unknown ids are left out. */
  getPlaced(vocabulary: string, ids: readonly string[]): Promise<readonly TermWithAncestors[]>;
  /** Returns terms by id, in the given order, each once. Unknown ids are left out, replaced ids are followed. */
  getMany(vocabulary: string, ids: readonly string[]): Promise<readonly { id: string; term: StoredTerm }[]>;
  /** Returns a text that changes with every change of any term of any vocabulary. */
  version(): Promise<string>;
  /** Reads all terms that a body cites at once. Unknown terms are left out. */
  cite(references: readonly TermReference[]): Promise<readonly Citation[]>;
  /** Returns the current index data of terms, which for a replaced term include the names of its successors. */
  citedNow(references: readonly TermReference[]): Promise<readonly AssumedTerm[]>;
  /** Counts the terms, including deprecated ones. */
  count(vocabulary: string): Promise<number>;
  /** Counts the stored records, including drafts, that cite a term. */
  citations(vocabulary: string, id: string): Promise<number>;
  /** Counts the children of a term. */
  children(vocabulary: string, id: string): Promise<number>;
  /** Returns the ids of the children of a term. */
  childIds(vocabulary: string, id: string): Promise<readonly string[]>;
  /** Returns those of the terms that have children. */
  parentsAmong(vocabulary: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns the origin of the term with exactly this id, with at most `limit` former ids. An unknown id has none. */
  provenance(vocabulary: string, id: string, limit: number): Promise<TermProvenance>;
  /** Returns titles by id, for lists of terms: in the language, or the first there is. Unknown ids are left out. */
  titles(vocabulary: string, ids: readonly string[], lang: string): Promise<ReadonlyMap<string, ListedTitle>>;
  /** Counts changed terms whose changes are not yet in the index of citing records. */
  stale(): Promise<number>;
}

/** Look-ups that need a search. They are not used inside transactions. */
export interface TermFinder extends TermReader {
  /**
   * Ids of terms similar to an unknown id, best first, at most `limit`: terms with this identifier, then terms whose id
   * is few edits away or begins alike. Empty if the text does not have the form of an id.
   * @throws QUERY_TOO_COSTLY (over the time limit)
   */
  nearestIds(vocabulary: string, id: string, limit: number): Promise<readonly string[]>;
  /** Returns terms by the key (`nameKey`) of a title or synonym: at most `limit` for each key, best first. */
  named(vocabulary: string, keys: readonly string[], limit: number): Promise<readonly NamedTerm[]>;
}

/** A term with the requested key of its name. */
export type NamedTerm = { readonly key: string; readonly term: StoredTerm };

/** Write access to terms. */
export interface TermWriter extends TermReader {
  /** Inserts or replaces a term; equal content changes nothing. Revisions continue even after a deletion. */
  put(vocabulary: string, content: TermContent): Promise<"new" | "changed" | "unchanged">;
  /** Deletes a term. Look-ups of its id return `gone` from then on. */
  delete(vocabulary: string, id: string): Promise<void>;
}

/**
 * One change of a term. Terms that a load adds have no entry, so that the first load of millions of terms writes none.
 */
export interface TermHistoryEntry extends Omit<TermChange, "revision_id"> {
  /** The new revision; for `removed` the last one. */
  readonly revision: number;
}
/** Kind of a change of a term. */
export type TermAction = TermChange["action"];

/** Read access to the histories of terms. */
export interface TermHistoryReader {
  /** Lists entries, newest first, with their total number. */
  list(
    vocabulary: string,
    id: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly entries: readonly TermHistoryEntry[]; readonly total: number }>;
  /** Returns the fields of a term that people have changed since the last load of its source, by time. */
  edited(vocabulary: string, id: string): Promise<readonly EditedField[]>;
  /** Returns the instants of the last merges of terms into others, by id. Terms that were not merged are absent. */
  mergeTimes(vocabulary: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Write access to the histories of terms. */
export interface TermHistoryKeeper extends TermHistoryReader {
  add(
    actor: Actor,
    term: { readonly vocabulary: string; readonly id: string },
    entry: Pick<TermHistoryEntry, "revision" | "action" | "fields">,
  ): Promise<void>;
  /**
   * Counts the existing terms that a user (by id) created and that no record or draft cites.
   * @returns the exact number if it is `limit` or more; otherwise possibly a higher number below `limit`
   */
  countUncited(user: string, limit: number): Promise<number>;
}
