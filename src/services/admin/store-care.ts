/** Health, status, copies and reindexing of the whole store. */
import type {
  BackupSummary,
  IndexStatus,
  OnProgress,
  Reindexed,
  StoreStatus,
  Unserved,
} from "../../ports/store-admin.js";
import { operatorUseCase, useCase } from "../context/use-case.js";
import { writeStoreDump } from "./store-dump.js";

/** Throws if a dependency does not answer. */
export const checkReady = useCase(
  { thread: "http" },
  ({ store }) =>
    (): Promise<void> =>
      store.check(),
);

/** Returns the state of the indexes outside of the store; the one that searches use comes first. */
export const listIndexes = useCase(
  { thread: "http" },
  ({ admin }) =>
    (): Promise<readonly IndexStatus[]> =>
      admin.indexes(),
);

/** Counts changed terms whose changes are not yet in the index of citing records. */
export const countStaleTerms = operatorUseCase(
  ({ store }) =>
    (): Promise<number> =>
      store.terms.stale(),
);

/** Returns the kind and content of the store. */
export const readStatus = operatorUseCase(
  ({ admin }) =>
    (): Promise<StoreStatus> =>
      admin.status(),
);

/** Finds stored data of models and vocabularies that are not in the catalog. */
export const findUnserved = operatorUseCase(
  ({ admin }) =>
    (): Promise<Unserved> =>
      admin.findUnserved(),
);

/** Rebuilds the separate index, see `StoreAdmin.reindex`. @param shards undefined: the current number */
export const reindexStore = operatorUseCase(
  ({ admin }) =>
    (shards: number | undefined, onProgress: OnProgress): Promise<Reindexed> =>
      admin.reindex(shards === undefined ? {} : { shards }, onProgress),
);

/** Copies a snapshot of the store into a file, while writes continue. @param force overwrites the file */
export const backupStore = operatorUseCase(
  ({ admin }) =>
    (file: string, force: boolean): Promise<BackupSummary> =>
      admin.backup(file, { force }),
);

/** Returns the whole store as the text of a dump, see `writeStoreDump`. */
export const dumpStore = operatorUseCase(
  ({ admin }) =>
    async (): Promise<AsyncIterable<string>> =>
      writeStoreDump(admin.dump()),
);
