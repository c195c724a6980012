import type { Role, Scope } from "../../../core/actor.js";
import type { TokenRow, UserReader, UserRow } from "../../../ports/store.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";

export interface UserColumns {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly created: string;
  readonly disabled: string | null;
}

interface TokenColumns {
  readonly id: number;
  readonly user: number;
  readonly name: string;
  readonly scopes: string;
  readonly created: string;
  readonly expires: string | null;
  readonly revoked: string | null;
  readonly last_used: string | null;
  readonly parent: number | null;
}

const USER = "SELECT id, name, role, created, disabled FROM user";
const TOKEN = "SELECT id, user, name, scopes, created, expires, revoked, last_used, parent FROM token";

/** All instants are written alike, so that they compare as texts. */
const LIVE_TOKENS = `SELECT count(*) AS n FROM token
  WHERE user = ? AND revoked IS NULL AND (expires IS NULL OR expires > ?)`;

/** Is this text what an id of a row looks like? */
export const isRowId = (id: string): boolean => /^\d{1,15}$/.test(id);

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

export function userRow({ id, name, role, created, disabled }: UserColumns): UserRow {
  return { id: String(id), name, role: role as Role, created, ...(disabled === null ? {} : { disabled }) };
}

function tokenRow({ id, user, name, scopes, created, expires, revoked, last_used, parent }: TokenColumns): TokenRow {
  return {
    id: String(id),
    user: String(user),
    name,
    scopes: JSON.parse(scopes) as Scope[],
    created,
    ...(expires === null ? {} : { expires }),
    ...(revoked === null ? {} : { revoked }),
    ...(last_used === null ? {} : { lastUsed: last_used }),
    ...(parent === null ? {} : { parent: String(parent) }),
  };
}
