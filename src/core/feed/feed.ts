/** The change feed for mirrors and webhooks: all changes of published records and terms in order, never of drafts. */
import { addAll } from "../collections.js";
import { fail } from "../errors.js";
import { formatInstant } from "../time.js";

export type ChangeKind = "record" | "term";

/** A change of a published record or of a term. The entries of an import are changes at the import's place. */
export interface FeedChange {
  /** Increases by one with each public change, in commit order. All entries of an import have the same number. */
  readonly seq: number;
  /** Number of an entry within its import; absent for any other change. */
  readonly entry?: number;
  /** Time of the commit: ISO 8601 UTC with microseconds. */
  readonly time: string;
  readonly kind: ChangeKind;
  readonly action: "published" | "created" | "updated" | "removed";
  /** Model or vocabulary. */
  readonly place: string;
  readonly id: string;
  readonly revision: number;
}

/** A place in the feed: the position after a change. */
export interface ChangePlace {
  readonly seq: number;
  /** Commit time of change `seq` in microseconds. It differs in another store and in an older copy of this one. */
  readonly time: number;
  /** Set if the place is inside the import `seq`, after this entry. Absent: it is after all entries. */
  readonly entry?: number;
}

/** The place before all changes. */
export const FIRST_PLACE: ChangePlace = { seq: 0, time: 0 };

/** A filter of changes. An absent condition matches all changes. */
export interface ChangeFilter {
  readonly kind?: ChangeKind;
  readonly models?: readonly string[];
  readonly vocabularies?: readonly string[];
}

/** A request for a page of the feed. */
export interface ChangePageRequest {
  readonly after: ChangePlace;
  /** Number of changes to read, and so the maximum on the page. */
  readonly limit: number;
  /** Excludes changes after this place. */
  readonly until?: ChangePlace;
  readonly filter?: ChangeFilter;
}

/** A page of the feed. */
export interface ChangePage {
  readonly changes: readonly FeedChange[];
  /** The start of the next page, which is also after changes that the filter excludes. */
  readonly next: ChangePlace;
  /** Whether this was the last page when it was read. */
  readonly isEnd: boolean;
}

/**
 * Returns whether this change is public. Only public changes get a public number (`seq`), so that these numbers do not
 * count drafts. Changes that only repair the store have no state.
 */
export const isPublicChange = ({ kind, state }: { readonly kind: ChangeKind; readonly state?: string }): boolean =>
  kind === "term" || state === "published";

/** A row of a public change in a store. An import is one row, with separate entries. */
export interface FeedRow {
  /** The public number. */
  readonly seq: number;
  /** Microseconds. */
  readonly time: number;
  readonly kind: ChangeKind;
  readonly action: FeedChange["action"] | "imported";
  readonly place: string;
  /** For an import its number. */
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

/** Access to the rows of the feed in one snapshot of the store. */
export interface FeedRows {
  /** Returns the commit time of the change with a public number. Older versions numbered drafts too. */
  timeOf(seq: number): number | undefined;
  /** Returns the place after the last change with a public number. */
  head(): ChangePlace;
  /** Returns public changes from the first to the last number, in order. */
  rows(first: number, last: number, limit: number): readonly FeedRow[];
  /** Returns entries of an import after the entry `after`, in order. */
  entries(id: string, after: number, limit: number): readonly FeedEntry[];
}

/** Returns a page of the feed. @throws CHANGE_CURSOR_GONE if the place does not belong to this store */
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
    const found = passesFilter(filter, row)
      ? changesOf(row, seq === after.seq ? after.entry : undefined, left, store)
      : [];
    addAll(changes, found);
    left -= row.action === "imported" ? found.length : 1;
    const entry = found.at(-1)?.entry;
    next = left === 0 && entry !== undefined ? { seq, time, entry } : { seq, time };
  }
  if (left === 0 || rows.length === limit) return { changes, next, isEnd: false };
  return { changes, next: end.seq > next.seq ? end : next, isEnd: true };
}

/** Checks that a place belongs to this store. After a restore, changes have the same numbers but other times. */
function checkPlace({ seq, time }: ChangePlace, store: FeedRows): void {
  if (seq !== FIRST_PLACE.seq && store.timeOf(seq) !== time) throw fail("CHANGE_CURSOR_GONE");
}

/** Returns the change of a row, or at most `limit` entries of an import after the entry `after`. */
function changesOf(row: FeedRow, after: number | undefined, limit: number, store: FeedRows): FeedChange[] {
  const { seq, kind, place } = row;
  const shared = { seq, time: formatInstant(row.time), kind, place };
  if (row.action !== "imported") return [{ ...shared, action: row.action, id: row.id, revision: row.revision }];
  const entries = store.entries(row.id, after ?? 0, limit);
  return entries.map(({ n, action, id, revision }) => ({ ...shared, entry: n, action, id, revision }));
}

/** Returns whether a change or import passes the filter. */
export function passesFilter({ kind, models, vocabularies }: ChangeFilter, row: FeedRow): boolean {
  if (kind !== undefined && row.kind !== kind) return false;
  const named = row.kind === "record" ? models : vocabularies;
  return named === undefined || named.includes(row.place);
}

/** A part of the data of a store. A kept answer lists the parts from which it was made; a commit changes some parts. */
export type DataPart =
  /** A published record. */
  | `record ${string}`
  /** The published records of a model, and their index. */
  | `records of ${string}`
  | "records"
  /** A draft, its shares, and the published record with its id. */
  | `draft ${string}`
  /** The drafts and the published records of a model, and their index. */
  | `drafts of ${string}`
  | "drafts"
  /** The terms of a vocabulary. */
  | `terms of ${string}`
  | "terms"
  /** The citation counts of the terms of a vocabulary. */
  | `citations of ${string}`;

/** Returns the part of the data that consists of a published record. */
export const recordPart = (id: string): DataPart => `record ${id}`;

/**
 * Returns the part with the published records of a model.
 * @param model absent: all models
 */
export const recordsPart = (model?: string): DataPart => (model === undefined ? "records" : `records of ${model}`);

/** Returns the part with a draft. */
export const draftPart = (id: string): DataPart => `draft ${id}`;

/**
 * Returns the part with the drafts of a model.
 * @param model absent: all models
 */
export const draftsPart = (model?: string): DataPart => (model === undefined ? "drafts" : `drafts of ${model}`);

/**
 * Returns the part with the terms of a vocabulary.
 * @param vocabulary absent: all vocabularies
 */
export const termsPart = (vocabulary?: string): DataPart =>
  vocabulary === undefined ? "terms" : `terms of ${vocabulary}`;

/** Returns the part with the numbers of citations of the terms of a vocabulary. */
export const citationsPart = (vocabulary: string): DataPart => `citations of ${vocabulary}`;
