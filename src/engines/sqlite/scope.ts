import type { RecordScope } from "../../ports/search-index.js";

/** Which rows: what a caller may see, or all of some models. */
export type RowScope = RecordScope | { readonly kind: "models"; readonly models: readonly string[] };

/** What a caller may see, as a condition on `rec` that its indexes answer. */
export interface ScopeSql {
  readonly where: string;
  readonly params: readonly unknown[];
  /** Index that lists the visible rows in the order of their ids. */
  readonly inOrder: string;
}

export function scopeSql(scope: RowScope): ScopeSql {
  const models = `rec.model IN (${scope.models.map(() => "?").join(", ")})`;
  if (scope.kind === "models") return { where: models, params: scope.models, inOrder: "rec_seen" };
  if (scope.kind === "public") {
    return {
      where: `rec.state = 1 AND rec.latest = 1 AND ${models}`,
      params: scope.models,
      inOrder: scope.models.length === 1 ? "rec_public" : "rec_seen",
    };
  }
  return {
    where: `rec.owner = ? AND (rec.state = 0 OR (rec.latest = 1 AND rec.twin = 0)) AND ${models}`,
    params: [scope.owner, ...scope.models],
    inOrder: "rec_owner",
  };
}
