import { fail } from "../core/errors.js";
import type { Deps } from "./deps.js";
import { findModel } from "./find-model.js";
import { findPublished } from "./find-record.js";
import type { ReadServices } from "./services.js";

/** The latest published version beside a published record, or under a parent. */
export function makeReadLatest({ store, catalog }: Deps): ReadServices["readLatest"] {
  return async (_actor, address) => {
    findModel(catalog, address.model);
    const { parent } = await findPublished(store, catalog, address);
    const latest = await store.records.latestOf(parent);
    // Retracted in between.
    if (latest === undefined) throw fail("RECORD_NOT_FOUND", { id: address.id });
    return latest;
  };
}
