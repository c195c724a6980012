import { OPERATOR } from "../../../core/actor.js";
import type { SourceView } from "../../../ports/index-source.js";
import type { Store } from "../../../ports/store.js";
import type { IndexStatus, StoreAdmin } from "../../../ports/store-admin.js";
import { nonZeroCounts, repairEntries, repairInRounds } from "../../verify/repair-rounds.js";
import { reindex } from "./reindex.js";
import { joinVerifications, repairIndex, type VerifyIndexOptions, verifyIndex } from "./verify-index.js";

interface IndexAdminOptions extends VerifyIndexOptions {
  readonly prefix: string;
  readonly overlayMax: number;
  readonly largeAbove: number;
  /** Opens a view like `openView`, even if the index is unavailable. */
  openAny(): Promise<SourceView>;
}

/**
 * Adds the administration of an index to that of its store. The store comes first, because the index is derived from
 * it.
 */
export function withIndexAdmin(admin: StoreAdmin, store: Store, options: IndexAdminOptions): StoreAdmin {
  return {
    ...admin,
    indexes: async () => {
      const view = await options.openAny();
      await view.close();
      const isCurrent = ({ name }: IndexStatus): boolean => name === view.index?.name;
      const indexes = [...(await admin.indexes())].sort((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)));
      return indexes.map((index) => {
        const isFarBehind = index.behindChanges > options.overlayMax;
        return { ...index, isCurrent: isCurrent(index), isFarBehind };
      });
    },
    reindex: (request, onProgress) => reindex({ ...options, ...request }, onProgress),
    verify: async (onProgress) => {
      const verified = await admin.verify(onProgress);
      return joinVerifications(verified, (await verifyIndex(options, onProgress)).verification);
    },
    repair: async (onProgress) => {
      const storeRepair = await admin.repair(onProgress);
      const indexRepair = await repairInRounds(
        () => verifyIndex(options, onProgress),
        async ({ plan }) => {
          const repaired = nonZeroCounts(await repairIndex(options, plan));
          await store.transaction(async (tx) => {
            for (const entry of repairEntries(repaired)) await tx.audit(OPERATOR, entry);
          });
          return repaired;
        },
      );
      return {
        before: joinVerifications(storeRepair.before, indexRepair.before),
        repaired: { ...storeRepair.repaired, ...indexRepair.repaired },
        after: joinVerifications(storeRepair.after, indexRepair.after),
      };
    },
  };
}
