import type {
  ChangedRecord,
  ChangedTerm,
  ChangesSince,
  ImportedTerm,
  SearchSubject,
} from "../../../ports/index-source.js";
import type { Sql } from "../connection/sql.js";

interface SinceRequest {
  /** Index whose refused documents count as changed. */
  readonly index: string;
  readonly after: number;
  /** The last change in the view. */
  readonly head: number;
  readonly limit: number;
}

interface ChangeRow {
  readonly seq: number;
  readonly kind: "record" | "term";
  readonly action: string;
  readonly place: string;
  readonly id: string;
}

/** An import that a generation of its vocabulary contains is no change for the index ($3). */
const IS_CHANGE = `(c.kind = 'record' OR c.action <> 'imported' OR NOT EXISTS (
    SELECT FROM index_vocabulary v WHERE v.index = $3 AND v.vocabulary = c.place
      AND v.import >= CASE c.action WHEN 'imported' THEN c.id::bigint END))`;

const CHANGES = `SELECT seq, kind, action, place, id FROM change c
  WHERE seq > $1 AND ${IS_CHANGE} ORDER BY seq LIMIT $2`;

const CHANGES_OF = `SELECT seq, kind, action, place, id FROM change c
  WHERE seq > $1 AND kind = $4 AND ($4 = 'record' OR place = $5) AND ${IS_CHANGE} ORDER BY seq LIMIT $2`;

const FAILURES = "SELECT kind, 'refused' AS action, place, id, seq FROM index_failure WHERE index = $1";

const ENTRIES = "SELECT DISTINCT id FROM (SELECT id FROM change_term WHERE import = $1 LIMIT $2) entry";

const IMPORTED = "SELECT n, id FROM change_term WHERE import = $1 AND n > $2 ORDER BY n LIMIT $3";

/** Maximum number of terms of imports that are read together with other changes. */
const ENTRIES_MAX = 10_000;

/** SQL for terms whose citation count changed, and the terms that replace them. */
const TOUCHED = `WITH RECURSIVE led(vocabulary, ext, seq) AS (
    SELECT vocabulary, ext, max(seq) FROM term_touched
    WHERE seq > $1 AND seq <= $2 AND vocabulary = coalesce($3, vocabulary) GROUP BY vocabulary, ext
    UNION SELECT l.vocabulary, next.successor, l.seq FROM led l CROSS JOIN LATERAL (
      SELECT successor FROM term WHERE vocabulary = l.vocabulary AND ext = l.ext
      UNION ALL SELECT successor FROM redirect WHERE vocabulary = l.vocabulary AND ext = l.ext
      UNION ALL SELECT successor FROM life WHERE vocabulary = l.vocabulary AND ext = l.ext) next
    WHERE next.successor IS NOT NULL)
  SELECT vocabulary, ext AS id, max(seq) AS seq FROM led GROUP BY vocabulary, ext LIMIT $4`;

/** Returns the changes after a change, at most `limit`. */
export async function changesSince(sql: Sql, { index, after, head, limit }: SinceRequest): Promise<ChangesSince> {
  const rows = await sql.rows<ChangeRow>(CHANGES, [after, limit, index]);
  const { taken: firstRows, large } = await takeFirst(sql, rows);
  const isComplete = firstRows.length === rows.length && large === undefined && rows.length < limit;
  const upTo = isComplete ? head : (large ?? firstRows.at(-1)!).seq;
  const refusedRows = await sql.rows<ChangeRow>(FAILURES, [index]);
  const collected = await collect(sql, [...refusedRows, ...firstRows], ENTRIES_MAX);
  if (after < head) collected.addTerms(await sql.rows<ChangedTerm>(TOUCHED, [after, upTo, null, NO_LIMIT]));
  return { upTo, ...collected.found(), large: large && { vocabulary: large.place, number: Number(large.id) } };
}

const COUNT = "SELECT count(*) AS entries FROM (SELECT FROM change_term WHERE import = $1 LIMIT $2) entry";

