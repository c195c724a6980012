import type { UserReader } from "../../../ports/users.js";
import { isRowId, type TokenColumns, tokenRow, type UserColumns, userRow } from "../../rows/user-rows.js";
import type { Sql } from "../connection/sql.js";

export const USER = 'SELECT id, name, role, created, disabled FROM "user"';
const TOKEN = 'SELECT id, "user", name, scopes, created, expires, revoked, last_used, parent FROM token';

/** Each request asks this once. */
const TOKEN_AND_USER = `SELECT t.id, t."user", t.name, t.scopes, t.created, t.expires, t.revoked, t.last_used, t.parent,
    u.name AS user_name, u.role AS user_role, u.created AS user_created, u.disabled AS user_disabled
  FROM token t JOIN "user" u ON u.id = t."user" WHERE t.digest = $1`;

interface TokenAndUser extends TokenColumns {
  readonly user_name: string;
  readonly user_role: string;
  readonly user_created: string;
  readonly user_disabled: string | null;
}

/** A page that is empty is one row without a token. */
const PAGE = `SELECT page.*, counted.total FROM (SELECT count(*) AS total FROM token WHERE "user" = $1) counted
  LEFT JOIN (${TOKEN} WHERE "user" = $1 ORDER BY id DESC LIMIT $2 OFFSET $3) page ON true ORDER BY page.id DESC`;

/** All instants are written alike, so that they compare as texts. */
const LIVE_TOKENS = `SELECT count(*) AS n FROM token
  WHERE "user" = $1 AND revoked IS NULL AND (expires IS NULL OR expires > $2)`;

export function makeUserReader(sql: Sql): UserReader {
  return {
    findUser: async (name) => {
      const row = await sql.row<UserColumns>(`${USER} WHERE name = $1`, [name]);
      return row && userRow(row);
    },
    getUser: async (id) => {
      const row = isRowId(id) ? await sql.row<UserColumns>(`${USER} WHERE id = $1`, [Number(id)]) : undefined;
      return row && userRow(row);
    },
    listUsers: async () => (await sql.rows<UserColumns>(`${USER} ORDER BY name`)).map(userRow),
    findToken: async (digest) => {
      const row = await sql.row<TokenAndUser>(TOKEN_AND_USER, [digest]);
      if (row === undefined) return undefined;
      const { user: id, user_name: name, user_role: role, user_created: created, user_disabled: disabled } = row;
      return { token: tokenRow(row), user: userRow({ id, name, role, created, disabled }) };
    },
    getToken: async (id) => {
      const row = isRowId(id) ? await sql.row<TokenColumns>(`${TOKEN} WHERE id = $1`, [Number(id)]) : undefined;
      return row && tokenRow(row);
    },
    pageTokens: async (user, { offset, limit }) => {
      const rows = await sql.rows<(TokenColumns | { readonly id: null }) & { readonly total: number }>(PAGE, [
        ...[Number(user), limit, offset],
      ]);
      const tokens = rows.flatMap((row) => (row.id === null ? [] : [tokenRow(row)]));
      return { tokens, total: rows[0]?.total ?? 0 };
    },
    countLiveTokens: async (user, now) =>
      (await sql.row<{ readonly n: number }>(LIVE_TOKENS, [Number(user), now]))?.n ?? 0,
    listTokens: async (user) => {
      const rows =
        user === undefined
          ? await sql.rows<TokenColumns>(`${TOKEN} ORDER BY id DESC`)
          : await sql.rows<TokenColumns>(`${TOKEN} WHERE "user" = $1 ORDER BY id DESC`, [Number(user)]);
      return rows.map(tokenRow);
    },
  };
}
