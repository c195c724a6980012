import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { findPublished } from "./find-record.js";

/** A published record: public. A parent id gives the latest version under it, whose own id is another. */
export function makeReadRecord({ store, catalog }: Deps): RecordServices["readRecord"] {
  return async (_actor, address) => {
    if (address.model !== undefined) findModel(catalog, address.model);
    return findPublished(store, catalog, address);
  };
}
