import type { ReadableScope, RecordScope } from "../../../ports/search-index.js";

/** A set of rows: those that a caller may see, all of some models, or the drafts that a user owns. */
export type RowScope =
  | Exclude<RecordScope, ReadableScope>
  | { readonly kind: "models"; readonly models: readonly string[] }
  | { readonly kind: "ownDrafts"; readonly owner: string; readonly models: readonly string[] };

/** A row scope as an SQL condition on `rec` that its indexes answer. */
interface ScopeSql {
  readonly where: string;
  readonly params: readonly unknown[];
  /** Index that lists the visible rows in the order of their ids; undefined: SQLite's own choice is fastest. */
  readonly inOrder?: string;
}

export function scopeSql(scope: RowScope): ScopeSql {
  const models = `rec.model IN (${scope.models.map(() => "?").join(", ")})`;
  switch (scope.kind) {
    case "models":
      return { where: models, params: scope.models, inOrder: "rec_seen" };
    case "public":
      return {
        where: `rec.state = 1${scope.allVersions ? "" : " AND rec.latest = 1"} AND ${models}`,
        params: scope.models,
        inOrder: scope.models.length === 1 && !scope.allVersions ? "rec_public" : "rec_seen",
      };
    case "owner": {
      const shown = scope.allVersions ? "rec.twin = 0" : "(rec.latest = 1 AND rec.twin = 0)";
      return {
        where: `rec.owner = ? AND (rec.state = 0 OR ${shown})${publishedSql(scope.isPublished)} AND ${models}`,
        params: [scope.owner, ...scope.models],
        inOrder: "rec_owner",
      };
    }
    case "ownDrafts":
      return {
        where: `rec.owner = ? AND rec.state = 0 AND ${models}`,
        params: [scope.owner, ...scope.models],
        inOrder: "rec_owner",
      };
    case "drafts":
      return {
        where: `rec.state = 0${publishedSql(scope.isPublished)} AND ${models}`,
        params: scope.models,
        inOrder: "rec_seen",
      };
    case "shared":
      return {
        where: `rec.state = 0 AND rec.pid IN (SELECT pid FROM access WHERE user = ?)${publishedSql(scope.isPublished)}
          AND ${models}`,
        params: [Number(scope.user), ...scope.models],
      };
  }
}

/** Returns the condition on the state of publication: `twin` says that the other state of the record exists. */
function publishedSql(isPublished: boolean | undefined): string {
  if (isPublished === undefined) return "";
  return isPublished ? " AND (rec.state = 1 OR rec.twin = 1)" : " AND rec.state = 0 AND rec.twin = 0";
}
