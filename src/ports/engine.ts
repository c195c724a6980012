import type { PublicChanges } from "./public-changes.js";
import type { SearchIndex } from "./search-index.js";
import type { Store } from "./store.js";
import type { StoreAdmin } from "./store-admin.js";

/** A store and the index that answers for it, opened together and closed together. */
export interface Engine {
  readonly store: Store;
  readonly index: SearchIndex;
  /** For operators, on the store as a whole. */
  readonly admin: StoreAdmin;
  /** For whoever keeps public answers. */
  readonly publicChanges: PublicChanges;
  close(): Promise<void>;
}
