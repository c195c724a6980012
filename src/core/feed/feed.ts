/** The order of all changes, as mirrors and webhooks read it: published records and terms, never drafts. */
import { addAll } from "../arrays.js";
import { fail } from "../errors.js";
import { formatInstant } from "../time.js";

export type ChangeKind = "record" | "term";

/** A change of a published record or of a term. The entries of an import are changes at the import's place. */
export interface FeedChange {
  /** Increases by one with each public change, in commit order. All entries of an import have the same number. */
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
  /** Commit time of change `seq` in microseconds. It differs in another store and in an older copy of this one. */
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

/**
 * Is this change public? Only public changes get a public number (`seq`), so that these numbers do not count drafts.
 * Changes that only repair the store have no state.
 */
export const isPublicChange = ({ kind, state }: { readonly kind: ChangeKind; readonly state?: string }): boolean =>
  kind === "term" || state === "published";

/** A public change as a store keeps it; an import is one row, with its entries beside it. */
export interface FeedRow {
  /** The public number. */
  readonly seq: number;
  /** Microseconds. */
  readonly time: number;
  readonly kind: ChangeKind;
  readonly action: FeedChange["action"] | "imported";
  readonly place: string;
  /** Of an import its number. */
  readonly id: string;
  readonly revision: number;
}

/** An entry of an import. */
export interface FeedEntry {
  readonly n: number;
  readonly id: string;
  readonly action: FeedChange["action"];
  readonly revision: number;
}

/** What is read for a page, in one snapshot of the store. */
export interface FeedRows {
  /** Returns when the change with this public number was committed. Older versions numbered drafts too. */
  timeOf(seq: number): number | undefined;
  /** The place after the last change with a public number. */
  head(): ChangePlace;
  /** Changes that are shown, from the first to the last number, in their order. */
  rows(first: number, last: number, limit: number): readonly FeedRow[];
  /** Entries of an import after the entry `after`, in their order. */
  entries(id: string, after: number, limit: number): readonly FeedEntry[];
}

/** One page of the feed. @throws CHANGE_CURSOR_GONE where the place is none of this store */
export function feedPage({ after, limit, until, filter = {} }: ChangePageRequest, store: FeedRows): ChangePage {
  checkPlace(after, store);
  const end = until ?? store.head();
  const rows = store.rows(after.entry === undefined ? after.seq + 1 : after.seq, end.seq, limit);
  const changes: FeedChange[] = [];
  let next = after;
  let left = limit;
  for (const row of rows) {
    if (left === 0) return { changes, next, isEnd: false };
    const { seq, time } = row;
    const found = isWanted(filter, row) ? changesOf(row, seq === after.seq ? after.entry : undefined, left, store) : [];
    addAll(changes, found);
    left -= row.action === "imported" ? found.length : 1;
    const entry = found.at(-1)?.entry;
    next = left === 0 && entry !== undefined ? { seq, time, entry } : { seq, time };
  }
  if (left === 0 || rows.length === limit) return { changes, next, isEnd: false };
  return { changes, next: end.seq > next.seq ? end : next, isEnd: true };
}

/** A store that was put back to an older copy goes on with the same numbers, but not with the same instants. */
function checkPlace({ seq, time }: ChangePlace, store: FeedRows): void {
  if (seq !== FIRST_PLACE.seq && store.timeOf(seq) !== time) throw fail("CHANGE_CURSOR_GONE");
}

/** The change that a row is, or the entries of an import after the entry `after`, at most `limit`. */
function changesOf(row: FeedRow, after: number | undefined, limit: number, store: FeedRows): FeedChange[] {
  const { seq, kind, place } = row;
  const shared = { seq, time: formatInstant(row.time), kind, place };
  if (row.action !== "imported") return [{ ...shared, action: row.action, id: row.id, revision: row.revision }];
  const entries = store.entries(row.id, after ?? 0, limit);
  return entries.map(({ n, action, id, revision }) => ({ ...shared, entry: n, action, id, revision }));
}

/** Is the change, or the import, one that the filter leaves? */
export function isWanted({ kind, models, vocabularies }: ChangeFilter, row: FeedRow): boolean {
  if (kind !== undefined && row.kind !== kind) return false;
  const named = row.kind === "record" ? models : vocabularies;
  return named === undefined || named.includes(row.place);
}
