import type { Deps } from "./deps.js";
import { findModel } from "./find-model.js";
import { findPublished } from "./find-record.js";
import type { ReadServices } from "./services.js";

/** The latest published version beside a published record, or under a parent. */
export function makeReadLatest({ store, catalog }: Deps): ReadServices["readLatest"] {
  return async (_actor, { model, id }) => {
    findModel(catalog, model);
    const { parent } = await findPublished(store, catalog, { model, id });
    return findPublished(store, catalog, { model, id: parent });
  };
}
