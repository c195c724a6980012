import type { ChangedRecord, ChangedTerm, ChangesSince, ImportedTerm, Overlaid } from "../../../ports/index-source.js";
import type { Sql } from "../connection/sql.js";

interface SinceRequest {
  /** Whose refused documents count as changed. */
  readonly index: string;
  readonly after: number;
  /** The last change that there is. */
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

/** An import that a generation of its vocabulary has in it is no change to the index ($3). */
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

/** Terms of imports that are read together with other changes. */
const ENTRIES_MAX = 10_000;

/** Terms that are cited otherwise, and those that they lead to, which stand for them. */
const TOUCHED = `WITH RECURSIVE led(vocabulary, ext, seq) AS (
    SELECT vocabulary, ext, max(seq) FROM term_touched
    WHERE seq > $1 AND seq <= $2 AND vocabulary = coalesce($3, vocabulary) GROUP BY vocabulary, ext
    UNION SELECT l.vocabulary, next.successor, l.seq FROM led l CROSS JOIN LATERAL (
      SELECT successor FROM term WHERE vocabulary = l.vocabulary AND ext = l.ext
      UNION ALL SELECT successor FROM redirect WHERE vocabulary = l.vocabulary AND ext = l.ext
      UNION ALL SELECT successor FROM life WHERE vocabulary = l.vocabulary AND ext = l.ext) next
    WHERE next.successor IS NOT NULL)
  SELECT vocabulary, ext AS id, max(seq) AS seq FROM led GROUP BY vocabulary, ext LIMIT $4`;

/** What changed after a change, of so many changes at most. */
export async function changesSince(sql: Sql, { index, after, head, limit }: SinceRequest): Promise<ChangesSince> {
  const rows = await sql.rows<ChangeRow>(CHANGES, [after, limit, index]);
  const { taken, large } = await takeFirst(sql, rows);
  const isAll = taken.length === rows.length && large === undefined && rows.length < limit;
  const upTo = isAll ? head : (large ?? taken.at(-1)!).seq;
  const refused = await sql.rows<ChangeRow>(FAILURES, [index]);
  const changed = await collect(sql, [...refused, ...taken], ENTRIES_MAX);
  if (after < head) changed.addTerms(await sql.rows<ChangedTerm>(TOUCHED, [after, upTo, null, NO_LIMIT]));
  const { place, id } = large ?? {};
  return { upTo, ...changed.found(), ...(place && { large: { vocabulary: place, number: Number(id) } }) };
}

const COUNT = "SELECT count(*) AS entries FROM (SELECT FROM change_term WHERE import = $1 LIMIT $2) entry";

/** The first changes, which have not too many terms in imports, or one import alone that has. */
async function takeFirst(
  sql: Sql,
  rows: readonly ChangeRow[],
): Promise<{ readonly taken: readonly ChangeRow[]; readonly large?: ChangeRow }> {
  let read = 0;
  for (const [at, row] of rows.entries()) {
    if (row.action !== "imported") continue;
    read += (await sql.row<{ readonly entries: number }>(COUNT, [Number(row.id), ENTRIES_MAX + 1]))!.entries;
    if (read > ENTRIES_MAX) return at === 0 ? { taken: [], large: row } : { taken: rows.slice(0, at) };
  }
  return { taken: rows };
}

/** Terms of an import in the order of their places, beyond `n`. */
export const importedAfter = (sql: Sql, number: number, n: number, limit: number): Promise<readonly ImportedTerm[]> =>
  sql.rows<ImportedTerm>(IMPORTED, [number, n, limit]);

/** Terms of a vocabulary that are cited otherwise than before the change `after`. */
export const touchedTerms = (sql: Sql, after: number, vocabulary: string): Promise<readonly ChangedTerm[]> =>
  sql.rows<ChangedTerm>(TOUCHED, [after, Number.MAX_SAFE_INTEGER, vocabulary, NO_LIMIT]);

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * What changed of records, or of the terms of a vocabulary; undefined: that is too much.
 * @param hasRefused has the index refused any document?
 */
export async function overlaySince(
  sql: Sql,
  of: Overlaid,
  { index, after, head, limit, hasRefused }: SinceRequest & { readonly hasRefused: boolean },
): Promise<Pick<ChangesSince, "records" | "terms"> | undefined> {
  const vocabulary = of.kind === "term" ? of.vocabulary : "";
  const refused = hasRefused ? await sql.rows<ChangeRow>(FAILURES, [index]) : [];
  // An item may be written several times before the index follows.
  const most = limit * CHANGES_EACH;
  const rows = after < head ? await sql.rows<ChangeRow>(CHANGES_OF, [after, most + 1, index, of.kind, vocabulary]) : [];
  if (rows.length > most) return undefined;
  const own = refused.filter(({ kind, place }) => kind === of.kind && (kind === "record" || place === vocabulary));
  const changed = await collect(sql, [...own, ...rows], limit + 1);
  if (of.kind === "term" && after < head) {
    changed.addTerms(await sql.rows<ChangedTerm>(TOUCHED, [after, head, vocabulary, limit + 1]));
  }
  const { records, terms } = changed.found();
  return records.length + terms.length > limit ? undefined : { records, terms };
}

const CHANGES_EACH = 4;

interface Changed {
  addTerms(terms: readonly ChangedTerm[]): void;
  found(): Pick<ChangesSince, "records" | "terms">;
}

/** Each once, with its last change. @param entries of an import that are read at most */
async function collect(sql: Sql, rows: readonly ChangeRow[], entries: number): Promise<Changed> {
  const records = new Map<string, ChangedRecord>();
  const terms = new Map<string, ChangedTerm>();
  const addTerms = (some: readonly ChangedTerm[]): void => {
    for (const term of some) {
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
