import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { findPublished } from "../records/find-record.js";

/** The latest published version beside a published record, or under a parent. */
export function makeReadLatest({ store, catalog }: Deps): RecordServices["readLatest"] {
  return async (_actor, { model, id }) => {
    findModel(catalog, model);
    const { parent } = await findPublished(store, catalog, { model, id });
    return findPublished(store, catalog, { model, id: parent });
  };
}
