/** Record bodies, made in one place so that their keys always stand in the same order. */
import type { AuditTarget } from "../core/audit.js";
import type { Issue } from "../core/issue.js";
import type { JsonObject } from "../core/json.js";
import type { RecordBody, StoredRecord } from "../core/record.js";
import { makeRecordId, RECORD_ID_BYTES } from "../core/record-id.js";
import type { Random } from "../ports/random.js";
import type { RecordReader } from "../ports/store.js";

/** The body of a new draft, revision 1. */
export function newDraft(made: {
  readonly id: string;
  readonly parent: string;
  readonly owner: string;
  readonly model: string;
  readonly now: string;
  readonly metadata: JsonObject;
  readonly issues: readonly Issue[];
}): RecordBody {
  const { id, model, now, metadata, issues } = made;
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
    versions: { index: 1, is_latest: false, is_latest_draft: true },
    files: { enabled: false },
    metadata,
    ...(issues.length > 0 ? { errors: issues } : {}),
  };
}

/** The body that a draft becomes when it is published for the first time. */
export function publishedOf(draft: RecordBody, metadata: JsonObject, now: string): RecordBody {
  const { errors: _, ...kept } = draft;
  return {
    ...kept,
    created: now,
    updated: now,
    revision_id: draft.revision_id + 1,
    state: "published",
    is_draft: false,
    is_published: true,
    versions: { ...draft.versions, is_latest: true },
    metadata,
  };
}

/** What a store returns for a body that was just put. */
export function storedOf(body: RecordBody): StoredRecord {
  return {
    id: body.id,
    parent: body.parent.id,
    model: body.model,
    state: body.state,
    isPublished: body.is_published,
    owner: body.parent.owner.user,
    revision: body.revision_id,
    json: JSON.stringify(body),
  };
}

/** The record of a body, as the audit log names it. */
export function targetOf({ model, id, revision_id }: RecordBody): AuditTarget {
  return { kind: "record", place: model, id, revision: revision_id };
}

/** An id that no record, draft or parent has or had. */
export async function freshId(records: RecordReader, random: Random, ...besides: string[]): Promise<string> {
  for (;;) {
    const id = makeRecordId(random.bytes(RECORD_ID_BYTES));
    if (!besides.includes(id) && !(await records.isTaken(id))) return id;
  }
}
