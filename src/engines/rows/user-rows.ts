/** Rows of users and tokens, whose columns are the same in every engine. */
import type { Role, Scope } from "../../core/actor.js";
import { storedList } from "../../core/json.js";
import type { TokenRow, UserRow, UserWriter } from "../../ports/users.js";

/** Columns of the row of a user. */
export interface UserColumns {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly created: string;
  readonly disabled: string | null;
}

/** Columns of the row of a token. */
export interface TokenColumns {
  readonly id: number;
  readonly user: number;
  readonly name: string;
  /** JSON. */
  readonly scopes: string;
  readonly created: string;
  readonly expires: string | null;
  readonly revoked: string | null;
  readonly last_used: string | null;
  readonly parent: number | null;
}

/** Converts a row to a user. */
export function userRow({ id, name, role, created, disabled }: UserColumns): UserRow {
  return { id: String(id), name, role: role as Role, created, disabled: disabled ?? undefined };
}

/** Converts a row to a token. */
export function tokenRow(columns: TokenColumns): TokenRow {
  const { id, user, name, scopes, created, expires, revoked, last_used, parent } = columns;
  return {
    id: String(id),
    user: String(user),
    name,
    scopes: storedList<Scope>(scopes, "The token", id, isText),
    created,
    expires: expires ?? undefined,
    revoked: revoked ?? undefined,
    lastUsed: last_used ?? undefined,
    parent: parent === null ? undefined : String(parent),
  };
}

const isText = (entry: unknown): boolean => typeof entry === "string";

/** A token to create. */
export type NewToken = Parameters<UserWriter["addToken"]>[0];

/** Returns a new token as values of the columns user, name, scopes, digest, created, expires, parent. */
export function tokenValues(
  { user, name, scopes, digest, expires, parent }: NewToken,
  created: string,
): readonly (string | number | null)[] {
  const parentId = parent === undefined ? null : Number(parent);
  return [Number(user), name, JSON.stringify(scopes), digest, created, expires ?? null, parentId];
}

/** Returns a new token as a reader would. */
export const newTokenRow = (
  id: number | bigint,
  { user, name, scopes, expires, parent }: NewToken,
  created: string,
): TokenRow => ({
  id: String(id),
  user,
  name,
  scopes,
  created,
  expires,
  parent,
});

/** Returns whether the text has the form of a row id. */
export const isRowId = (id: string): boolean => /^\d{1,15}$/.test(id);
