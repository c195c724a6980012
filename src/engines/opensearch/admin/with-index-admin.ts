import { OPERATOR } from "../../../core/actor.js";
import type { SourceView } from "../../../ports/index-source.js";
import type { Store } from "../../../ports/store.js";
import type { IndexStatus, StoreAdmin } from "../../../ports/store-admin.js";
import { nonZeroCounts, repairEntries, repairInRounds } from "../../verify/repair-rounds.js";
import { reindex } from "./reindex.js";
import { joined, repairIndex, type VerifyIndexOptions, verifyIndex } from "./verify-index.js";

interface IndexAdminOptions extends VerifyIndexOptions {
  readonly prefix: string;
  readonly overlayMax: number;
  readonly largeAbove: number;
  /** As `openView`, whether or not the index can be asked now. */
  openAny(): Promise<SourceView>;
}

/** What is done to a store as a whole, with the index beside it: the store first, which the index is made of. */
export function withIndexAdmin(admin: StoreAdmin, store: Store, options: IndexAdminOptions): StoreAdmin {
  return {
    ...admin,
    indexes: async () => {
      const view = await options.openAny();
      await view.close();
      const isCurrent = ({ name }: IndexStatus): boolean => name === view.index?.name;
      const all = [...(await admin.indexes())].sort((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)));
      return all.map((index) => {
        const isFarBehind = index.behindChanges > options.overlayMax;
        return { ...index, isCurrent: isCurrent(index), isFarBehind };
      });
    },
    reindex: (asked, onProgress) => reindex({ ...options, ...asked }, onProgress),
    verify: async (onProgress) => {
      const verified = await admin.verify(onProgress);
      return joined(verified, (await verifyIndex(options, onProgress)).verification);
    },
    repair: async (onProgress) => {
      const inStore = await admin.repair(onProgress);
      const beside = await repairInRounds(
        () => verifyIndex(options, onProgress),
        async ({ plan }) => {
          const done = nonZeroCounts(await repairIndex(options, plan));
          await store.transaction(async (tx) => {
            for (const entry of repairEntries(done)) await tx.audit(OPERATOR, entry);
          });
          return done;
        },
      );
      return {
        before: joined(inStore.before, beside.before),
        repaired: { ...inStore.repaired, ...beside.repaired },
        after: joined(inStore.after, beside.after),
      };
    },
  };
}
