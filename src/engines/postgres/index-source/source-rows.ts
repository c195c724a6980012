import type { StoredRecord } from "../../../core/record.js";
import { type Citations, storedCitations } from "../../../core/records/record-change.js";
import { readTermContent } from "../../../core/terms/term-row.js";
import type { SourceRecord, SourceTerm } from "../../../ports/index-documents.js";
import type { AssumedTerm } from "../../../query/index-model/leaves.js";
import type { Sql, SqlValue } from "../connection/sql.js";
import { COLUMNS } from "../records/record-reader.js";
import { citedTermsNow, RESOLVED_TERM_COLUMNS, type ResolvedTermRow } from "../terms/known-terms.js";

interface SourceTermRow extends ResolvedTermRow {
  readonly created: number;
  readonly cited: number | null;
}

/** Returns terms of a vocabulary ($1) in the order of their ids. @param where a condition on `t` */
export async function sourceTerms(
  sql: Sql,
  where: string,
  values: readonly SqlValue[],
  limit = "",
): Promise<readonly SourceTerm[]> {
  const rows = await sql.rows<SourceTermRow>(
    `SELECT t.*, c.latest AS cited FROM (
      SELECT ${RESOLVED_TERM_COLUMNS}, t.created, t.vocabulary FROM term t
      WHERE t.vocabulary = $1 AND ${where} ORDER BY t.ext ${limit}) t
    LEFT JOIN LATERAL citations_of(t.vocabulary, t.ext) c ON true ORDER BY t.ext`,
    values,
  );
  return rows.map((row) => ({
    content: readTermContent(row),
    revision: row.revision,
    created: row.created,
    status: row.status,
    prior: row.prior,
    length: row.length,
    citedBy: row.cited ?? 0,
  }));
}

const SOURCE = `${COLUMNS}, rec.row, rec.seq, rec.latest, rec.cites,
  EXISTS (SELECT FROM rec AS other WHERE other.pid = rec.pid AND other.state <> rec.state) AS "hasOtherState",
  CASE rec.state WHEN 'draft' THEN ARRAY(SELECT "user"::text FROM access WHERE pid = rec.pid) ELSE '{}' END AS shared`;

/** SQL for all states of records. */
export const RECORDS_OF = `${SOURCE} FROM rec WHERE rec.pid = ANY($1::text[]) ORDER BY rec.pid, rec.state`;

/**
 * SQL for records in row order, with at most $3 bytes of bodies, but at least one. Computing their sizes reads no body.
 */
export const RECORDS_AFTER = `${SOURCE} FROM rec JOIN (
    SELECT place, bytes, sum(bytes) OVER (ORDER BY place) AS total FROM (
      SELECT row AS place, octet_length(json) AS bytes FROM rec WHERE row > $1 ORDER BY row LIMIT $2) next) part
    ON rec.row = part.place
  WHERE part.total <= $3 OR part.total = part.bytes ORDER BY rec.row`;

/** SQL for the sizes of the bodies of records. */
export const BYTES_OF = `SELECT pid AS id, sum(octet_length(json)) AS bytes FROM rec
  WHERE pid = ANY($1::text[]) GROUP BY pid`;

interface SourceRow extends StoredRecord {
  readonly row: number;
  readonly seq: number;
  readonly latest: boolean;
  readonly cites: string;
  readonly hasOtherState: boolean;
  readonly shared: readonly string[];
}

/** Returns records as an index takes them, with the current content of the terms that they cite. */
export async function sourceRecords(
  sql: Sql,
  select: string,
  values: readonly SqlValue[],
): Promise<readonly SourceRecord[]> {
  const rows = await sql.rows<SourceRow>(select, values);
  const cites = rows.map((row) => storedCitations(row.cites, row.id));
  const termByKey = await readTerms(sql, cites.flat());
  return rows.map(({ row, seq, latest, cites: _, hasOtherState, shared, ...record }, i) => ({
    record,
    row,
    seq,
    isLatest: latest,
    hasOtherState,
    sharedWith: shared,
    terms: cites[i]!.map(([vocabulary, id]) => termByKey.get(termKey(vocabulary, id))!),
  }));
}

const termKey = (vocabulary: string, id: string): string => `${vocabulary}/${id}`;

/** Returns each of these terms, read once. */
async function readTerms(sql: Sql, cites: Citations): Promise<ReadonlyMap<string, AssumedTerm>> {
  const requested = new Map(cites.map(([vocabulary, id]) => [termKey(vocabulary, id), { vocabulary, id }]));
  if (requested.size === 0) return new Map();
  const terms = await citedTermsNow(sql, [...requested.values()]);
  return new Map(terms.map((term) => [termKey(term.vocabulary, term.id), term]));
}
