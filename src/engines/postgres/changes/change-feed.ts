import {
  type ChangePageRequest,
  type ChangePlace,
  type FeedEntry,
  type FeedRow,
  FIRST_PLACE,
  feedPage,
  isWanted,
} from "../../../core/feed/feed.js";
import type { ChangeReader } from "../../../ports/change-reader.js";
import type { Sql } from "../connection/sql.js";

const HEAD = "SELECT shown AS seq, time FROM change WHERE shown IS NOT NULL ORDER BY shown DESC LIMIT 1";

/**
 * Reads the head, the time of the change at the place, and the changes after it: one row at least. Older versions gave
 * drafts a number too.
 */
const ROWS = `SELECT head.seq AS head_seq, head.time AS head_time,
    (SELECT time FROM change WHERE shown = $1) AS after_time, public.*
  FROM (SELECT) one LEFT JOIN (${HEAD}) head ON true LEFT JOIN LATERAL (
    SELECT shown AS seq, time, kind, action, place, id, revision FROM change
    WHERE (kind = 'term' OR state = 'published') AND shown >= $2 AND shown <= coalesce($3, head.seq)
    ORDER BY shown LIMIT $4) public ON true
  ORDER BY public.seq`;

/** Reads entries of the imports with these public numbers; of the first import only those after an entry. */
const ENTRIES = `SELECT imports.id AS import, entry.n, entry.id, entry.action, entry.revision
  FROM (SELECT shown AS seq, id FROM change WHERE shown = ANY($1::bigint[]) ORDER BY shown) imports
  CROSS JOIN LATERAL (
    SELECT n, id, action, revision FROM change_term
    WHERE import = imports.id::bigint AND n > CASE imports.seq WHEN $2 THEN $3::bigint ELSE 0 END
    ORDER BY n LIMIT $4) entry
  ORDER BY imports.seq, entry.n LIMIT $4`;

interface PageRow extends Omit<FeedRow, "seq"> {
  /** None: there are no changes. */
  readonly seq: number | null;
  readonly head_seq: number | null;
  readonly head_time: number | null;
  readonly after_time: number | null;
}

interface ImportEntry extends FeedEntry {
  /** Its number, as `FeedRow.id` has it. */
  readonly import: string;
}

/**
 * The changes of a page are read in one statement, which is one state of the store. They are for ever, and so are the
 * entries of imports among them: what is read of these afterwards is as it was then.
 */
export function makeChangeReader(sql: Sql): ChangeReader {
  return {
    page: async (request) => {
      const { after, limit, until } = request;
      const first = after.entry === undefined ? after.seq + 1 : after.seq;
      const read = await sql.rows<PageRow>(ROWS, [...[after.seq, first, until?.seq ?? null, limit]]);
      const { head_seq, head_time, after_time } = read[0]!;
      const rows = read.filter((row): row is PageRow & FeedRow => row.seq !== null);
      const entries = await entriesOf(sql, rows, request);
      return feedPage(request, {
        timeOf: () => after_time ?? undefined,
        head: () => (head_seq === null || head_time === null ? FIRST_PLACE : { seq: head_seq, time: head_time }),
        rows: () => rows,
        entries: (id, _after, most) => (entries.get(id) ?? []).slice(0, most),
      });
    },
    head: () => headPlace(sql),
  };
}

/** As many entries of the imports among these rows as the page can have, by import. */
async function entriesOf(
  sql: Sql,
  rows: readonly FeedRow[],
  { after, limit, filter = {} }: ChangePageRequest,
): Promise<ReadonlyMap<string, readonly FeedEntry[]>> {
  const imports = rows.filter((row) => row.action === "imported" && isWanted(filter, row));
  const found = new Map<string, FeedEntry[]>();
  if (imports.length === 0) return found;
  const seqs = imports.map(({ seq }) => seq);
  const entries = await sql.rows<ImportEntry>(ENTRIES, [seqs, after.seq, after.entry ?? 0, limit]);
  for (const { import: number, ...entry } of entries) {
    const some = found.get(number) ?? [];
    some.push(entry);
    found.set(number, some);
  }
  return found;
}

/** Returns the place after the last change with a public number. */
export async function headPlace(sql: Sql): Promise<ChangePlace> {
  return (await sql.row<ChangePlace>(HEAD)) ?? FIRST_PLACE;
}
