import type { Permission } from "../../../core/actor.js";
import { formatInstant } from "../../../core/time.js";
import type { Share, ShareReader, ShareWriter } from "../../../ports/store.js";
import type { UserReader, UserWriter } from "../../../ports/users.js";
import {
  isRowId,
  newTokenRow,
  type TokenColumns,
  tokenRow,
  tokenValues,
  type UserColumns,
  userRow,
} from "../../rows/user-rows.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";

/** SQL that revokes a token and its descendants, older ones first. */
const REVOKE_FAMILY = `WITH RECURSIVE family(id) AS (
    SELECT id FROM token WHERE id = $1
    UNION SELECT token.id FROM token JOIN family ON token.parent = family.id),
  revoked AS (
    UPDATE token SET revoked = $2 WHERE id IN (SELECT id FROM family) AND revoked IS NULL RETURNING id)
  SELECT id FROM revoked ORDER BY id`;

const revokeAll = (condition: string): string => `WITH revoked AS (
    UPDATE token SET revoked = $1 WHERE revoked IS NULL${condition} RETURNING id, "user")
  SELECT id, "user" FROM revoked ORDER BY id`;

interface RevokedToken {
  readonly id: number;
  readonly user: number;
}

const DELETE_USER = `WITH shares AS (DELETE FROM access WHERE "user" = $1),
    tokens AS (DELETE FROM token WHERE "user" = $1)
  DELETE FROM "user" WHERE id = $1`;

const ADD_TOKEN = `INSERT INTO token("user", name, scopes, digest, created, expires, parent)
  VALUES($1, $2, $3, $4, $5, $6, $7) RETURNING id`;

const SELECT_USER = 'SELECT id, name, role, created, disabled FROM "user"';
const SELECT_TOKEN = 'SELECT id, "user", name, scopes, created, expires, revoked, last_used, parent FROM token';

/** Read by each request. */
const TOKEN_AND_USER = `SELECT t.id, t."user", t.name, t.scopes, t.created, t.expires, t.revoked, t.last_used, t.parent,
    u.name AS user_name, u.role AS user_role, u.created AS user_created, u.disabled AS user_disabled
  FROM token t JOIN "user" u ON u.id = t."user" WHERE t.digest = $1`;

interface TokenAndUser extends TokenColumns {
  readonly user_name: string;
  readonly user_role: string;
  readonly user_created: string;
  readonly user_disabled: string | null;
}

/** An empty page is one row without a token. */
const SELECT_PAGE = `SELECT page.*, counted.total FROM (SELECT count(*) AS total FROM token WHERE "user" = $1) counted
  LEFT JOIN (${SELECT_TOKEN} WHERE "user" = $1 ORDER BY id DESC LIMIT $2 OFFSET $3) page ON true ORDER BY page.id DESC`;

/** All instants have the same format, so they compare as texts. */
const LIVE_TOKENS = `SELECT count(*) AS n FROM token
  WHERE "user" = $1 AND revoked IS NULL AND (expires IS NULL OR expires > $2)`;

/** Makes the reader of users and tokens. */
export function makeUserReader(sql: Sql): UserReader {
  return {
    findUser: async (name) => {
      const row = await sql.row<UserColumns>(`${SELECT_USER} WHERE name = $1`, [name]);
      return row && userRow(row);
    },
    getUser: async (id) => {
      const row = isRowId(id) ? await sql.row<UserColumns>(`${SELECT_USER} WHERE id = $1`, [Number(id)]) : undefined;
      return row && userRow(row);
    },
    listUsers: async () => (await sql.rows<UserColumns>(`${SELECT_USER} ORDER BY name`)).map(userRow),
    findToken: async (digest) => {
      const row = await sql.row<TokenAndUser>(TOKEN_AND_USER, [digest]);
      if (row === undefined) return undefined;
      const { user: id, user_name: name, user_role: role, user_created: created, user_disabled: disabled } = row;
      return { token: tokenRow(row), user: userRow({ id, name, role, created, disabled }) };
    },
    getToken: async (id) => {
      const row = isRowId(id) ? await sql.row<TokenColumns>(`${SELECT_TOKEN} WHERE id = $1`, [Number(id)]) : undefined;
      return row && tokenRow(row);
    },
    pageTokens: async (user, { offset, limit }) => {
      const values = [Number(user), limit, offset];
      const rows = await sql.rows<(TokenColumns | { readonly id: null }) & { readonly total: number }>(
        SELECT_PAGE,
        values,
      );
      const tokens = rows.flatMap((row) => (row.id === null ? [] : [tokenRow(row)]));
      return { tokens, total: rows[0]?.total ?? 0 };
    },
    countLiveTokens: async (user, now) =>
      (await sql.row<{ readonly n: number }>(LIVE_TOKENS, [Number(user), now]))?.n ?? 0,
    listTokens: async (user) => {
      const rows =
        user === undefined
          ? await sql.rows<TokenColumns>(`${SELECT_TOKEN} ORDER BY id DESC`)
          : await sql.rows<TokenColumns>(`${SELECT_TOKEN} WHERE "user" = $1 ORDER BY id DESC`, [Number(user)]);
      return rows.map(tokenRow);
    },
  };
}

