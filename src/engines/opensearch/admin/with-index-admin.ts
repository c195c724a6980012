import { OPERATOR } from "../../../core/actor.js";
import type { Store } from "../../../ports/store.js";
import type { StoreAdmin } from "../../../ports/store-admin.js";
import { doneOf, repairEntries, repairInRounds } from "../../verify/repair-in-rounds.js";
import { reindex } from "./reindex.js";
import { joined, repairIndex, type VerifyIndexOptions, verifyIndex } from "./verify-index.js";

/** What is done to a store as a whole, with the index beside it: the store first, which the index is made of. */
export function withIndexAdmin(
  admin: StoreAdmin,
  store: Store,
  options: VerifyIndexOptions & { readonly prefix: string; readonly overlayMax: number },
): StoreAdmin {
  return {
    ...admin,
    indexes: async () => {
      const all = await admin.indexes();
      return all.map((index) => ({ ...index, isFarBehind: index.behindChanges > options.overlayMax }));
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
          const done = doneOf(await repairIndex(options, plan));
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
