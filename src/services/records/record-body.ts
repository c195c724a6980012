/** Functions that build record bodies. They are in one file so that the keys of all bodies have the same order. */
import type { AuditTarget } from "../../core/audit-entry.js";
import type { Issue } from "../../core/issue.js";
import type { JsonObject } from "../../core/json.js";
import { makeRecordId, type RawJson, RECORD_ID_BYTES, type RecordBody, type RecordHead } from "../../core/record.js";
import type { Random } from "../../ports/environment.js";
import type { RecordReader } from "../../ports/store.js";

/** Builds the body of a new draft with revision 1: of a new record, or of its version `index`. */
export function newDraft<Metadata extends JsonObject | RawJson>(draft: {
  readonly id: string;
  readonly parent: string;
  readonly owner: string;
  readonly model: string;
  readonly now: string;
  /** Absent: 1. */
  readonly index?: number;
  readonly metadata: Metadata;
  readonly issues: readonly Issue[];
}): RecordBody<Metadata> {
  const { id, model, parent, owner, now, index = 1, metadata, issues } = draft;
  return {
    id,
    model,
    created: now,
    updated: now,
    revision_id: 1,
    state: "draft",
    is_draft: true,
    is_published: false,
    parent: { id: parent, owner: { user: owner } },
    versions: { index, is_latest: false, is_latest_draft: true },
    files: { enabled: false },
    metadata,
    errors: issues.length > 0 ? issues : undefined,
  };
}

/** Builds a body with new metadata and the problems of these. */
export function withMetadata(head: RecordHead, metadata: RawJson, issues: readonly Issue[]): RecordBody<RawJson> {
  return { ...head, metadata, errors: issues.length > 0 ? issues : undefined };
}

/** Builds the body of a draft in which a published record is edited. */
export function editDraftOf<Metadata extends JsonObject | RawJson>(
  record: RecordHead,
  metadata: Metadata,
  { now, revision }: { readonly now: string; readonly revision: number },
): RecordBody<Metadata> {
  return { ...record, created: now, updated: now, revision_id: revision, state: "draft", is_draft: true, metadata };
}

/**
 * Builds the body of a published record from a draft.
 * @param published when the record was first published; undefined if this is its first publication
 */
export function publishedOf<Metadata extends JsonObject | RawJson>(
  draft: RecordHead & { readonly errors?: readonly Issue[] | undefined; readonly metadata?: unknown },
  metadata: Metadata,
  {
    now,
    revision,
    published,
  }: { readonly now: string; readonly revision: number; readonly published?: string | undefined },
): RecordBody<Metadata> {
  const { errors: _, metadata: __, ...head } = draft;
  return {
    ...head,
    created: published ?? now,
    updated: now,
    revision_id: revision,
    state: "published",
    is_draft: false,
    is_published: true,
    // A first publication is always of the newest version, because only one new version can be open.
    versions: published === undefined ? { ...draft.versions, is_latest: true } : draft.versions,
    metadata,
  };
}

/** Returns the target of an audit entry about a record. */
export function auditTarget({ model, id, revision_id }: RecordHead): AuditTarget {
  return { kind: "record", place: model, id, revision: revision_id };
}

/** Returns a random id that was never given to a record, draft or parent, and is not in `reserved`. */
export async function freshId(records: RecordReader, random: Random, ...reserved: string[]): Promise<string> {
  for (;;) {
    const id = makeRecordId(random.bytes(RECORD_ID_BYTES));
    if (!reserved.includes(id) && !(await records.isTaken(id))) return id;
  }
}
