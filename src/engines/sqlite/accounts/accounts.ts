import type { Permission } from "../../../core/actor.js";
import { formatInstant } from "../../../core/time.js";
import type { ShareReader, ShareWriter, UserReader, UserRow, UserWriter } from "../../../ports/store.js";
import {
  isRowId,
  newTokenRow,
  type TokenColumns,
  tokenRow,
  tokenValues,
  type UserColumns,
  userRow,
} from "../../rows/user-rows.js";
import { noteChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import { runRead } from "../connection/map-error.js";

/** SQL for a token and its descendants, older ones first. */
const TOKEN_FAMILY = `WITH RECURSIVE family(id) AS (
    SELECT id FROM token WHERE id = ?
    UNION SELECT token.id FROM token JOIN family ON token.parent = family.id)
  SELECT id, revoked FROM token WHERE id IN family ORDER BY id`;

interface RevokedToken {
  readonly id: number;
  readonly user: number;
}

const DELETE_USER = [
  "DELETE FROM access WHERE user = ?",
  "DELETE FROM token WHERE user = ?",
  "DELETE FROM user WHERE id = ?",
];

const SELECT_USER = "SELECT id, name, role, created, disabled FROM user";
const SELECT_TOKEN = "SELECT id, user, name, scopes, created, expires, revoked, last_used, parent FROM token";

/** All instants have the same format, so they compare as texts. */
const LIVE_TOKENS = `SELECT count(*) AS n FROM token
  WHERE user = ? AND revoked IS NULL AND (expires IS NULL OR expires > ?)`;

/** Makes the reader of users and tokens. */
export function makeUserReader(db: Db): UserReader {
  const userById = (id: number): UserRow | undefined => {
    const row = db.sql<UserColumns>(`${SELECT_USER} WHERE id = ?`).get(id);
    return row && userRow(row);
  };
  return {
    findUser: (name) =>
      runRead(() => {
        const row = db.sql<UserColumns>(`${SELECT_USER} WHERE name = ?`).get(name);
        return row && userRow(row);
      }),
    getUser: (id) => runRead(() => (isRowId(id) ? userById(Number(id)) : undefined)),
    listUsers: () => runRead(() => db.sql<UserColumns>(`${SELECT_USER} ORDER BY name`).all().map(userRow)),
    findToken: (digest) =>
      runRead(() => {
        const token = db.sql<TokenColumns>(`${SELECT_TOKEN} WHERE digest = ?`).get(digest);
        const user = token && userById(token.user);
        return token && user && { token: tokenRow(token), user };
      }),
    getToken: (id) =>
      runRead(() => {
        const row = isRowId(id) ? db.sql<TokenColumns>(`${SELECT_TOKEN} WHERE id = ?`).get(Number(id)) : undefined;
        return row && tokenRow(row);
      }),
    pageTokens: (user, { offset, limit }) =>
      runRead(() => {
        const page = db.sql<TokenColumns>(`${SELECT_TOKEN} WHERE user = ? ORDER BY id DESC LIMIT ? OFFSET ?`);
        const count = db.sql<{ n: number }>("SELECT count(*) AS n FROM token WHERE user = ?");
        return { tokens: page.all(user, limit, offset).map(tokenRow), total: count.get(user)?.n ?? 0 };
      }),
    countLiveTokens: (user, now) => runRead(() => db.sql<{ n: number }>(LIVE_TOKENS).get(user, now)?.n ?? 0),
    listTokens: (user) =>
      runRead(() => {
        const rows =
          user === undefined
            ? db.sql<TokenColumns>(`${SELECT_TOKEN} ORDER BY id DESC`).all()
            : db.sql<TokenColumns>(`${SELECT_TOKEN} WHERE user = ? ORDER BY id DESC`).all(user);
        return rows.map(tokenRow);
      }),
  };
}

/** Makes the writer of users and tokens in the open transaction. @param now its instant in microseconds */
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
      return newTokenRow(row.lastInsertRowid, token, created);
    },
    revokeToken: async (id) => {
      const family = isRowId(id) ? db.sql<{ id: number; revoked: string | null }>(TOKEN_FAMILY).all(Number(id)) : [];
      const live = family.filter(({ revoked }) => revoked === null).map((token) => token.id);
      for (const token of live) db.sql("UPDATE token SET revoked = ? WHERE id = ?").run(created, token);
      return family.length === 0 ? undefined : live.map(String);
    },
    revokeTokens: async (user) => {
      const [userCondition, userParameters] = user === undefined ? ["", []] : [" AND user = ?", [Number(user)]];
      return db
        .sql<RevokedToken>(`UPDATE token SET revoked = ? WHERE revoked IS NULL${userCondition} RETURNING id, user`)
        .all(created, ...userParameters)
        .map((token) => ({ id: String(token.id), user: String(token.user) }));
    },
    touchToken: async (id, day) => void db.sql("UPDATE token SET last_used = ? WHERE id = ?").run(day, id),
  };
}

interface ShareColumns extends UserColumns {
  readonly permission: string;
  readonly shared: number;
}

/** Makes the reader of shares. */
export function makeShareReader(db: Db): ShareReader {
  return {
    permissionOf: (draft, user) =>
      runRead(() =>
        db.sql<Permission>("SELECT permission FROM access WHERE pid = ? AND user = ?").pluck().get(draft, Number(user)),
      ),
    list: (draft) =>
      runRead(() =>
        db
          .sql<ShareColumns>(
            `SELECT user.id, user.name, user.role, user.created, user.disabled, access.permission,
              access.created AS shared
              FROM access JOIN user ON user.id = access.user WHERE access.pid = ? ORDER BY user.name`,
          )
          .all(draft)
          .map(({ permission, shared, ...user }) => ({
            user: userRow(user),
            permission: permission as Permission,
            created: formatInstant(shared),
          })),
      ),
  };
}

/** Makes the writer of shares in the open transaction. @param now its instant in microseconds */
export function makeShareWriter(db: Db, now: number): ShareWriter {
  const noteShared = (draft: string): void => {
    const row = db
      .sql<{ id: number; model: string; revision: number }>(
        "SELECT id, model, revision FROM rec WHERE pid = ? AND state = 0",
      )
      .get(draft);
    if (row === undefined) throw new Error(`There is no draft ${draft} to share.`);
    const { id: rec, model: place, revision } = row;
    noteChange(db, now, { kind: "record", action: "shared", place, id: draft, state: "draft", revision, rec });
  };
  return {
    ...makeShareReader(db),
    put: async (draft, user, permission) => {
      db.sql(
        `INSERT INTO access(pid, user, permission, created) VALUES(?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET permission = excluded.permission`,
      ).run(draft, Number(user), permission, now);
      noteShared(draft);
    },
    delete: async (draft, user) => {
      const { changes } = db.sql("DELETE FROM access WHERE pid = ? AND user = ?").run(draft, Number(user));
      if (changes > 0) noteShared(draft);
      return changes > 0;
    },
  };
}
