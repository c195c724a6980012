import type { Catalog } from "../../../core/catalog/types.js";
import { type JsonObject, storedObject } from "../../../core/json.js";
import type { StoredRecord } from "../../../core/record.js";
import type { Leadership } from "../../../ports/engine.js";
import type { IndexMarks, IndexSource, SearchedIndex, SourceView } from "../../../ports/index-source.js";
import { publicAfter } from "../admin/database-admin.js";
import type { Connection, Pool, Sql } from "../connection/sql.js";
import type { RunTransaction } from "../connection/write-transaction.js";
import { COLUMNS, makeRecordReader } from "../records/record-reader.js";
import { followSome } from "../terms/follow-terms.js";
import { RESOLVED_TERM_COLUMNS, type ResolvedTermRow } from "../terms/known-terms.js";
import { followMoved, hasMoved } from "../terms/moved-terms.js";
import { makeTermFinder } from "../terms/term-finder.js";
import { EXTRA_COLUMNS, type ExtraColumns, joinExtra, makeStoredTerm } from "../terms/term-reader.js";
import { changesSince, importedAfter, overlaySince } from "./changes-since.js";
import type { IndexLoads } from "./index-loads.js";
import { makeIndexStates } from "./index-states.js";
import { BYTES_OF, RECORDS_AFTER, RECORDS_OF, sourceRecords, sourceTerms } from "./source-rows.js";
import { makeTermTrees } from "./term-trees.js";

/**
 * SQL for the start time of the server, the file of this table, and this database, of which a restore changes at least
 * one.
 */
