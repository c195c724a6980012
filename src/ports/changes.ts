/** The order of all changes, as mirrors and webhooks read it: published records and terms, never drafts. */

export type ChangeKind = "record" | "term";

/** A change of a published record or of a term. The entries of an import are changes at the import's place. */
export interface FeedChange {
  /** Rises in commit order; all entries of an import have the same. */
  readonly seq: number;
  /** Number of an entry within its import; absent for any other change. */
  readonly entry?: number;
  /** ISO 8601 UTC with microseconds: when it was committed. */
  readonly time: string;
  readonly kind: ChangeKind;
  readonly action: "published" | "created" | "updated" | "removed";
  /** Model or vocabulary. */
  readonly place: string;
  readonly id: string;
  readonly revision: number;
}

/** A place between two changes: what was committed up to it is behind. */
export interface ChangePlace {
  readonly seq: number;
  /** When change `seq` was committed, in microseconds: another store, or an older copy of it, has another one there. */
  readonly time: number;
  /** Of the import `seq` only the entries up to this one are behind. Absent: all of it. */
  readonly entry?: number;
}

/** Before all changes. */
export const FIRST_PLACE: ChangePlace = { seq: 0, time: 0 };

/** Which changes; each absent part means any. */
export interface ChangeFilter {
  readonly kind?: ChangeKind;
  readonly models?: readonly string[];
  readonly vocabularies?: readonly string[];
}

export interface ChangePageRequest {
  readonly after: ChangePlace;
  /** How many changes are looked at: so many are on the page at most. */
  readonly limit: number;
  /** Nothing after this place. */
  readonly until?: ChangePlace;
  readonly filter?: ChangeFilter;
}

export interface ChangePage {
  readonly changes: readonly FeedChange[];
  /** Where the next page begins: behind what is not shown, too. */
  readonly next: ChangePlace;
  /** Was there nothing more when the page was read? */
  readonly isEnd: boolean;
}

export interface ChangeReader {
  /** Takes the same time wherever the place is. @throws CHANGE_CURSOR_GONE where the place is none of this store */
  page(request: ChangePageRequest): Promise<ChangePage>;
  /** The place after the last change. */
  head(): Promise<ChangePlace>;
  /** `seq` of the last change that is shown, 0 for none. Quick: it is asked again and again. */
  lastShown(): Promise<number>;
}