/**
 * Makes the locks on users of one transaction. Reading a user or a token locks the user's row until the end, so that
 * nobody deletes, disables or renames the user, or creates, revokes or counts their tokens meanwhile. There is one lock
 * mode: two readers with a shared lock would wait for each other when both write.
 */
function makeUserLocks(sql: Sql) {
  const locked = new Set<number>();
  const lock = async (condition: string, value: string | number): Promise<UserColumns | undefined> => {
    const row = await sql.row<UserColumns>(`${SELECT_USER} WHERE ${condition} FOR NO KEY UPDATE`, [value]);
    if (row !== undefined) locked.add(row.id);
    return row;
  };
  const byId = async (id: number): Promise<boolean> => locked.has(id) || (await lock("id = $1", id)) !== undefined;
  return {
    lock,
    byId,
    /** Locks the user of a token. @returns false if there is no such token */
    byToken: async (token: number): Promise<boolean> => {
      // The user of a token never changes.
      const row = await sql.row<{ readonly user: number }>('SELECT "user" FROM token WHERE id = $1', [token]);
      return row !== undefined && (await byId(row.user));
    },
    /** Locks in one order, so that two transactions do not wait for each other. */
    all: async (): Promise<void> => void (await sql.run('SELECT id FROM "user" ORDER BY id FOR NO KEY UPDATE')),
  };
}

/** Makes the writer of users and tokens in the open transaction. */
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
      const revoked = await sql.rows<Pick<RevokedToken, "id">>(REVOKE_FAMILY, [Number(id), created]);
      return revoked.map((token) => String(token.id));
    },
    revokeTokens: async (user) => {
      if (user === undefined) await locks.all();
      else await locks.byId(Number(user));
      const revoked =
        user === undefined
          ? await sql.rows<RevokedToken>(revokeAll(""), [created])
          : await sql.rows<RevokedToken>(revokeAll(' AND "user" = $2'), [created, Number(user)]);
      return revoked.map((token) => ({ id: String(token.id), user: String(token.user) }));
    },
    touchToken: async (id, day) =>
      void (await sql.run("UPDATE token SET last_used = $1 WHERE id = $2", [day, Number(id)])),
  };
}

interface ShareColumns extends UserColumns {
  readonly permission: Permission;
  readonly shared: number;
}

const SELECT_SHARES = `SELECT u.id, u.name, u.role, u.created, u.disabled, access.permission, access.created AS shared
  FROM access JOIN "user" u ON u.id = access."user" WHERE access.pid = $1 ORDER BY u.name`;

/** Makes the reader of shares. */
export function makeShareReader(sql: Sql): ShareReader {
  return {
    permissionOf: async (draft, user) => {
      if (!isRowId(user)) return undefined;
      const text = `SELECT permission FROM access WHERE pid = $1 AND "user" = $2`;
      return (await sql.row<{ readonly permission: Permission }>(text, [draft, Number(user)]))?.permission;
    },
    list: async (draft) => (await sql.rows<ShareColumns>(SELECT_SHARES, [draft])).map(parseShare),
  };
}

function parseShare({ permission, shared, ...user }: ShareColumns): Share {
  return { user: userRow(user), permission, created: formatInstant(shared) };
}

const WRITE_SHARE = `WITH draft AS (SELECT model, revision FROM rec WHERE pid = $1 AND state = 'draft'),
  shared AS (
    INSERT INTO access(pid, "user", permission, created) SELECT $1, $2::bigint, $3, $4::bigint FROM draft
    ON CONFLICT (pid, "user") DO UPDATE SET permission = excluded.permission)
  SELECT model, revision FROM draft`;

const DELETE_SHARE = `WITH ended AS (DELETE FROM access WHERE pid = $1 AND "user" = $2 RETURNING pid)
  SELECT rec.model, rec.revision FROM ended LEFT JOIN rec ON rec.pid = ended.pid AND rec.state = 'draft'`;

interface Draft {
  readonly model: string | null;
  readonly revision: number | null;
}

/** Makes the writer of shares in an open transaction. Each draft is locked first, with its family. */
export function makeShareWriter({ sql, locks, now, note }: OpenTransaction): ShareWriter {
  const reader = makeShareReader(sql);
  const noteShared = (id: string, { model, revision }: Partial<Draft> = {}): void => {
    if (typeof model !== "string" || typeof revision !== "number") throw new Error(`There is no draft ${id} to share.`);
    note({ kind: "record", action: "shared", place: model, id, state: "draft", revision });
  };
  return {
    permissionOf: async (draft, user) => {
      await locks.family(draft);
      return reader.permissionOf(draft, user);
    },
    list: async (draft) => {
      await locks.family(draft);
      return reader.list(draft);
    },
    put: async (draft, user, permission) => {
      await locks.family(draft);
      noteShared(draft, await sql.row<Draft>(WRITE_SHARE, [draft, Number(user), permission, now]));
    },
    delete: async (draft, user) => {
      await locks.family(draft);
      const draftRow = await sql.row<Draft>(DELETE_SHARE, [draft, Number(user)]);
      if (draftRow !== undefined) noteShared(draft, draftRow);
      return draftRow !== undefined;
    },
  };
}
