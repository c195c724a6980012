/** Users and their tokens, as a store keeps them. */
import type { Role, Scope } from "../core/actor.js";

export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly created: string;
  /** ISO 8601 UTC: since when their tokens are refused; absent: they are not. */
  readonly disabled?: string;
}

/** A token without its secret: only a SHA-256 digest is kept. Times are ISO 8601 UTC, `lastUsed` a day. */
export interface TokenRow {
  readonly id: string;
  readonly user: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly created: string;
  readonly expires?: string;
  readonly revoked?: string;
  readonly lastUsed?: string;
  /** Id of the token that made it: it ends with that one. Absent: the operator made it. */
  readonly parent?: string;
}

export interface UserReader {
  findUser(name: string): Promise<UserRow | undefined>;
  getUser(id: string): Promise<UserRow | undefined>;
  /** By name. */
  listUsers(): Promise<readonly UserRow[]>;
  /** By the hex SHA-256 digest of the whole token, with its user; expired and revoked ones too. */
  findToken(digest: string): Promise<{ token: TokenRow; user: UserRow } | undefined>;
  getToken(id: string): Promise<TokenRow | undefined>;
  /** Newest first; of one user, or of all. */
  listTokens(user?: string): Promise<readonly TokenRow[]>;
  /** One page of a user's tokens, newest first, and how many there are in all. */
  pageTokens(
    user: string,
    window: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly tokens: readonly TokenRow[]; readonly total: number }>;
  /** Tokens of a user that are neither revoked nor, at this instant (ISO 8601 UTC), expired. */
  countLiveTokens(user: string, now: string): Promise<number>;
}

export interface UserWriter extends UserReader {
  addUser(user: { name: string; role: Role }): Promise<UserRow>;
  setRole(id: string, role: Role): Promise<void>;
  setDisabled(id: string, isDisabled: boolean): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  /** Removes a user who owns nothing, with their tokens and what is shared with them. The id is not given again. */
  delete(id: string): Promise<void>;
  addToken(token: {
    user: string;
    name: string;
    scopes: readonly Scope[];
    digest: string;
    expires?: string;
    parent?: string;
  }): Promise<TokenRow>;
  /**
   * Revokes a token and all that were made by it, and by those.
   * @returns the ids that were not revoked before, its own first; undefined where there is no such token
   */
  revokeToken(id: string): Promise<readonly string[] | undefined>;
  /** Revokes all tokens of a user (by id), or of everybody. @returns those that were not revoked before */
  revokeTokens(user?: string): Promise<readonly Pick<TokenRow, "id" | "user">[]>;
  /** @param day `2026-11-21` */
  touchToken(id: string, day: string): Promise<void>;
}
