import type { Catalog } from "../../../core/catalog/types.js";
import { type JsonObject, storedObject } from "../../../core/json.js";
import type { StoredRecord } from "../../../core/record.js";
import type { IndexMarks, SearchedIndex, SourceView } from "../../../ports/index-source.js";
import { publicAfter } from "../admin/index-status.js";
import type { Connection, Pool, Sql } from "../connection/sql.js";
import { unhurry } from "../connection/unhurried.js";
import { COLUMNS, makeRecordReader } from "../records/record-reader.js";
import { FOUND, type FoundRow } from "../terms/known-terms.js";
import { makeTermFinder } from "../terms/term-finder.js";
import { BESIDE_COLUMNS, type BesideRow, besideTerm, shownTerm } from "../terms/term-reader.js";
import { below, belowMoved } from "./below.js";
import { changesSince, importedAfter, overlaySince } from "./changes-since.js";
import { findLargeTerms } from "./large-terms.js";
import { lineageOf } from "./lineage.js";
import { placedTerms } from "./regions.js";
import { BYTES_OF, RECORDS_AFTER, RECORDS_OF, sourceRecords } from "./source-records.js";
import { sourceTerms } from "./source-terms.js";

/** When the server was started, the file of this table, and this database: who puts back an older state changes one. */
const RUN = `concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), pg_relation_filenode('index_state'),
  (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/** The first statement of a transaction takes its snapshot. */
const START = `SELECT head.seq AS head, ${RUN} AS run, i.*,
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

const MADE = "SELECT made FROM index_state WHERE name = $1";

/** Opens the state of this moment, in a transaction of a connection of its own. */
export async function openSourceView(
  pool: Pool,
  catalog: Catalog,
  others: readonly string[] = [],
): Promise<SourceView> {
  const connection = await pool.connect();
  try {
    const begun = connection.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // Sent without waiting for the answer of the one before.
    const [, start] = await Promise.all([begun, connection.row<Start>(START, [[...others]])]);
    const { head, run, hasRefused, generations, ...state } = start!;
    const index = state.name === null ? undefined : state;
    const known =
      generations === null
        ? {}
        : storedObject<Readonly<Record<string, number>>>(generations, "The generations of the index", state.name ?? "");
    const { sql, closing } = untilClosed(connection);
    return {
      ...{ head, run, index },
      close: async () => end(closing()),
      closeAndLook: async (name) => endAndLook(closing(), name),
      generationOf: (name, vocabulary) => known[`${name} ${vocabulary}`] ?? 0,
      ...readsOf(sql, catalog, { head, hasRefused, index: index?.name ?? "" }),
    };
  } catch (error) {
    connection.release(true);
    throw error;
  }
}

/** What is read after the end of the transaction would be of another state, on a connection that others have. */
function untilClosed(connection: Connection): { readonly sql: Sql; closing(): Connection } {
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

const PUBLIC = `SELECT ${publicAfter("$1")} AS count`;

const BODIES = `${COLUMNS} FROM rec JOIN unnest($1::text[], $2::text[]) a(id, state)
  ON rec.pid = a.id AND rec.state = a.state`;

function readsOf(
  sql: Sql,
  catalog: Catalog,
  { head, hasRefused, index }: { readonly head: number; readonly hasRefused: boolean; readonly index: string },
): Omit<SourceView, "head" | "run" | "index" | "generationOf" | "close" | "closeAndLook"> {
  return {
    made: async () =>
      storedObject<JsonObject>(
        (await sql.row<{ readonly made: string }>(MADE, [index]))?.made,
        "The state of the index",
        index,
      ),
    records: makeRecordReader(sql),
    terms: makeTermFinder(sql, catalog),
    changesSince: (after, limit, of = index) => changesSince(sql, { index: of, after, head, limit }),
    countPublic: async (after) => (await sql.row<{ readonly count: number }>(PUBLIC, [after]))!.count,
    importedAfter: (number, n, limit) => importedAfter(sql, number, n, limit),
    overlaySince: (after, of, limit) => overlaySince(sql, of, { index, after, head, limit, hasRefused }),
    bytesOf: async (ids) => {
      const rows = await sql.rows<{ readonly id: string; readonly bytes: number }>(BYTES_OF, [[...ids]]);
      return new Map(rows.map(({ id, bytes }) => [id, bytes]));
    },
    recordsOf: (ids) => sourceRecords(sql, RECORDS_OF, [[...ids]]),
    recordsAfter: (row, { records, bytes }) => sourceRecords(sql, RECORDS_AFTER, [row, records, bytes]),
    bodiesOf: async (keys) => {
      const values = [keys.map(({ id }) => id), keys.map(({ state }) => state)];
      const rows = await sql.rows<StoredRecord>(BODIES, values);
      const found = new Map(rows.map((row) => [`${row.state} ${row.id}`, row]));
      return keys.map(({ id, state }) => found.get(`${state} ${id}`));
    },
    termsOf: (vocabulary, ids) => sourceTerms(sql, "t.ext = ANY($2::text[])", [vocabulary, [...new Set(ids)]]),
    termsAfter: (vocabulary, id, limit) => sourceTerms(sql, "t.ext > $2", [vocabulary, id, limit], "LIMIT $3"),
    shownTerms: async (vocabulary, ids) => {
      const rows = await sql.rows<ShownRow>(SHOWN, [vocabulary, ids]);
      const found = new Map(rows.map((row) => [row.ext, shownTerm(vocabulary, row, row)]));
      return ids.map((id) => found.get(id));
    },
    findLargeTerms: async (vocabulary, above) => {
      await unhurry(sql);
      return findLargeTerms(sql, vocabulary, above);
    },
    placed: (vocabulary, terms, of = index) => placedTerms(sql, of, vocabulary, terms),
    below: (request) => below(sql, index, request),
    belowMoved: (vocabulary) => belowMoved(sql, index, vocabulary),
    lineageOf: (terms) => lineageOf(sql, terms),
  };
}

const SHOWN = `SELECT ${FOUND}, ${BESIDE_COLUMNS} FROM term t ${besideTerm("t.vocabulary", "t.ext", "t.parent")}
  WHERE t.vocabulary = $1 AND t.ext = ANY($2::text[])`;

type ShownRow = FoundRow & BesideRow;
