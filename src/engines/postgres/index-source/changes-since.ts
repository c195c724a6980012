import type { ChangedRecord, ChangedTerm, ChangesSince } from "../../../ports/index-source.js";
import type { Sql } from "../connection/sql.js";

export interface SinceRequest {
  /** Whose refused documents count as changed. */
  readonly index: string;
  readonly after: number;
  /** The last change that there is. */
  readonly head: number;
  readonly limit: number;
}

const CHANGES = "SELECT seq, kind, action, place, id FROM change WHERE seq > $1 ORDER BY seq LIMIT $2";

interface ChangeRow {
  readonly seq: number;
  readonly kind: "record" | "term";
  readonly action: string;
  readonly place: string;
  readonly id: string;
}

const ENTRIES = "SELECT DISTINCT id FROM change_term WHERE import = $1";

const FAILURES = "SELECT kind, place, id, seq FROM index_failure WHERE index = $1";

/** Terms that are cited otherwise, and those that they lead to, which stand for them. */
const TOUCHED = `WITH RECURSIVE led(vocabulary, ext, seq) AS (
    SELECT vocabulary, ext, max(seq) FROM term_touched WHERE seq > $1 AND seq <= $2 GROUP BY vocabulary, ext
    UNION SELECT l.vocabulary, next.successor, l.seq FROM led l CROSS JOIN LATERAL (
      SELECT successor FROM term WHERE vocabulary = l.vocabulary AND ext = l.ext
      UNION ALL SELECT successor FROM redirect WHERE vocabulary = l.vocabulary AND ext = l.ext
      UNION ALL SELECT successor FROM life WHERE vocabulary = l.vocabulary AND ext = l.ext) next
    WHERE next.successor IS NOT NULL)
  SELECT vocabulary, ext AS id, max(seq) AS seq FROM led GROUP BY vocabulary, ext`;

/** What changed after a change, of so many changes at most. */
export async function changesSince(sql: Sql, { index, after, head, limit }: SinceRequest): Promise<ChangesSince> {
  const rows = await sql.rows<ChangeRow>(CHANGES, [after, limit]);
  const upTo = rows.length < limit ? head : rows.at(-1)!.seq;
  const records = new Map<string, ChangedRecord>();
  const terms = new Map<string, ChangedTerm>();
  const addTerm = (term: ChangedTerm): void => {
    const key = `${term.vocabulary}/${term.id}`;
    if ((terms.get(key)?.seq ?? -1) < term.seq) terms.set(key, term);
  };
  const refused = await sql.rows<Omit<ChangeRow, "action">>(FAILURES, [index]);
  for (const { seq, kind, action, place, id } of [...refused.map((row) => ({ ...row, action: "refused" })), ...rows]) {
    if (kind === "record") records.set(id, { id, seq });
    else if (action !== "imported") addTerm({ vocabulary: place, id, seq });
    else {
      const entries = await sql.rows<{ readonly id: string }>(ENTRIES, [Number(id)]);
      for (const entry of entries) addTerm({ vocabulary: place, id: entry.id, seq });
    }
  }
  if (after < head) for (const term of await sql.rows<ChangedTerm>(TOUCHED, [after, upTo])) addTerm(term);
  return { upTo, records: [...records.values()], terms: [...terms.values()] };
}
