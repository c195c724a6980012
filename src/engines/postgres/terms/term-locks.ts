import type { Locks } from "../connection/write-transaction.js";

/** What keeps true until the end of a transaction what it read of terms. Outside of one nothing has to. */
export interface TermLocks {
  /** Before terms are read that a record cites. */
  toCite(): Promise<void>;
  /** Before terms are read that others may be written by. */
  toRead(vocabulary: string): Promise<void>;
  /** Before a term is written, or the records are counted that cite it. */
  toWrite(vocabulary: string): Promise<void>;
}

export const NO_LOCKS: TermLocks = {
  toCite: async () => undefined,
  toRead: async () => undefined,
  toWrite: async () => undefined,
};

/** Of all terms of all vocabularies, which records may cite. */
const ALL_TERMS = "any";

/**
 * Two locks. Who writes terms of a vocabulary has that vocabulary alone, from the first term that it reads; a load has
 * it only while it writes. And from the first single write, or the last moment of a load, to the commit nobody cites
 * any term: deposits, which share this lock, wait for that, and it waits for them.
 */
export function termLocksOf(locks: Locks): TermLocks {
  let isCiting = false;
  const toCite = async (): Promise<void> => {
    await locks.take("term", ALL_TERMS, "shared");
    isCiting = true;
  };
  const alone = (vocabulary: string): Promise<void> => locks.take("vocabulary", vocabulary);
  return {
    toCite,
    toRead: async (vocabulary) => {
      // Nobody writes a term as long as this transaction may cite it.
      if (!isCiting) await alone(vocabulary);
    },
    toWrite: async (vocabulary) => {
      await alone(vocabulary);
      await locks.take("term", ALL_TERMS);
    },
  };
}
