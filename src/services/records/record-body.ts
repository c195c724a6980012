/** Record bodies, made in one place so that their keys always stand in the same order. */
import type { AuditTarget } from "../../core/audit-entry.js";
import type { Issue } from "../../core/issue.js";
import type { JsonObject } from "../../core/json.js";
import type { RawJson, RecordBody, RecordHead } from "../../core/record.js";
import { makeRecordId, RECORD_ID_BYTES } from "../../core/record-id.js";
import type { Random } from "../../ports/random.js";
import type { RecordReader } from "../../ports/store.js";

/** The body of a new draft, revision 1: of a new record, or of its version `index`. */
export function newDraft<Metadata extends JsonObject | RawJson>(made: {
  readonly id: string;
  readonly parent: string;
  readonly owner: string;
  readonly model: string;
  readonly now: string;
  /** Absent: the first. */
  readonly index?: number;
  readonly metadata: Metadata;
  readonly issues: readonly Issue[];
}): RecordBody<Metadata> {
  const { id, model, now, index = 1, metadata, issues } = made;
  return {
    id,
    model,
    created: now,
    updated: now,
    revision_id: 1,
    state: "draft",
    is_draft: true,
    is_published: false,
    parent: { id: made.parent, owner: { user: made.owner } },
    versions: { index, is_latest: false, is_latest_draft: true },
    files: { enabled: false },
    metadata,
    ...(issues.length > 0 ? { errors: issues } : {}),
  };
}

/** The body with other metadata, and what is wrong with them. */
export function withMetadata(head: RecordHead, metadata: RawJson, issues: readonly Issue[]): RecordBody<RawJson> {
  return { ...head, metadata, ...(issues.length > 0 ? { errors: issues } : {}) };
}

/** The body of the draft that a published record is edited in. */
export function editDraftOf<Metadata extends JsonObject | RawJson>(
  record: RecordHead,
  metadata: Metadata,
  { now, revision }: { readonly now: string; readonly revision: number },
): RecordBody<Metadata> {
  return { ...record, created: now, updated: now, revision_id: revision, state: "draft", is_draft: true, metadata };
}

/**
 * The body that a draft becomes when it is published.
 * @param published of an edit: when the record was published first
 */
export function publishedOf<Metadata extends JsonObject | RawJson>(
  draft: RecordHead & { readonly errors?: readonly Issue[]; readonly metadata?: unknown },
  metadata: Metadata,
  { now, revision, published }: { readonly now: string; readonly revision: number; readonly published?: string },
): RecordBody<Metadata> {
  const { errors: _, metadata: __, ...kept } = draft;
  return {
    ...kept,
    created: published ?? now,
    updated: now,
    revision_id: revision,
    state: "published",
    is_draft: false,
    is_published: true,
    // A first publication is that of the newest version: there is one open draft of a version at a time.
    versions: published === undefined ? { ...draft.versions, is_latest: true } : draft.versions,
    metadata,
  };
}

/** The record of a body, as the audit log names it. */
export function targetOf({ model, id, revision_id }: RecordHead): AuditTarget {
  return { kind: "record", place: model, id, revision: revision_id };
}

/** An id that no record, draft or parent has or had. */
export async function freshId(records: RecordReader, random: Random, ...besides: string[]): Promise<string> {
  for (;;) {
    const id = makeRecordId(random.bytes(RECORD_ID_BYTES));
    if (!besides.includes(id) && !(await records.isTaken(id))) return id;
  }
}
