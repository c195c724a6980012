import type { Catalog } from "../../../core/catalog/types.js";
import type { Unserved } from "../../../ports/store-admin.js";
import type { Db } from "../connection/database.js";

/** What is stored of models and vocabularies that the catalog does not have. Reads indexes only, whatever is there. */
export function findUnserved(db: Db, catalog: Catalog): Unserved {
  const models = [...new Set(SORTS.flatMap((sort) => modelsOf(db, sort)))].filter((name) => !catalog.models.has(name));
  const vocabularies = db
    .sql<{ name: string; items: number }>(
      "SELECT vocabulary name, count items FROM generation WHERE state = 'current' AND count > 0 ORDER BY vocabulary",
    )
    .all();
  return {
    models: models.sort().map((name) => ({ name, published: count(db, name, 1), drafts: count(db, name, 0) })),
    vocabularies: vocabularies.filter(({ name }) => !catalog.vocabularies.has(name)),
  };
}

/** The first two columns of the index `rec_public`: state and latest. */
const SORTS = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
] as const;

/** Steps from name to name: a DISTINCT would read all rows. */
function modelsOf(db: Db, sort: readonly [number, number]): readonly string[] {
  const next = db.sql<string | null>("SELECT min(model) FROM rec WHERE state = ? AND latest = ? AND model > ?").pluck();
  const found: string[] = [];
  for (let name = next.get(...sort, ""); typeof name === "string"; name = next.get(...sort, name)) found.push(name);
  return found;
}

function count(db: Db, model: string, state: 0 | 1): number {
  const sql = "SELECT count(*) FROM rec WHERE state = ? AND latest IN (0, 1) AND model = ?";
  return db.sql<number>(sql).pluck().get(state, model) ?? 0;
}
