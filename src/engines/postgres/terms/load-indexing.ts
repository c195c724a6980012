import type { OpenTransaction } from "../connection/write-transaction.js";

/** How an index beside the store takes what a load writes. */
export interface LoadIndexing {
  /** A load is about to write. */
  begin(load: string): Promise<void>;
  /**
   * Prepares the index for what the open transaction has written: an import with so many items.
   * @returns what has the index show it with the commit, and notes what moved: to be called when nobody can cite any
   * term until then
   */
  prepare(tx: OpenTransaction, written: WrittenLoad): Promise<() => Promise<void>>;
}

export interface WrittenLoad {
  readonly load: string;
  readonly vocabulary: string;
  readonly number: number;
  readonly items: number;
}
