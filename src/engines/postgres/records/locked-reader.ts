import type { RecordReader } from "../../../ports/store.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { makeRecordReader } from "./record-reader.js";

/** Reads records in a transaction that writes: what was read stays true until it ends, also what was not there. */
export function lockedReader({ sql, locks }: OpenTransaction): RecordReader {
  const reader = makeRecordReader(sql);
  const locked =
    <Rest extends readonly unknown[], T>(read: (id: string, ...rest: Rest) => Promise<T>) =>
    async (id: string, ...rest: Rest): Promise<T> => {
      await locks.family(id);
      return read(id, ...rest);
    };
  return {
    get: locked(reader.get),
    latestOf: locked(reader.latestOf),
    versionsOf: locked(reader.versionsOf),
    tombstoneOf: locked(reader.tombstoneOf),
    publicModelOf: locked(reader.publicModelOf),
    lastRevision: locked(reader.lastRevision),
    isTaken: locked(reader.isTaken),
    countOwned: async (owner) => {
      await locks.take("owner", owner, "alone");
      return reader.countOwned(owner);
    },
    ownedParents: async (owner, options) => {
      const families = new Set<string>();
      for (;;) {
        const parents = await reader.ownedParents(owner, options);
        const open = parents.filter((parent) => !families.has(parent));
        // Whoever was waited for may have given one of them to somebody else.
        if (open.length === 0) return parents;
        for (const parent of open) {
          await locks.family(parent);
          families.add(parent);
        }
      }
    },
  };
}
