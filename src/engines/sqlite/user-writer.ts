import { formatInstant } from "../../core/time.js";
import type { UserWriter } from "../../ports/store.js";
import type { Db } from "./database.js";
import { makeUserReader } from "./user-reader.js";

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
    addToken: async ({ user, name, scopes, digest, expires }) => {
      const row = db
        .sql("INSERT INTO token(user, name, scopes, digest, created, expires) VALUES(?, ?, ?, ?, ?, ?)")
        .run(Number(user), name, JSON.stringify(scopes), digest, created, expires ?? null);
      return {
        id: String(row.lastInsertRowid),
        user,
        name,
        scopes,
        created,
        ...(expires === undefined ? {} : { expires }),
      };
    },
    revokeToken: async (id) =>
      db.sql("UPDATE token SET revoked = coalesce(revoked, ?) WHERE id = ?").run(created, id).changes > 0,
    touchToken: async (id, day) => void db.sql("UPDATE token SET last_used = ? WHERE id = ?").run(day, id),
  };
}
