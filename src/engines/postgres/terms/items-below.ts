import type { Sql } from "../connection/sql.js";

const BELOW = `WITH RECURSIVE other(ext) AS MATERIALIZED (SELECT unnest($3::text[]) COLLATE "C"),
  below(ext) AS (
    SELECT ext COLLATE "C" FROM unnest($2::text[]) a(ext)
    UNION SELECT t.ext FROM below b CROSS JOIN LATERAL (
      SELECT ext FROM term WHERE vocabulary = $1 AND parent = b.ext OFFSET 0) t
    WHERE NOT EXISTS (SELECT FROM other WHERE other.ext = b.ext))
  SELECT ext FROM below LIMIT $4`;

/**
 * Some ids and all items below them, but for those that are below some others.
 * @returns each once; undefined: they are more than `limit`
 */
export async function itemsBelow(
  sql: Sql,
  vocabulary: string,
  ids: readonly string[],
  others: ReadonlySet<string>,
  limit: number,
): Promise<readonly string[] | undefined> {
  if (ids.length === 0) return [];
  const rows = await sql.rows<{ readonly ext: string }>(BELOW, [vocabulary, ids, [...others], limit + 1]);
  return rows.length > limit ? undefined : rows.map(({ ext }) => ext);
}
