import type { Deps } from "./deps.js";
import { findModel } from "./find-model.js";
import { findPublished } from "./find-record.js";
import type { ReadServices } from "./services.js";

/** A published record: public. A parent id gives the latest version under it, whose own id is another. */
export function makeReadRecord({ store, catalog }: Deps): ReadServices["readRecord"] {
  return async (_actor, address) => {
    if (address.model !== undefined) findModel(catalog, address.model);
    return findPublished(store, catalog, address);
  };
}
