import { type EditedField, editedFields, type TermChange } from "../../../core/terms/edited-fields.js";
import type { TermHistoryKeeper, TermHistoryReader } from "../../../ports/terms.js";
import {
  type HistoryColumns,
  historyChange,
  historyEntry,
  mergeTimesIn,
  SUCCESSOR_PATTERN,
  statusSource,
  writtenBy,
} from "../../rows/history-rows.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";

interface Row extends HistoryColumns {
  readonly ext: string;
}

/** Entries of the history. A load has no user: the operator runs it at the command line. */
const ENTRIES = `SELECT h.ext, h.revision, h.action, h.load, coalesce(h.time, l.time) AS time,
    coalesce(h.who, 'operator') AS who, l.source, h.changes
  FROM term_history h LEFT JOIN term_load l ON l.id = h.load`;

const LIST = `${ENTRIES} WHERE h.vocabulary = $1 AND h.ext = $2
  ORDER BY h.revision DESC, h.id DESC LIMIT $3 OFFSET $4`;
const COUNT = "SELECT count(*) AS total FROM term_history WHERE vocabulary = $1 AND ext = $2";
const OF_TERMS = `${ENTRIES} WHERE h.vocabulary = $1 AND h.ext = ANY($2::text[]) ORDER BY h.revision, h.id`;
const MERGES = `${ENTRIES} WHERE h.vocabulary = $1 AND h.ext = ANY($2::text[]) AND h.changes LIKE $3
  ORDER BY h.revision, h.id`;

/** Makes the reader of the histories of terms. */
export function makeTermHistoryReader(sql: Sql): TermHistoryReader {
  return {
    list: async (vocabulary, id, { offset, limit }) => {
      const rows = await sql.rows<Row>(LIST, [vocabulary, id, limit, offset]);
      const { total } = (await sql.row<{ readonly total: number }>(COUNT, [vocabulary, id]))!;
      return { entries: rows.map((row) => historyEntry(row, id)), total };
    },
    mergeTimes: async (vocabulary, ids) =>
      mergeTimesIn(ids.length === 0 ? [] : await sql.rows<Row>(MERGES, [vocabulary, ids, SUCCESSOR_PATTERN])),
    edited: async (vocabulary, id) => [...((await readHistory(sql, vocabulary, [id])).get(id)?.edited.values() ?? [])],
  };
}

const ADD = `INSERT INTO term_history(vocabulary, ext, revision, action, time, "user", who, changes)
  VALUES($1, $2, $3, $4, $5, $6, $7, $8)`;

const CREATED_BY = `"user" = $1 AND action = 'created' AND load IS NULL`;
const CREATED = `SELECT count(*) AS n FROM (SELECT FROM term_history WHERE ${CREATED_BY} LIMIT $2) created`;
const UNCITED = `SELECT count(*) AS n FROM term_history h WHERE ${CREATED_BY}
  AND NOT EXISTS (
    SELECT FROM citation_count c WHERE c.vocabulary = h.vocabulary AND c.ext = h.ext AND c.latest + c.others > 0)
  AND NOT EXISTS (
    SELECT FROM term_history later WHERE later.vocabulary = h.vocabulary AND later.ext = h.ext
      AND later.id > h.id AND later.action IN ('created', 'removed'))`;

/** Makes the writer of histories in the open transaction. */
export function makeTermHistoryKeeper({
  sql,
  now,
  locks,
}: Pick<OpenTransaction, "sql" | "now" | "locks">): TermHistoryKeeper {
  return {
    ...makeTermHistoryReader(sql),
    add: async (actor, { vocabulary, id }, { revision, action, fields }) => {
      await sql.run(ADD, [vocabulary, id, revision, action, now, ...writtenBy(actor), JSON.stringify(fields)]);
    },
    countUncited: async (user, limit) => {
      await locks.take("quota", user);
      const { n: created } = (await sql.row<Counted>(CREATED, [Number(user), limit]))!;
      return created < limit ? created : (await sql.row<Counted>(UNCITED, [Number(user)]))!.n;
    },
  };
}

interface Counted {
  readonly n: number;
}

/** The origin of a term's current state, from its history. */
export interface TermOrigin {
  /** Fields that users changed after the last change by the source. */
  readonly edited: ReadonlyMap<string, EditedField>;
  /** Name of the source of the load that last changed the status; absent if a user did. */
  readonly statusFrom?: string | undefined;
  /** Changes of the term, oldest first. */
  readonly changes: readonly TermChange[];
}

/** Reads the histories of several terms of a vocabulary, by id. Terms without a history are left out. */
export async function readHistory(
  sql: Sql,
  vocabulary: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TermOrigin>> {
  const rows = ids.length === 0 ? [] : await sql.rows<Row>(OF_TERMS, [vocabulary, [...new Set(ids)]]);
  const rowsById = new Map<string, Row[]>();
  for (const row of rows) {
    const termRows = rowsById.get(row.ext);
    if (termRows === undefined) rowsById.set(row.ext, [row]);
    else termRows.push(row);
  }
  return new Map([...rowsById].map(([id, termRows]) => [id, termOrigin(id, termRows)]));
}

/** @param rows entries of one term, oldest first */
function termOrigin(id: string, rows: readonly Row[]): TermOrigin {
  const statusFrom = statusSource(rows, id);
  const changes = rows.map((row) => historyChange(row, id));
  return { edited: editedFields(changes), changes, statusFrom };
}