const RUN_ID = `concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), pg_relation_filenode('index_state'),
  (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/** The first statement of a transaction takes its snapshot. */
const SELECT_START = `SELECT head.seq AS head, ${RUN_ID} AS run, i.*,
  EXISTS (SELECT FROM index_failure f WHERE f.index = i.name) AS "hasRefused", (
    SELECT json_object_agg(index || ' ' || vocabulary, generation)::text FROM index_vocabulary) AS generations
  FROM feed_head head LEFT JOIN (
    SELECT name, epoch, digest, begun, applied FROM index_state
    WHERE (current OR scanned IS NULL) AND digest <> ALL($1::text[])
    ORDER BY current NULLS LAST, length(name) DESC, name DESC LIMIT 1) i ON true`;

type Start = {
  readonly head: number;
  readonly run: string;
  readonly hasRefused: boolean;
  readonly generations: string | null;
} & (SearchedIndex | { readonly name: null });

const SELECT_MADE = "SELECT made FROM index_state WHERE name = $1";

/** Opens the current state in a transaction on a connection of its own. */
async function openSourceView(pool: Pool, catalog: Catalog, otherDigests: readonly string[] = []): Promise<SourceView> {
  const connection = await pool.connect();
  try {
    const beginning = connection.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // Sent without waiting for the previous answer.
    const [, startRow] = await Promise.all([beginning, connection.row<Start>(SELECT_START, [[...otherDigests]])]);
    const { head, run, hasRefused, generations, ...state } = startRow!;
    const index = state.name === null ? undefined : state;
    const generationNumbers =
      generations === null
        ? {}
        : storedObject<Readonly<Record<string, number>>>(generations, "The generations of the index", state.name ?? "");
    const { sql, closing } = guardClosed(connection);
    return {
      head,
      run,
      index,
      close: async () => end(closing()),
      closeAndLook: async (name) => endAndLook(closing(), name),
      trees: makeTermTrees(sql, index?.name ?? "", generationNumbers),
      ...makeReads(sql, catalog, { head, hasRefused, index: index?.name ?? "" }),
    };
  } catch (error) {
    connection.release(true);
    throw error;
  }
}

/** Refuses reads after the end of the transaction, which would be of another state, on a connection in other use. */
function guardClosed(connection: Connection): { readonly sql: Sql; closing(): Connection } {
  let isOpen = true;
  const opened = (): Connection => {
    if (!isOpen) throw new Error("The view is closed.");
    return connection;
  };
  return {
    sql: {
      rows: async (text, values) => opened().rows(text, values),
      row: async (text, values) => opened().row(text, values),
      run: async (text, values) => opened().run(text, values),
    },
    closing: () => {
      const last = opened();
      isOpen = false;
      return last;
    },
  };
}

async function end(connection: Connection): Promise<void> {
  const isFree = await connection.script("COMMIT").then(
    () => true,
    () => false,
  );
  connection.release(!isFree);
}

const MARKS = "SELECT begun, applied FROM index_state WHERE name = $1";

async function endAndLook(connection: Connection, index: string): Promise<IndexMarks | undefined> {
  try {
    const [, marks] = await Promise.all([connection.script("COMMIT"), connection.row<IndexMarks>(MARKS, [index])]);
    connection.release();
    return marks;
  } catch (error) {
    connection.release(true);
    throw error;
  }
}

const COUNT_PUBLIC = `SELECT ${publicAfter("$1")} AS count`;

const BODIES = `${COLUMNS} FROM rec JOIN unnest($1::text[], $2::text[]) a(id, state)
  ON rec.pid = a.id AND rec.state = a.state`;

function makeReads(
  sql: Sql,
  catalog: Catalog,
  { head, hasRefused, index }: { readonly head: number; readonly hasRefused: boolean; readonly index: string },
): Omit<SourceView, "head" | "run" | "index" | "trees" | "close" | "closeAndLook"> {
  return {
    made: async () =>
      storedObject<JsonObject>(
        (await sql.row<{ readonly made: string }>(SELECT_MADE, [index]))?.made,
        "The state of the index",
        index,
      ),
    records: makeRecordReader(sql),
    terms: makeTermFinder(sql, catalog),
    changesSince: (after, limit, of = index) => changesSince(sql, { index: of, after, head, limit }),
    countPublic: async (after) => (await sql.row<{ readonly count: number }>(COUNT_PUBLIC, [after]))!.count,
    importedAfter: (number, n, limit) => importedAfter(sql, number, n, limit),
    overlaySince: (after, of, limit) => overlaySince(sql, of, { index, after, head, limit, hasRefused }),
    bodyBytes: async (ids) => {
      const rows = await sql.rows<{ readonly id: string; readonly bytes: number }>(BYTES_OF, [[...ids]]);
      return new Map(rows.map(({ id, bytes }) => [id, bytes]));
    },
    readRecords: (ids) => sourceRecords(sql, RECORDS_OF, [[...ids]]),
    recordsAfter: (row, { records, bytes }) => sourceRecords(sql, RECORDS_AFTER, [row, records, bytes]),
    readBodies: async (keys) => {
      if (keys.length === 0) return [];
      const values = [keys.map(({ id }) => id), keys.map(({ state }) => state)];
      const rows = await sql.rows<StoredRecord>(BODIES, values);
      const bodiesByKey = new Map(rows.map((row) => [`${row.state} ${row.id}`, row]));
      return keys.map(({ id, state }) => bodiesByKey.get(`${state} ${id}`));
    },
    readTerms: (vocabulary, ids) => sourceTerms(sql, "t.ext = ANY($2::text[])", [vocabulary, [...new Set(ids)]]),
    termsAfter: (vocabulary, id, limit) => sourceTerms(sql, "t.ext > $2", [vocabulary, id, limit], "LIMIT $3"),
    shownTerms: async (vocabulary, ids) => {
      if (ids.length === 0) return [];
      const rows = await sql.rows<ShownRow>(SHOWN, [vocabulary, ids]);
      const shownById = new Map(rows.map((row) => [row.ext, makeStoredTerm(vocabulary, row, row)]));
      return ids.map((id) => shownById.get(id));
    },
  };
}

const SHOWN = `SELECT ${RESOLVED_TERM_COLUMNS}, ${EXTRA_COLUMNS}
  FROM term t ${joinExtra("t.vocabulary", "t.ext", "t.parent")}
  WHERE t.vocabulary = $1 AND t.ext = ANY($2::text[])`;

type ShownRow = ResolvedTermRow & ExtraColumns;

/** Makes the source of indexes of this store: what they read of it, and what it records about them. */
export function makeIndexSource(
  pool: Pool,
  catalog: Catalog,
  transaction: RunTransaction,
  leadership: Leadership,
  { onLoads }: Pick<IndexLoads, "onLoads">,
): IndexSource {
  return {
    ...makeIndexStates(pool),
    leadership,
    onLoads,
    openView: (others) => openSourceView(pool, catalog, others),
    followSome: async () => (await followSome(transaction)) || ((await hasMoved(pool)) && followMoved(transaction)),
  };
}
