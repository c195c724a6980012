import { formatInstant } from "../../../core/time.js";
import type { UserWriter } from "../../../ports/store.js";
import { isRowId } from "../../rows/row-id.js";
import { madeToken, tokenValues } from "../../rows/user-rows.js";
import type { Db } from "../connection/database.js";
import { makeUserReader } from "./user-reader.js";

/** A token and all that were made by it, and by those; older ones first. */
const TOKEN_FAMILY = `WITH RECURSIVE family(id) AS (
    SELECT id FROM token WHERE id = ?
    UNION SELECT token.id FROM token JOIN family ON token.parent = family.id)
  SELECT id, revoked FROM token WHERE id IN family ORDER BY id`;

interface Revoked {
  readonly id: number;
  readonly user: number;
}

const DELETE_USER = [
  "DELETE FROM access WHERE user = ?",
  "DELETE FROM token WHERE user = ?",
  "DELETE FROM user WHERE id = ?",
];

/** Writes users and tokens into the open transaction. @param now its instant in microseconds */
export function makeUserWriter(db: Db, now: number): UserWriter {
  const created = formatInstant(now);
  return {
    ...makeUserReader(db),
    addUser: async ({ name, role }) => {
      const row = db.sql("INSERT INTO user(name, role, created) VALUES(?, ?, ?)").run(name, role, created);
      return { id: String(row.lastInsertRowid), name, role, created };
    },
    setRole: async (id, role) => void db.sql("UPDATE user SET role = ? WHERE id = ?").run(role, Number(id)),
    setDisabled: async (id, isDisabled) =>
      void db.sql("UPDATE user SET disabled = ? WHERE id = ?").run(isDisabled ? created : null, Number(id)),
    rename: async (id, name) => void db.sql("UPDATE user SET name = ? WHERE id = ?").run(name, Number(id)),
    delete: async (id) => {
      for (const sql of DELETE_USER) db.sql(sql).run(Number(id));
    },
    addToken: async (token) => {
      const row = db
        .sql("INSERT INTO token(user, name, scopes, digest, created, expires, parent) VALUES(?, ?, ?, ?, ?, ?, ?)")
        .run(...tokenValues(token, created));
      return madeToken(row.lastInsertRowid, token, created);
    },
    revokeToken: async (id) => {
      const family = isRowId(id) ? db.sql<{ id: number; revoked: string | null }>(TOKEN_FAMILY).all(Number(id)) : [];
      const live = family.filter(({ revoked }) => revoked === null).map((token) => token.id);
      for (const token of live) db.sql("UPDATE token SET revoked = ? WHERE id = ?").run(created, token);
      return family.length === 0 ? undefined : live.map(String);
    },
    revokeTokens: async (user) => {
      const [which, who] = user === undefined ? ["", []] : [" AND user = ?", [Number(user)]];
      return db
        .sql<Revoked>(`UPDATE token SET revoked = ? WHERE revoked IS NULL${which} RETURNING id, user`)
        .all(created, ...who)
        .map((token) => ({ id: String(token.id), user: String(token.user) }));
    },
    touchToken: async (id, day) => void db.sql("UPDATE token SET last_used = ? WHERE id = ?").run(day, id),
  };
}
