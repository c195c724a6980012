import { formatInstant } from "../../../core/time.js";
import type { UserWriter } from "../../../ports/users.js";
import { isRowId, newTokenRow, tokenValues, type UserColumns, userRow } from "../../rows/user-rows.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { makeUserReader, USER } from "./user-reader.js";

/** Revokes a token and all that were made by it, and by those; older ones first. */
const REVOKE_FAMILY = `WITH RECURSIVE family(id) AS (
    SELECT id FROM token WHERE id = $1
    UNION SELECT token.id FROM token JOIN family ON token.parent = family.id),
  revoked AS (
    UPDATE token SET revoked = $2 WHERE id IN (SELECT id FROM family) AND revoked IS NULL RETURNING id)
  SELECT id FROM revoked ORDER BY id`;

const revokeAll = (which: string): string => `WITH revoked AS (
    UPDATE token SET revoked = $1 WHERE revoked IS NULL${which} RETURNING id, "user")
  SELECT id, "user" FROM revoked ORDER BY id`;

interface Revoked {
  readonly id: number;
  readonly user: number;
}

const DELETE_USER = `WITH shares AS (DELETE FROM access WHERE "user" = $1),
    tokens AS (DELETE FROM token WHERE "user" = $1)
  DELETE FROM "user" WHERE id = $1`;

const ADD_TOKEN = `INSERT INTO token("user", name, scopes, digest, created, expires, parent)
  VALUES($1, $2, $3, $4, $5, $6, $7) RETURNING id`;

/**
 * Locks on users in one transaction. Whoever reads a user or a token there has the user's row locked until the end, so
 * that meanwhile nobody deletes, disables or renames the user, and none of their tokens is made, revoked or counted
 * beside. One mode is enough: two that had locked a row to read it would wait for each other as soon as both write.
 */
function makeUserLocks(sql: Sql) {
  const locked = new Set<number>();
  const lock = async (which: string, value: string | number): Promise<UserColumns | undefined> => {
    const row = await sql.row<UserColumns>(`${USER} WHERE ${which} FOR NO KEY UPDATE`, [value]);
    if (row !== undefined) locked.add(row.id);
    return row;
  };
  const byId = async (id: number): Promise<boolean> => locked.has(id) || (await lock("id = $1", id)) !== undefined;
  return {
    lock,
    byId,
    /** Locks the user of a token. @returns false where there is no such token */
    byToken: async (token: number): Promise<boolean> => {
      // Whose token it is never changes.
      const row = await sql.row<{ readonly user: number }>('SELECT "user" FROM token WHERE id = $1', [token]);
      return row !== undefined && (await byId(row.user));
    },
    /** In one order, so that two of them do not wait for each other. */
    all: async (): Promise<void> => void (await sql.run('SELECT id FROM "user" ORDER BY id FOR NO KEY UPDATE')),
  };
}

/** Writes users and tokens into the open transaction. */
export function makeUserWriter({ sql, now }: OpenTransaction): UserWriter {
  const created = formatInstant(now);
  const reader = makeUserReader(sql);
  const locks = makeUserLocks(sql);
  return {
    ...reader,
    findUser: async (name) => {
      const row = await locks.lock("name = $1", name);
      return row && userRow(row);
    },
    getUser: async (id) => {
      const row = isRowId(id) ? await locks.lock("id = $1", Number(id)) : undefined;
      return row && userRow(row);
    },
    getToken: async (id) => (isRowId(id) && (await locks.byToken(Number(id))) ? reader.getToken(id) : undefined),
    countLiveTokens: async (user, at) => {
      await locks.byId(Number(user));
      return reader.countLiveTokens(user, at);
    },
    addUser: async ({ name, role }) => {
      const row = await sql.row<{ readonly id: number }>(
        'INSERT INTO "user"(name, role, created) VALUES($1, $2, $3) RETURNING id',
        [name, role, created],
      );
      return { id: String(row!.id), name, role, created };
    },
    setRole: async (id, role) => void (await sql.run('UPDATE "user" SET role = $1 WHERE id = $2', [role, Number(id)])),
    setDisabled: async (id, isDisabled) => {
      await sql.run('UPDATE "user" SET disabled = $1 WHERE id = $2', [isDisabled ? created : null, Number(id)]);
    },
    rename: async (id, name) => void (await sql.run('UPDATE "user" SET name = $1 WHERE id = $2', [name, Number(id)])),
    delete: async (id) => {
      await locks.byId(Number(id));
      await sql.run(DELETE_USER, [Number(id)]);
    },
    addToken: async (token) => {
      const { user } = token;
      if (!(await locks.byId(Number(user))))
        throw new Error(`There is no user ${user} any more who could have a token.`);
      const row = await sql.row<{ readonly id: number }>(ADD_TOKEN, tokenValues(token, created));
      return newTokenRow(row!.id, token, created);
    },
    revokeToken: async (id) => {
      if (!isRowId(id) || !(await locks.byToken(Number(id)))) return undefined;
      const revoked = await sql.rows<Pick<Revoked, "id">>(REVOKE_FAMILY, [Number(id), created]);
      return revoked.map((token) => String(token.id));
    },
    revokeTokens: async (user) => {
      if (user === undefined) await locks.all();
      else await locks.byId(Number(user));
      const revoked =
        user === undefined
          ? await sql.rows<Revoked>(revokeAll(""), [created])
          : await sql.rows<Revoked>(revokeAll(' AND "user" = $2'), [created, Number(user)]);
      return revoked.map((token) => ({ id: String(token.id), user: String(token.user) }));
    },
    touchToken: async (id, day) =>
      void (await sql.run("UPDATE token SET last_used = $1 WHERE id = $2", [day, Number(id)])),
  };
}
