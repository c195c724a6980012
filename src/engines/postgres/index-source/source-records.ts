import type { StoredRecord } from "../../../core/record.js";
import { type Citations, storedCitations } from "../../../core/records/record-change.js";
import type { SourceRecord } from "../../../ports/index-source.js";
import type { AssumedTerm } from "../../../query/index-model/leaves.js";
import type { Sql, SqlValue } from "../connection/sql.js";
import { COLUMNS } from "../records/record-reader.js";
import { citedTermsNow } from "../terms/known-terms.js";

const SOURCE = `${COLUMNS}, rec.row, rec.seq, rec.latest, rec.cites,
  EXISTS (SELECT FROM rec AS twin WHERE twin.pid = rec.pid AND twin.state <> rec.state) AS "hasTwin",
  CASE rec.state WHEN 'draft' THEN ARRAY(SELECT "user"::text FROM access WHERE pid = rec.pid) ELSE '{}' END AS shared`;

/** All states of records. */
export const RECORDS_OF = `${SOURCE} FROM rec WHERE rec.pid = ANY($1::text[]) ORDER BY rec.pid, rec.state`;

/** Some records in the order of their rows, with so many bytes of bodies ($3), or one. Their lengths read no body. */
export const RECORDS_AFTER = `${SOURCE} FROM rec JOIN (
    SELECT place, bytes, sum(bytes) OVER (ORDER BY place) AS total FROM (
      SELECT row AS place, octet_length(json) AS bytes FROM rec WHERE row > $1 ORDER BY row LIMIT $2) next) part
    ON rec.row = part.place
  WHERE part.total <= $3 OR part.total = part.bytes ORDER BY rec.row`;

/** How many bytes the bodies of records have. */
export const BYTES_OF = `SELECT pid AS id, sum(octet_length(json)) AS bytes FROM rec
  WHERE pid = ANY($1::text[]) GROUP BY pid`;

interface SourceRow extends StoredRecord {
  readonly row: number;
  readonly seq: number;
  readonly latest: boolean;
  readonly cites: string;
  readonly hasTwin: boolean;
  readonly shared: readonly string[];
}

/** Records as an index takes them: with the terms that they cite, as these are now. */
export async function sourceRecords(
  sql: Sql,
  select: string,
  values: readonly SqlValue[],
): Promise<readonly SourceRecord[]> {
  const rows = await sql.rows<SourceRow>(select, values);
  const cites = rows.map((row) => storedCitations(row.cites, row.id));
  const termOf = await termsNow(sql, cites.flat());
  return rows.map(({ row, seq, latest, cites: _, hasTwin, shared, ...record }, i) => ({
    ...{ record, row, seq, isLatest: latest, hasTwin, sharedWith: shared },
    terms: cites[i]!.map(([vocabulary, id]) => termOf.get(keyOf(vocabulary, id))!),
  }));
}

const keyOf = (vocabulary: string, id: string): string => `${vocabulary}/${id}`;

/** Each of these terms, asked for once. */
async function termsNow(sql: Sql, cites: Citations): Promise<ReadonlyMap<string, AssumedTerm>> {
  const asked = new Map(cites.map(([vocabulary, id]) => [keyOf(vocabulary, id), { vocabulary, id }]));
  if (asked.size === 0) return new Map();
  const terms = await citedTermsNow(sql, [...asked.values()]);
  return new Map(terms.map((term) => [keyOf(term.vocabulary, term.id), term]));
}
