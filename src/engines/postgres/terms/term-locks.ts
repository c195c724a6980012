import type { Locks } from "../connection/write-transaction.js";

/** Locks that keep the terms that a transaction read unchanged until its end. Reads outside a transaction need none. */
export interface TermLocks {
  /** Call before reading terms that a record cites. */
  toCite(): Promise<void>;
  /** Call before reading terms to write others. */
  toRead(vocabulary: string): Promise<void>;
  /** Call before writing a term, or counting its citations. */
  toWrite(vocabulary: string): Promise<void>;
}

/** The locks of reads outside a transaction. */
export const NO_LOCKS: TermLocks = {
  toCite: async () => undefined,
  toRead: async () => undefined,
  toWrite: async () => undefined,
};

/** Name of the lock on all terms of all vocabularies. */
const ALL_TERMS = "any";

/**
 * Makes the locks of a transaction. A writer of terms locks the vocabulary exclusively from its first read on; a load
 * does so only while it writes. A writer also locks all terms from its first write on; a load does so only after its
 * last one. Deposits share the lock on all terms, so writers and deposits wait for each other.
 */
export function makeTermLocks(locks: Locks): TermLocks {
  let isCiting = false;
  const toCite = async (): Promise<void> => {
    await locks.take("term", ALL_TERMS, "shared");
    isCiting = true;
  };
  const lockVocabulary = (vocabulary: string): Promise<void> => locks.take("vocabulary", vocabulary);
  return {
    toCite,
    toRead: async (vocabulary) => {
      // No other transaction can write a term while this one holds the shared lock.
      if (!isCiting) await lockVocabulary(vocabulary);
    },
    toWrite: async (vocabulary) => {
      await lockVocabulary(vocabulary);
      await locks.take("term", ALL_TERMS);
    },
  };
}
