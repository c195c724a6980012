import { contentOf } from "../../../core/terms/term-row.js";
import type { SourceTerm } from "../../../ports/index-source.js";
import type { Sql, SqlValue } from "../connection/sql.js";
import { FOUND, type FoundRow } from "../terms/known-terms.js";

interface SourceTermRow extends FoundRow {
  readonly created: number;
  readonly cited: number | null;
}

/** Items of a vocabulary ($1), in the order of their ids. @param where a condition on `t` */
export async function sourceTerms(
  sql: Sql,
  where: string,
  values: readonly SqlValue[],
  limit = "",
): Promise<readonly SourceTerm[]> {
  const rows = await sql.rows<SourceTermRow>(
    `SELECT t.*, c.latest AS cited FROM (
      SELECT ${FOUND}, t.created, t.vocabulary FROM term t
      WHERE t.vocabulary = $1 AND ${where} ORDER BY t.ext ${limit}) t
    LEFT JOIN LATERAL citations_of(t.vocabulary, t.ext) c ON true ORDER BY t.ext`,
    values,
  );
  return rows.map((row) => ({
    content: contentOf(row),
    ...{ revision: row.revision, created: row.created, status: row.status, prior: row.prior, length: row.length },
    citedBy: row.cited ?? 0,
  }));
}
