import type { SourceRecord } from "../../../ports/index-source.js";
import type { ReadableScope, RecordScope } from "../../../ports/search-index.js";

/** What of a record decides who may find it. */
type ScopedRecord = Pick<SourceRecord, "isLatest" | "hasTwin" | "sharedWith"> & {
  readonly record: Pick<SourceRecord["record"], "state" | "model" | "owner">;
};

/** May the caller find the record? */
export function isInScope(scope: RecordScope, record: ScopedRecord): boolean {
  const { state, model, owner } = record.record;
  if (!scope.models.includes(model)) return false;
  const isDraft = state === "draft";
  switch (scope.kind) {
    case "public":
      return isShown(record, scope.allVersions);
    case "readable":
      return isDraft ? maySeeDraft(scope, record) : isShown(record, scope.allVersions);
    case "owner":
      return (
        owner === scope.owner &&
        (isDraft || (!record.hasTwin && isShown(record, scope.allVersions))) &&
        isAsPublished(record, scope.isPublished)
      );
    case "shared":
      return isDraft && record.sharedWith.includes(scope.user) && isAsPublished(record, scope.isPublished);
    case "drafts":
      return isDraft && isAsPublished(record, scope.isPublished);
  }
}

const isShown = ({ record, isLatest }: ScopedRecord, allVersions = false): boolean =>
  record.state === "published" && (allVersions || isLatest);

const maySeeDraft = ({ user }: ReadableScope, { record, sharedWith }: ScopedRecord): boolean =>
  user === undefined || record.owner === user || sharedWith.includes(user);

/** Has its id a published record, where that matters? */
const isAsPublished = ({ record, hasTwin }: ScopedRecord, wanted: boolean | undefined): boolean =>
  wanted === undefined || wanted === (record.state === "published" || hasTwin);
