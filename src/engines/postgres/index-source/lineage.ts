import type { Lineage } from "../../../ports/index-source.js";
import type { TermReference } from "../../../ports/store.js";
import type { Sql } from "../connection/sql.js";

/** Items and all above them, each once: a circle ends where it has been. */
const ABOVE = `WITH RECURSIVE above(vocabulary, ext) AS (
    SELECT a.vocabulary COLLATE "C", a.ext COLLATE "C" FROM unnest($1::text[], $2::text[]) a(vocabulary, ext)
    UNION SELECT t.vocabulary, t.parent FROM above a CROSS JOIN LATERAL (
      SELECT vocabulary, parent FROM term WHERE vocabulary = a.vocabulary AND ext = a.ext LIMIT 1) t
    WHERE t.parent IS NOT NULL)
  SELECT above.vocabulary, above.ext, t.parent FROM above CROSS JOIN LATERAL (
    SELECT parent FROM term WHERE vocabulary = above.vocabulary AND ext = above.ext LIMIT 1) t
  WHERE t.parent IS NOT NULL`;

interface Step {
  readonly vocabulary: string;
  readonly ext: string;
  readonly parent: string;
}

/** Where items stand, and all above them. */
export async function lineageOf(sql: Sql, terms: readonly TermReference[]): Promise<Lineage> {
  const asked = new Map(terms.map(({ vocabulary, id }) => [keyOf(vocabulary, id), { vocabulary, id }]));
  const values = [[...asked.values()].map(({ vocabulary }) => vocabulary), [...asked.values()].map(({ id }) => id)];
  const rows = asked.size === 0 ? [] : await sql.rows<Step>(ABOVE, values);
  const parents = new Map(rows.map(({ vocabulary, ext, parent }) => [keyOf(vocabulary, ext), parent]));
  return { parentOf: (vocabulary, id) => parents.get(keyOf(vocabulary, id)) };
}

const keyOf = (vocabulary: string, id: string): string => `${vocabulary}/${id}`;
