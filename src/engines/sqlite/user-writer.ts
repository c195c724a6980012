import { formatInstant } from "../../core/time.js";
import type { UserWriter } from "../../ports/store.js";
import type { Db } from "./database.js";
import { isRowId, makeUserReader } from "./user-reader.js";

/** A token and all that were made by it, and by those; older ones first. */
const TOKEN_FAMILY = `WITH RECURSIVE family(id) AS (
    SELECT id FROM token WHERE id = ?
    UNION SELECT token.id FROM token JOIN family ON token.parent = family.id)
  SELECT id, revoked FROM token WHERE id IN family ORDER BY id`;

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
    addToken: async ({ user, name, scopes, digest, expires, parent }) => {
      const row = db
        .sql("INSERT INTO token(user, name, scopes, digest, created, expires, parent) VALUES(?, ?, ?, ?, ?, ?, ?)")
        .run(
          ...[Number(user), name, JSON.stringify(scopes), digest, created, expires ?? null],
          parent === undefined ? null : Number(parent),
        );
      return {
        id: String(row.lastInsertRowid),
        user,
        name,
        scopes,
        created,
        ...(expires === undefined ? {} : { expires }),
        ...(parent === undefined ? {} : { parent }),
      };
    },
    revokeToken: async (id) => {
      const family = isRowId(id) ? db.sql<{ id: number; revoked: string | null }>(TOKEN_FAMILY).all(Number(id)) : [];
      const live = family.filter(({ revoked }) => revoked === null).map((token) => token.id);
      for (const token of live) db.sql("UPDATE token SET revoked = ? WHERE id = ?").run(created, token);
      return family.length === 0 ? undefined : live.map(String);
    },
    touchToken: async (id, day) => void db.sql("UPDATE token SET last_used = ? WHERE id = ?").run(day, id),
  };
}
