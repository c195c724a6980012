/** The effects of a write of a record on other data of a store: change feed, revisions of ids, citation counts. */

import { greatestOf } from "../collections.js";
import { storedList } from "../json.js";
import type { RecordBody, RecordHead, RecordState, Tombstone } from "../record.js";

/** A body without its metadata. */
export type WrittenBody = Omit<RecordBody, "metadata">;

/** Terms that a record cites, as (vocabulary, id), each once. */
export type Citations = readonly (readonly [vocabulary: string, id: string])[];

/** Parses the column `cites` of a record. @throws BinderyError STORE_DAMAGED, which names the record */
export const storedCitations = (cites: string, id: string): Citations =>
  storedList<Citations[number]>(cites, "record", id, isCitation);

const isCitation = (entry: unknown): boolean =>
  Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "string";

/** The part of a row that affects citation counts. */
export interface CitingRow {
  readonly isLatest: boolean;
  readonly uses: Citations;
}

/** The change of a term's citation counts: latest published records, which affect its rank, and other records. */
export interface CitationChange {
  readonly vocabulary: string;
  readonly id: string;
  readonly latest: number;
  readonly others: number;
}

/** Returns whether a body is the latest published version of its record. */
export const isLatest = (body: WrittenBody): boolean => body.state === "published" && body.versions.is_latest;

/** Returns the other state of an id. */
export const otherState = (state: RecordState): RecordState => (state === "draft" ? "published" : "draft");

/** Returns the action in the change feed for a written body. @param existed whether the id had this state before */
export function putAction({ state }: WrittenBody, existed: boolean): "created" | "published" | "updated" {
  if (existed) return "updated";
  return state === "published" ? "published" : "created";
}

/** Returns the ids that a body occupies permanently, with the minimum of their last revisions. */
export function takenIds({
  id,
  parent,
  revision_id,
}: WrittenBody): readonly (readonly [id: string, revision: number])[] {
  return [
    [id, revision_id],
    [parent.id, 0],
  ];
}

/** Returns the changes of citation counts for a change of a row. @param current undefined if the row is deleted */
export function citationChanges(previous: CitingRow | undefined, current?: CitingRow): readonly CitationChange[] {
  return [...countCitations(previous, -1), ...countCitations(current, 1)];
}

function countCitations(row: CitingRow | undefined, sign: 1 | -1): readonly CitationChange[] {
  const { isLatest = false, uses = [] } = row ?? {};
  const counts = isLatest ? { latest: sign, others: 0 } : { latest: 0, others: sign };
  return uses.map(([vocabulary, id]) => ({ vocabulary, id, ...counts }));
}

/** A deleted state of an id. */
export interface Removal {
  readonly state: RecordState;
  /** The revision in the change feed; absent: the revision of the row. */
  readonly revision?: number;
}

/**
 * Returns the states of an id that a tombstone deletes, in this order. The revision of each removal is the last one of
 * the id.
 */
export const statesDeletedBy = ({ revision }: Tombstone): readonly Removal[] => [
  { state: "draft" },
  { state: "published", revision },
];

/** A row under a parent. */
export interface VersionState {
  readonly id: string;
  readonly state: RecordState;
  /** From 1. */
  readonly version: number;
}

/** The flags of a body, which depend on the other rows under its parent. */
type Flags = Pick<RecordBody, "is_draft" | "is_published"> &
  Pick<RecordBody["versions"], "is_latest" | "is_latest_draft">;

/**
 * Computes the flags that a row should have from all rows under its parent. The draft of a published record has the
 * same version flags as the record.
 */
export function computeFlags({ id, state, version }: VersionState, all: readonly VersionState[]): Flags {
  const published = all.filter((other) => other.state === "published");
  const newest = greatestOf(published.map((other) => other.version));
  const isPublished = published.some((other) => other.id === id);
  return {
    is_draft: state === "draft",
    is_published: isPublished,
    is_latest: isPublished && version === newest,
    is_latest_draft: all.every((other) => other.version <= version),
  };
}

/** Returns the flags in a head. */
export function readFlags({ is_draft, is_published, versions: { is_latest, is_latest_draft } }: RecordHead): Flags {
  return { is_draft, is_published, is_latest, is_latest_draft };
}

/** Replaces the flags of a head. */
export function withFlags(head: RecordHead, { is_draft, is_published, is_latest, is_latest_draft }: Flags): RecordHead {
  return { ...head, is_draft, is_published, versions: { ...head.versions, is_latest, is_latest_draft } };
}
