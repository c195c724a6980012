/** What a write does to what a store keeps beside a record: the change feed, the counters of ids, uses of terms. */
import { storedList } from "../json.js";
import type { RecordBody, RecordState } from "../record.js";
import type { Tombstone } from "../tombstone.js";

/** A body, whatever its metadata. */
export type WrittenBody = Omit<RecordBody, "metadata">;

/** Terms that a record cites, as (vocabulary, id), each once. */
export type Citations = readonly (readonly [vocabulary: string, id: string])[];

/** Parses the column `cites` of a record. @throws BinderyError STORE_DAMAGED, which names the record */
export const storedCitations = (cites: string, id: string): Citations =>
  storedList<Citations[number]>(cites, "record", id, isCitation);

const isCitation = (entry: unknown): boolean =>
  Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "string";

/** What of a row counts when it changes. */
export interface CitingRow {
  readonly isLatest: boolean;
  readonly uses: Citations;
}

/** What a write adds to the counts of a term: latest published records, by which terms are ranked, and all others. */
export interface CitationChange {
  readonly vocabulary: string;
  readonly id: string;
  readonly latest: number;
  readonly others: number;
}

export const isLatest = (body: WrittenBody): boolean => body.state === "published" && body.versions.is_latest;

/** The state of an id beside this one. */
export const otherState = (state: RecordState): RecordState => (state === "draft" ? "published" : "draft");

/** What the change feed says of a body that is put. @param existed had the id this state before? */
export function putAction({ state }: WrittenBody, existed: boolean): "created" | "published" | "updated" {
  if (existed) return "updated";
  return state === "published" ? "published" : "created";
}

/** Ids that a body takes for ever, each with the least that its counter of revisions is from then on. */
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

/** How the citations of a row are counted, first what it had, then what it has. @param now absent: it is removed */
export function citationChanges(before: CitingRow | undefined, now?: CitingRow): readonly CitationChange[] {
  return [...counted(before, -1), ...counted(now, 1)];
}

function counted(row: CitingRow | undefined, sign: 1 | -1): readonly CitationChange[] {
  const { isLatest = false, uses = [] } = row ?? {};
  const counts = isLatest ? { latest: sign, others: 0 } : { latest: 0, others: sign };
  return uses.map(([vocabulary, id]) => ({ vocabulary, id, ...counts }));
}

/** A state of an id that goes away. */
export interface Removal {
  readonly state: RecordState;
  /** What the change feed says; absent: the revision that the row had. */
  readonly revision?: number;
}

/** What a tombstone removes, in this order: its revision is the last that the id ever has. */
export const buriedBy = ({ revision }: Tombstone): readonly Removal[] => [
  { state: "draft" },
  { state: "published", revision },
];
