import type { UserReader, UserRow } from "../../../ports/store.js";
import { isRowId } from "../../rows/row-id.js";
import { type TokenColumns, tokenRow, type UserColumns, userRow } from "../../rows/user-rows.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";

const USER = "SELECT id, name, role, created, disabled FROM user";
const TOKEN = "SELECT id, user, name, scopes, created, expires, revoked, last_used, parent FROM token";

/** All instants are written alike, so that they compare as texts. */
const LIVE_TOKENS = `SELECT count(*) AS n FROM token
  WHERE user = ? AND revoked IS NULL AND (expires IS NULL OR expires > ?)`;

export function makeUserReader(db: Db): UserReader {
  const userById = (id: number): UserRow | undefined => {
    const row = db.sql<UserColumns>(`${USER} WHERE id = ?`).get(id);
    return row && userRow(row);
  };
  return {
    findUser: (name) =>
      reading(() => {
        const row = db.sql<UserColumns>(`${USER} WHERE name = ?`).get(name);
        return row && userRow(row);
      }),
    getUser: (id) => reading(() => (isRowId(id) ? userById(Number(id)) : undefined)),
    listUsers: () => reading(() => db.sql<UserColumns>(`${USER} ORDER BY name`).all().map(userRow)),
    findToken: (digest) =>
      reading(() => {
        const token = db.sql<TokenColumns>(`${TOKEN} WHERE digest = ?`).get(digest);
        const user = token && userById(token.user);
        return token && user && { token: tokenRow(token), user };
      }),
    getToken: (id) =>
      reading(() => {
        const row = isRowId(id) ? db.sql<TokenColumns>(`${TOKEN} WHERE id = ?`).get(Number(id)) : undefined;
        return row && tokenRow(row);
      }),
    pageTokens: (user, { offset, limit }) =>
      reading(() => {
        const page = db.sql<TokenColumns>(`${TOKEN} WHERE user = ? ORDER BY id DESC LIMIT ? OFFSET ?`);
        const count = db.sql<{ n: number }>("SELECT count(*) AS n FROM token WHERE user = ?");
        return { tokens: page.all(user, limit, offset).map(tokenRow), total: count.get(user)?.n ?? 0 };
      }),
    countLiveTokens: (user, now) => reading(() => db.sql<{ n: number }>(LIVE_TOKENS).get(user, now)?.n ?? 0),
    listTokens: (user) =>
      reading(() => {
        const rows =
          user === undefined
            ? db.sql<TokenColumns>(`${TOKEN} ORDER BY id DESC`).all()
            : db.sql<TokenColumns>(`${TOKEN} WHERE user = ? ORDER BY id DESC`).all(user);
        return rows.map(tokenRow);
      }),
  };
}
