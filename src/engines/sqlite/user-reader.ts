import type { Role, Scope } from "../../core/actor.js";
import type { TokenRow, UserReader, UserRow } from "../../ports/store.js";
import type { Db } from "./database.js";
import { reading } from "./map-error.js";

export interface UserColumns {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly created: string;
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
}

const USER = "SELECT id, name, role, created FROM user";
const TOKEN = "SELECT id, user, name, scopes, created, expires, revoked, last_used FROM token";

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
    getUser: (id) => reading(() => (/^\d{1,15}$/.test(id) ? userById(Number(id)) : undefined)),
    listUsers: () => reading(() => db.sql<UserColumns>(`${USER} ORDER BY name`).all().map(userRow)),
    findToken: (digest) =>
      reading(() => {
        const token = db.sql<TokenColumns>(`${TOKEN} WHERE digest = ?`).get(digest);
        const user = token && userById(token.user);
        return token && user && { token: tokenRow(token), user };
      }),
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

export function userRow({ id, name, role, created }: UserColumns): UserRow {
  return { id: String(id), name, role: role as Role, created };
}

function tokenRow({ id, user, name, scopes, created, expires, revoked, last_used }: TokenColumns): TokenRow {
  return {
    id: String(id),
    user: String(user),
    name,
    scopes: JSON.parse(scopes) as Scope[],
    created,
    ...(expires === null ? {} : { expires }),
    ...(revoked === null ? {} : { revoked }),
    ...(last_used === null ? {} : { lastUsed: last_used }),
  };
}
