/** Users and their tokens in a store. */

import type { Role, Scope } from "../core/actor.js";
import type { Token } from "../core/answers/accounts.js";

/** A user. */
export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly created: string;
  /** ISO 8601 UTC: the time since when their tokens are refused; absent: they are accepted. */
  readonly disabled?: string | undefined;
}

/** A token without its text, of which only a SHA-256 digest is stored. Times are ISO 8601 UTC, `lastUsed` is a day. */
export interface TokenRow extends Omit<Token, "last_used"> {
  readonly user: string;
  readonly lastUsed?: string | undefined;
}

/** Read access to users and tokens. */
export interface UserReader {
  findUser(name: string): Promise<UserRow | undefined>;
  getUser(id: string): Promise<UserRow | undefined>;
  /** Lists users, by name. */
  listUsers(): Promise<readonly UserRow[]>;
  /** Returns a token by the hex SHA-256 digest of its text, with its user; also if it is expired or revoked. */
  findToken(digest: string): Promise<{ token: TokenRow; user: UserRow } | undefined>;
  getToken(id: string): Promise<TokenRow | undefined>;
  /** Lists the tokens of one user, or of all users, newest first. */
  listTokens(user?: string): Promise<readonly TokenRow[]>;
  /** Lists one page of a user's tokens, newest first, with their total number. */
  pageTokens(
    user: string,
    window: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly tokens: readonly TokenRow[]; readonly total: number }>;
  /** Counts the tokens of a user that are not revoked and not expired at this time (ISO 8601 UTC). */
  countLiveTokens(user: string, now: string): Promise<number>;
}

/** Write access to users and tokens. */
export interface UserWriter extends UserReader {
  addUser(user: { name: string; role: Role }): Promise<UserRow>;
  setRole(id: string, role: Role): Promise<void>;
  setDisabled(id: string, isDisabled: boolean): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  /** Deletes a user who owns nothing, with their tokens and shares. The id is never reused. */
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
   * Revokes a token and all tokens created with it, directly or indirectly.
   * @returns the ids of newly revoked tokens, its own first; undefined if there is no such token
   */
  revokeToken(id: string): Promise<readonly string[] | undefined>;
  /** Revokes all tokens of a user (by id), or of all users. @returns the newly revoked tokens */
  revokeTokens(user?: string): Promise<readonly Pick<TokenRow, "id" | "user">[]>;
  /** @param day `2026-11-21` */
  touchToken(id: string, day: string): Promise<void>;
}
