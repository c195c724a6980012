import type { SearchIndex } from "./search-index.js";
import type { Store } from "./store.js";

/** A store and the index that answers for it, opened together and closed together. */
export interface Engine {
  readonly store: Store;
  readonly index: SearchIndex;
  close(): Promise<void>;
}
