import {
  type ChangePageRequest,
  type ChangePlace,
  type FeedEntry,
  type FeedRow,
  FIRST_PLACE,
  feedPage,
  passesFilter,
} from "../../../core/feed/feed.js";
import type { ChangeReader, DataChanges } from "../../../ports/changes.js";
import type { Sql } from "../connection/sql.js";

const SELECT_HEAD = "SELECT shown AS seq, time FROM change WHERE shown IS NOT NULL ORDER BY shown DESC LIMIT 1";

/**
 * Reads the head, the time of the change at the place, and the changes after it: at least one row. Earlier versions
 * gave public numbers to drafts too.
 */
const SELECT_PAGE = `SELECT head.seq AS head_seq, head.time AS head_time,
    (SELECT time FROM change WHERE shown = $1) AS after_time, public.*
  FROM (SELECT) one LEFT JOIN (${SELECT_HEAD}) head ON true LEFT JOIN LATERAL (
    SELECT shown AS seq, time, kind, action, place, id, revision FROM change
    WHERE (kind = 'term' OR state = 'published') AND shown >= $2 AND shown <= coalesce($3, head.seq)
    ORDER BY shown LIMIT $4) public ON true
  ORDER BY public.seq`;

/** Reads entries of the imports with these public numbers; for the first import only those after an entry. */
const SELECT_ENTRIES = `SELECT imports.id AS import, entry.n, entry.id, entry.action, entry.revision
  FROM (SELECT shown AS seq, id FROM change WHERE shown = ANY($1::bigint[]) ORDER BY shown) imports
  CROSS JOIN LATERAL (
    SELECT n, id, action, revision FROM change_term
    WHERE import = imports.id::bigint AND n > CASE imports.seq WHEN $2 THEN $3::bigint ELSE 0 END
    ORDER BY n LIMIT $4) entry
  ORDER BY imports.seq, entry.n LIMIT $4`;

interface PageRow extends Omit<FeedRow, "seq"> {
  /** null: there are no changes. */
  readonly seq: number | null;
  readonly head_seq: number | null;
  readonly head_time: number | null;
  readonly after_time: number | null;
}

interface ImportEntry extends FeedEntry {
  /** Number of the import, as in `FeedRow.id`. */
  readonly import: string;
}

/**
 * Makes the reader of the feed. The changes of a page are read in one statement, which sees one state of the store.
 * Changes and entries of imports are immutable, so later reads of these entries are consistent.
 */
export function makeChangeReader(sql: Sql): ChangeReader {
  return {
    page: async (request) => {
      const { after, limit, until } = request;
      const first = after.entry === undefined ? after.seq + 1 : after.seq;
      const pageRows = await sql.rows<PageRow>(SELECT_PAGE, [after.seq, first, until?.seq ?? null, limit]);
      const { head_seq, head_time, after_time } = pageRows[0]!;
      const rows = pageRows.filter((row): row is PageRow & FeedRow => row.seq !== null);
      const entries = await readEntries(sql, rows, request);
      return feedPage(request, {
        timeOf: () => after_time ?? undefined,
        head: () => (head_seq === null || head_time === null ? FIRST_PLACE : { seq: head_seq, time: head_time }),
        rows: () => rows,
        entries: (id, _after, limitOfEntries) => (entries.get(id) ?? []).slice(0, limitOfEntries),
      });
    },
    head: () => headPlace(sql),
  };
}

/** Returns entries of the imports among these rows by import, as many as fit into the page. */
async function readEntries(
  sql: Sql,
  rows: readonly FeedRow[],
  { after, limit, filter = {} }: ChangePageRequest,
): Promise<ReadonlyMap<string, readonly FeedEntry[]>> {
  const imports = rows.filter((row) => row.action === "imported" && passesFilter(filter, row));
  const entriesByImport = new Map<string, FeedEntry[]>();
  if (imports.length === 0) return entriesByImport;
  const seqs = imports.map(({ seq }) => seq);
  const entries = await sql.rows<ImportEntry>(SELECT_ENTRIES, [seqs, after.seq, after.entry ?? 0, limit]);
  for (const { import: number, ...entry } of entries) {
    const importEntries = entriesByImport.get(number) ?? [];
    importEntries.push(entry);
    entriesByImport.set(number, importEntries);
  }
  return entriesByImport;
}

/** Returns the place after the last change with a public number. */
export async function headPlace(sql: Sql): Promise<ChangePlace> {
  return (await sql.row<ChangePlace>(SELECT_HEAD)) ?? FIRST_PLACE;
}

/**
 * Makes a watch for which everything counts as changed, so that no cached answer is reused: before each request it
 * would have to ask whether another node has committed anything.
 */
export function makeDataChanges(): DataChanges {
  let moment = 0;
  return {
    look: () => ++moment,
    areSame: () => false,
  };
}
