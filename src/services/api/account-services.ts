import type { Actor, Role, Scope } from "../../core/actor.js";
import type { TokenRow, UserRow } from "../../ports/store.js";
import type { Conditions } from "./conditions.js";

/** One page of tokens; `total` counts all of them. */
export interface TokenPage {
  readonly tokens: readonly TokenRow[];
  readonly total: number;
}

/** How many records and drafts. */
export interface OwnedCounts {
  readonly drafts: number;
  readonly published: number;
}

/** What is given from one user to another; nothing said: all that `from` owns. */
export interface TransferRequest {
  readonly from: string;
  readonly to: string;
  /** Id of a record, a draft or all versions: these, all versions and drafts under the same parent. */
  readonly record?: string;
  /** Only what was never published. */
  readonly draftsOnly?: boolean;
}

/** Who calls, and the caller's own tokens. */
export interface AccountServices {
  /** @param token what stands after `Bearer `; absent: anonymous. @throws TOKEN_* */
  authenticate(token: string | undefined): Promise<Actor>;
  /** @param window page and size, both from 1 */
  listOwnTokens(actor: Actor, window: { readonly page: number; readonly size: number }): Promise<TokenPage>;
  /** @returns the token itself once: not where an Idempotency-Key was sent again */
  createOwnToken(
    actor: Actor,
    body: string,
    conditions?: Conditions,
  ): Promise<{ readonly token?: string; readonly row: TokenRow }>;
  /** @throws TOKEN_NOT_FOUND, also for somebody else's */
  revokeOwnToken(actor: Actor, id: string): Promise<void>;
  touchToken(token: string, day: string): Promise<void>;
}

/** Users and tokens, for the command line. */
export interface AccountOperatorServices {
  /** @param expires e.g. `90d`, or an ISO date. @returns the token itself, once. */
  createToken(input: {
    readonly user: string;
    readonly name?: string;
    readonly scopes: readonly Scope[];
    readonly expires?: string;
  }): Promise<{ readonly token: string; readonly row: TokenRow }>;
  listTokens(user?: string): Promise<readonly (TokenRow & { readonly userName: string })[]>;
  /** @returns how many were revoked that were not yet: its own, and those that were made by it */
  revokeToken(id: string): Promise<number>;
  addUser(name: string, role: Role): Promise<UserRow>;
  listUsers(): Promise<readonly UserRow[]>;
  setRole(name: string, role: Role): Promise<UserRow>;
  /** Tokens of a disabled user are refused; nothing else of theirs changes, and it can be undone. */
  setDisabled(name: string, isDisabled: boolean): Promise<UserRow>;
  /** The id stays, and so does what is owned or was done under it. */
  renameUser(name: string, newName: string): Promise<UserRow>;
  /** Removes a user who owns nothing, with their tokens and what is shared with them. */
  deleteUser(name: string): Promise<UserRow>;
  /** @returns what was given */
  transferRecords(request: TransferRequest): Promise<OwnedCounts>;
  /** All tokens of one user, or of all. @returns how many were revoked that were not yet */
  revokeTokens(user?: string): Promise<number>;
}
