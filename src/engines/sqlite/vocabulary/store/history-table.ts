import { type EditedField, editedFields, type TitleGivers, titleGivers } from "../../../../core/terms/edited-fields.js";
import type { TermHistoryKeeper, TermHistoryReader } from "../../../../ports/terms.js";
import {
  type HistoryColumns,
  historyChange,
  historyEntry,
  mergeTimesIn,
  SUCCESSOR_PATTERN,
  statusSource,
  writtenBy,
} from "../../../rows/history-rows.js";
import type { Db } from "../../connection/database.js";
import { readOnSnapshot } from "./generation.js";

/** SQL for the entries of a term, without those of loads that are not done or failed. */
const ENTRIES = `FROM term_history h LEFT JOIN term_load l ON l.g = h.load
  WHERE h.vocabulary = ? AND h.ext = ? AND (h.load IS NULL OR l.g IS NOT NULL)`;

/** Loads are run by the operator. */
const COLUMNS = `h.revision, h.action, h.load, coalesce(h.time, l.time) AS time, coalesce(h.who, 'operator') AS who,
  l.source, h.changes`;

type MergeRow = HistoryColumns & { readonly ext: string };
const MERGES = `SELECT h.ext, ${COLUMNS} FROM term_history h LEFT JOIN term_load l ON l.g = h.load
  WHERE h.vocabulary = ? AND h.ext IN (SELECT value FROM json_each(?)) AND (h.load IS NULL OR l.g IS NOT NULL)
    AND h.changes LIKE ? ORDER BY h.revision, h.id`;

/** Makes the reader of the histories of terms. */
export function makeTermHistoryReader(db: Db): TermHistoryReader {
  return {
    list: async (vocabulary, id, { offset, limit }) =>
      readOnSnapshot(db, () => {
        const order = "ORDER BY h.revision DESC, h.id DESC LIMIT ? OFFSET ?";
        const rows = db.sql<HistoryColumns>(`SELECT ${COLUMNS} ${ENTRIES} ${order}`).all(vocabulary, id, limit, offset);
        const total = db.sql<number>(`SELECT count(*) ${ENTRIES}`).pluck().get(vocabulary, id)!;
        return { entries: rows.map((row) => historyEntry(row, id)), total };
      }),
    edited: async (vocabulary, id) => readOnSnapshot(db, () => [...readEditedFields(db, vocabulary, id).values()]),
    mergeTimes: async (vocabulary, ids) =>
      readOnSnapshot(db, () =>
        mergeTimesIn(db.sql<MergeRow>(MERGES).all(vocabulary, JSON.stringify(ids), SUCCESSOR_PATTERN)),
      ),
  };
}

/** Uses the index `term_history_made`. */
const CREATED_BY = "user = ? AND action = 'created' AND load IS NULL";
const COUNT_CREATED = `SELECT count(*) FROM (SELECT 1 FROM term_history WHERE ${CREATED_BY} LIMIT ?)`;
const COUNT_UNCITED = `SELECT count(*) FROM term_history h WHERE ${CREATED_BY}
  AND NOT EXISTS (SELECT 1 FROM use WHERE use.vocabulary = h.vocabulary AND use.ext = h.ext AND n + drafts > 0)
  AND NOT EXISTS (
    SELECT 1 FROM term_history later WHERE later.vocabulary = h.vocabulary AND later.ext = h.ext
      AND later.id > h.id AND later.action IN ('created', 'removed'))`;

/** Makes the reader and writer of histories. @param now instant of the open transaction in microseconds */
export function makeTermHistoryKeeper(db: Db, now: number): TermHistoryKeeper {
  const insert = `INSERT INTO term_history(vocabulary, ext, revision, action, time, user, who, changes)
    VALUES(?, ?, ?, ?, ?, ?, ?, ?)`;
  return {
    ...makeTermHistoryReader(db),
    add: async (actor, { vocabulary, id }, { revision, action, fields }) => {
      db.sql(insert).run(vocabulary, id, revision, action, now, ...writtenBy(actor), JSON.stringify(fields));
    },
    countUncited: async (user, limit) => {
      const created = db.sql<number>(COUNT_CREATED).pluck().get(Number(user), limit)!;
      return created < limit ? created : db.sql<number>(COUNT_UNCITED).pluck().get(Number(user))!;
    },
  };
}

/**
 * Returns whether a person has changed this term. In most vocabularies nobody has, which one query finds out for all
 * terms.
 */
export function mayBeEdited(db: Db, vocabulary: string, id: string): boolean {
  const editsQuery = `SELECT 1 FROM term_history WHERE vocabulary = ? AND load IS NULL AND action <> 'created'`;
  const hasEdits = db.untilCommit(
    `edited in ${vocabulary}`,
    () => db.sql(`${editsQuery} LIMIT 1`).get(vocabulary) !== undefined,
  );
  return hasEdits && db.sql(`${editsQuery} AND ext = ? LIMIT 1`).get(vocabulary, id) !== undefined;
}

/** Returns the fields of one term that people changed since its source last changed it. */
function readEditedFields(db: Db, vocabulary: string, id: string): ReadonlyMap<string, EditedField> {
  return editedFields(readHistory(db, vocabulary, id).map((row) => historyChange(row, id)));
}

/** Returns all rows of one term, oldest first. */
const readHistory = (db: Db, vocabulary: string, id: string): readonly HistoryColumns[] =>
  db.sql<HistoryColumns>(`SELECT ${COLUMNS} ${ENTRIES} ORDER BY h.revision, h.id`).all(vocabulary, id);

/** Returns the edited fields of all terms of a vocabulary that have any, by id. */
export function allEdited(db: Db, vocabulary: string): Map<string, ReadonlyMap<string, EditedField>> {
  const editedById = new Map<string, ReadonlyMap<string, EditedField>>();
  const sql = `SELECT DISTINCT ext FROM term_history
    WHERE vocabulary = ? AND load IS NULL AND action <> 'created'`;
  for (const id of db.sql<string>(sql).pluck().all(vocabulary)) {
    const fields = readEditedFields(db, vocabulary, id);
    if (fields.size > 0) editedById.set(id, fields);
  }
  return editedById;
}

/** Returns the origin of each title of a term. @param authorities names of the sources that are authorities */
export function titleGiversOf(db: Db, vocabulary: string, id: string, authorities: readonly string[]): TitleGivers {
  const changes = readHistory(db, vocabulary, id).map((row) => historyChange(row, id));
  return titleGivers(changes, authorities);
}

/** Returns the source of the load that last changed the status of a term, undefined if it was not a load. */
export function deprecatedBy(db: Db, vocabulary: string, id: string): string | undefined {
  return statusSource(readHistory(db, vocabulary, id), id);
}