/** Returns the first changes whose imports have few enough terms, or one large import alone. */
async function takeFirst(
  sql: Sql,
  rows: readonly ChangeRow[],
): Promise<{ readonly taken: readonly ChangeRow[]; readonly large?: ChangeRow }> {
  let termCount = 0;
  for (const [index, row] of rows.entries()) {
    if (row.action !== "imported") continue;
    termCount += (await sql.row<{ readonly entries: number }>(COUNT, [Number(row.id), ENTRIES_MAX + 1]))!.entries;
    if (termCount > ENTRIES_MAX) return index === 0 ? { taken: [], large: row } : { taken: rows.slice(0, index) };
  }
  return { taken: rows };
}

/** Returns the terms of an import in the order of their places, after `n`. */
export const importedAfter = (sql: Sql, number: number, n: number, limit: number): Promise<readonly ImportedTerm[]> =>
  sql.rows<ImportedTerm>(IMPORTED, [number, n, limit]);

/** Returns the terms of a vocabulary whose citation count changed after the change `after`. */
export const touchedTerms = (sql: Sql, after: number, vocabulary: string): Promise<readonly ChangedTerm[]> =>
  sql.rows<ChangedTerm>(TOUCHED, [after, Number.MAX_SAFE_INTEGER, vocabulary, NO_LIMIT]);

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * Returns the changes of records, or of the terms of a vocabulary; undefined if they are too many.
 * @param hasRefused whether the index has refused any document
 */
export async function overlaySince(
  sql: Sql,
  of: SearchSubject,
  { index, after, head, limit, hasRefused }: SinceRequest & { readonly hasRefused: boolean },
): Promise<Pick<ChangesSince, "records" | "terms"> | undefined> {
  const vocabulary = of.kind === "term" ? of.vocabulary : "";
  const refusedRows = hasRefused ? await sql.rows<ChangeRow>(FAILURES, [index]) : [];
  // A term may be written several times before the index follows.
  const rowsMax = limit * CHANGES_EACH;
  const rows =
    after < head ? await sql.rows<ChangeRow>(CHANGES_OF, [after, rowsMax + 1, index, of.kind, vocabulary]) : [];
  if (rows.length > rowsMax) return undefined;
  const ownRefused = refusedRows.filter(
    ({ kind, place }) => kind === of.kind && (kind === "record" || place === vocabulary),
  );
  const collected = await collect(sql, [...ownRefused, ...rows], limit + 1);
  if (of.kind === "term" && after < head) {
    collected.addTerms(await sql.rows<ChangedTerm>(TOUCHED, [after, head, vocabulary, limit + 1]));
  }
  const { records, terms } = collected.found();
  return records.length + terms.length > limit ? undefined : { records, terms };
}

const CHANGES_EACH = 4;

interface CollectedChanges {
  addTerms(terms: readonly ChangedTerm[]): void;
  found(): Pick<ChangesSince, "records" | "terms">;
}

/**
 * Collects each record and term once, with its last change. @param entries maximum number of terms read from an import
 */
async function collect(sql: Sql, rows: readonly ChangeRow[], entries: number): Promise<CollectedChanges> {
  const records = new Map<string, ChangedRecord>();
  const terms = new Map<string, ChangedTerm>();
  const addTerms = (changedTerms: readonly ChangedTerm[]): void => {
    for (const term of changedTerms) {
      const key = `${term.vocabulary}/${term.id}`;
      if ((terms.get(key)?.seq ?? -1) < term.seq) terms.set(key, term);
    }
  };
  for (const { seq, kind, action, place, id } of rows) {
    if (kind === "record") records.set(id, { id, seq });
    else if (action !== "imported") addTerms([{ vocabulary: place, id, seq }]);
    else {
      const imported = await sql.rows<{ readonly id: string }>(ENTRIES, [Number(id), entries]);
      addTerms(imported.map((entry) => ({ vocabulary: place, id: entry.id, seq })));
    }
  }
  return { addTerms, found: () => ({ records: [...records.values()], terms: [...terms.values()] }) };
}
