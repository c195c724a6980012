import type { Actor, Role, Scope } from "../../core/actor.js";
import type { TokenRow, UserRow } from "../../ports/store.js";
import type { Conditions } from "./record-services.js";

/** One page of tokens; `total` counts all of them. */
export interface TokenPage {
  readonly tokens: readonly TokenRow[];
  readonly total: number;
}

/** Numbers of published records and drafts. */
export interface OwnedCounts {
  readonly drafts: number;
  readonly published: number;
}

/** A transfer from one user to another; by default of everything that `from` owns. */
export interface TransferRequest {
  readonly from: string;
  readonly to: string;
  /** Id of a record, draft or parent: transfers only the versions and drafts under this parent. */
  readonly record?: string;
  /** Transfers only records that were never published. */
  readonly draftsOnly?: boolean;
}

/** Authentication, and the caller's own tokens. */
export interface AccountServices {
  /** @param token the text after `Bearer `; undefined: anonymous. @throws TOKEN_* */
  authenticate(token: string | undefined): Promise<Actor>;
  /** @param window page and size, both from 1 */
  listOwnTokens(actor: Actor, window: { readonly page: number; readonly size: number }): Promise<TokenPage>;
  /** @returns the text of the token only once: not for a repeated Idempotency-Key */
  createOwnToken(
    actor: Actor,
    body: string,
    conditions?: Conditions,
  ): Promise<{ readonly token?: string; readonly row: TokenRow }>;
  /** @throws TOKEN_NOT_FOUND, also for the token of another user */
  revokeOwnToken(actor: Actor, id: string): Promise<void>;
  touchToken(token: string, day: string): Promise<void>;
}

/** Users and tokens, for the command line. */
export interface AccountOperatorServices {
  /** @param expires e.g. `90d`, or an ISO date. @returns the text of the token, only once */
  createToken(input: {
    readonly user: string;
    readonly name?: string;
    readonly scopes: readonly Scope[];
    readonly expires?: string;
  }): Promise<{ readonly token: string; readonly row: TokenRow }>;
  listTokens(user?: string): Promise<readonly (TokenRow & { readonly userName: string })[]>;
  /** @returns the number of newly revoked tokens: the token itself, and tokens created with it */
  revokeToken(id: string): Promise<number>;
  addUser(name: string, role: Role): Promise<UserRow>;
  listUsers(): Promise<readonly UserRow[]>;
  setRole(name: string, role: Role): Promise<UserRow>;
  /** Refuses the tokens of a disabled user. Nothing else changes, and it can be undone. */
  setDisabled(name: string, isDisabled: boolean): Promise<UserRow>;
  /** Keeps the id, and all data that refer to it. */
  renameUser(name: string, newName: string): Promise<UserRow>;
  /** Deletes a user who owns nothing, with their tokens and the shares of drafts with them. */
  deleteUser(name: string): Promise<UserRow>;
  /** @returns the numbers of transferred records and drafts */
  transferRecords(request: TransferRequest): Promise<OwnedCounts>;
  /** Revokes all tokens of one user, or of all users. @returns the number of newly revoked tokens */
  revokeTokens(user?: string): Promise<number>;
}
