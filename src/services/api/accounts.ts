import type { TokenRow } from "../../ports/store.js";

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
