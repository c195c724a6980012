/** What the operator does with users, and with what they own. */
import type { Role } from "../core/actor.js";
import type { UserRow } from "../ports/store.js";

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

/** Users are named by their names. Each throws PARAMETER_INVALID where there is no such user. */
export interface UserServices {
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
