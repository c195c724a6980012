import { type EditedField, editedFields, type TitleGivers, titleGivers } from "../../../../core/terms/edited-fields.js";
import type { TermHistoryKeeper, TermHistoryReader } from "../../../../ports/term-history.js";
import {
  type HistoryColumns,
  historyChange,
  historyEntry,
  statusSource,
  writtenBy,
} from "../../../rows/history-rows.js";
import type { Db } from "../../connection/database.js";
import { inRead } from "./generation.js";

/** What a load that is not done, or failed, wrote is not there. */
const ENTRIES = `FROM term_history h LEFT JOIN term_load l ON l.g = h.load
  WHERE h.vocabulary = ? AND h.ext = ? AND (h.load IS NULL OR l.g IS NOT NULL)`;

/** Whoever runs a load is at the command line. */
const COLUMNS = `h.revision, h.action, h.load, coalesce(h.time, l.time) AS time, coalesce(h.who, 'operator') AS who,
  l.source, h.changes`;

export function makeTermHistoryReader(db: Db): TermHistoryReader {
  return {
    list: async (vocabulary, id, { offset, limit }) =>
      inRead(db, () => {
        const order = "ORDER BY h.revision DESC, h.id DESC LIMIT ? OFFSET ?";
        const rows = db.sql<HistoryColumns>(`SELECT ${COLUMNS} ${ENTRIES} ${order}`).all(vocabulary, id, limit, offset);
        const total = db.sql<number>(`SELECT count(*) ${ENTRIES}`).pluck().get(vocabulary, id)!;
        return { entries: rows.map((row) => historyEntry(row, id)), total };
      }),
    edited: async (vocabulary, id) => inRead(db, () => [...editedOf(db, vocabulary, id).values()]),
  };
}

/** In the index `term_history_made`. */
const CREATED_BY = "user = ? AND action = 'created' AND load IS NULL";
const CREATED = `SELECT count(*) FROM (SELECT 1 FROM term_history WHERE ${CREATED_BY} LIMIT ?)`;
const UNCITED = `SELECT count(*) FROM term_history h WHERE ${CREATED_BY}
  AND NOT EXISTS (SELECT 1 FROM use WHERE use.vocabulary = h.vocabulary AND use.ext = h.ext AND n + drafts > 0)
  AND NOT EXISTS (
    SELECT 1 FROM term_history later WHERE later.vocabulary = h.vocabulary AND later.ext = h.ext
      AND later.id > h.id AND later.action IN ('created', 'removed'))`;

/** @param now the open transaction's instant, in microseconds */
export function makeTermHistoryKeeper(db: Db, now: number): TermHistoryKeeper {
  const insert = `INSERT INTO term_history(vocabulary, ext, revision, action, time, user, who, changes)
    VALUES(?, ?, ?, ?, ?, ?, ?, ?)`;
  return {
    ...makeTermHistoryReader(db),
    add: async (actor, { vocabulary, id }, { revision, action, fields }) => {
      db.sql(insert).run(vocabulary, id, revision, action, now, ...writtenBy(actor), JSON.stringify(fields));
    },
    countUncited: async (user, limit) => {
      const created = db.sql<number>(CREATED).pluck().get(Number(user), limit)!;
      return created < limit ? created : db.sql<number>(UNCITED).pluck().get(Number(user))!;
    },
  };
}

/** Has any person changed this item? Of most vocabularies nobody has changed any, which one look says for all. */
export function mayBeEdited(db: Db, vocabulary: string, id: string): boolean {
  const any = `SELECT 1 FROM term_history WHERE vocabulary = ? AND load IS NULL AND action <> 'created'`;
  const isSome = db.untilCommit(
    `edited in ${vocabulary}`,
    () => db.sql(`${any} LIMIT 1`).get(vocabulary) !== undefined,
  );
  return isSome && db.sql(`${any} AND ext = ? LIMIT 1`).get(vocabulary, id) !== undefined;
}

/** The fields of one item that people changed since its source last did. */
function editedOf(db: Db, vocabulary: string, id: string): ReadonlyMap<string, EditedField> {
  return editedFields(historyOf(db, vocabulary, id).map((row) => historyChange(row, id)));
}

/** All of one item, oldest first. */
const historyOf = (db: Db, vocabulary: string, id: string): readonly HistoryColumns[] =>
  db.sql<HistoryColumns>(`SELECT ${COLUMNS} ${ENTRIES} ORDER BY h.revision, h.id`).all(vocabulary, id);

/** The same of all items of a vocabulary, by id: those that have any. */
export function allEdited(db: Db, vocabulary: string): Map<string, ReadonlyMap<string, EditedField>> {
  const found = new Map<string, ReadonlyMap<string, EditedField>>();
  const sql = `SELECT DISTINCT ext FROM term_history
    WHERE vocabulary = ? AND load IS NULL AND action <> 'created'`;
  for (const id of db.sql<string>(sql).pluck().all(vocabulary)) {
    const edited = editedOf(db, vocabulary, id);
    if (edited.size > 0) found.set(id, edited);
  }
  return found;
}

/** Returns the origin of each title of a term. @param authorities names of the sources that are authorities */
export function titleGiversOf(db: Db, vocabulary: string, id: string, authorities: readonly string[]): TitleGivers {
  const changes = historyOf(db, vocabulary, id).map((row) => historyChange(row, id));
  return titleGivers(changes, authorities);
}

/** What the last change of the status of an item was, if a load did it: the name of what was loaded. */
export function deprecatedBy(db: Db, vocabulary: string, id: string): string | undefined {
  return statusSource(historyOf(db, vocabulary, id), id);
}
