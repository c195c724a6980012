import type { FieldChange } from "../../../../core/catalog/merge-term.js";
import { type EditedField, editedFields, type TermChange } from "../../../../core/terms/edited-fields.js";
import { formatInstant } from "../../../../core/time.js";
import type {
  TermAction,
  TermHistoryEntry,
  TermHistoryKeeper,
  TermHistoryReader,
} from "../../../../ports/term-history.js";
import type { Db } from "../../connection/database.js";
import { inRead } from "./generation.js";

interface Row {
  readonly revision: number;
  readonly action: TermAction;
  readonly load: number | null;
  readonly time: number;
  readonly who: string;
  readonly source: string | null;
  readonly changes: string;
}

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
        const rows = db.sql<Row>(`SELECT ${COLUMNS} ${ENTRIES} ${order}`).all(vocabulary, id, limit, offset);
        const total = db.sql<number>(`SELECT count(*) ${ENTRIES}`).pluck().get(vocabulary, id)!;
        return { entries: rows.map(entryOf), total };
      }),
    edited: async (vocabulary, id) => inRead(db, () => [...editedOf(db, vocabulary, id).values()]),
  };
}

/** @param now the open transaction's instant, in microseconds */
export function makeTermHistoryKeeper(db: Db, now: number): TermHistoryKeeper {
  const insert = `INSERT INTO term_history(vocabulary, ext, revision, action, time, user, who, changes)
    VALUES(?, ?, ?, ?, ?, ?, ?, ?)`;
  return {
    ...makeTermHistoryReader(db),
    add: async (actor, { vocabulary, id }, { revision, action, fields }) => {
      const [user, who] = actor.kind === "user" ? [Number(actor.user), actor.name] : [null, actor.kind];
      db.sql(insert).run(vocabulary, id, revision, action, now, user, who, JSON.stringify(fields));
    },
  };
}

/** The fields of one item that people changed since its source last did. */
function editedOf(db: Db, vocabulary: string, id: string): ReadonlyMap<string, EditedField> {
  const sql = `SELECT ${COLUMNS} ${ENTRIES} ORDER BY h.revision, h.id`;
  return editedFields(db.sql<Row>(sql).all(vocabulary, id).map(changeOf));
}

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

/** What the last change of the status of an item was, if a load did it: the name of what was loaded. */
export function deprecatedBy(db: Db, vocabulary: string, id: string): string | undefined {
  const rows = db.sql<Row>(`SELECT ${COLUMNS} ${ENTRIES} ORDER BY h.revision DESC, h.id DESC`).all(vocabulary, id);
  const last = rows.find((row) => fieldsOf(row).some(({ field }) => field === "status"));
  return last?.source ?? undefined;
}

const fieldsOf = ({ changes }: Row): readonly FieldChange[] => JSON.parse(changes) as readonly FieldChange[];

function changeOf(row: Row): TermChange {
  const { action, load, time, who } = row;
  return { isLoad: load !== null, action, by: who, time: formatInstant(time), fields: fieldsOf(row) };
}

function entryOf(row: Row): TermHistoryEntry {
  const { revision, action, time, who, source } = row;
  return {
    ...{ revision, action, time: formatInstant(time), by: who },
    ...(source === null ? {} : { source }),
    fields: fieldsOf(row),
  };
}
