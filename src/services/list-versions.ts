import type { Deps } from "./deps.js";
import { findModel } from "./find-model.js";
import { findPublished } from "./find-record.js";
import { recordPageSize } from "./search-window.js";
import type { ReadServices } from "./services.js";

/** The published versions beside a published record, or under a parent, newest first. */
export function makeListVersions({ store, catalog }: Deps): ReadServices["listVersions"] {
  return async (_actor, address, { page = 1, size: asked }) => {
    findModel(catalog, address.model);
    const size = recordPageSize(asked);
    const { parent } = await findPublished(store, catalog, address);
    const versions = (await store.records.versionsOf(parent)).filter(({ state }) => state === "published").reverse();
    const shown = versions.slice((page - 1) * size, page * size);
    const records = await Promise.all(shown.map(({ id }) => store.records.get(id, "published")));
    return {
      // What was retracted in between is left out.
      hits: records.filter((record) => record !== undefined),
      total: versions.length,
      size,
      sortBy: "newest",
      query: { parsed: "", fallback: false },
      warnings: [],
    };
  };
}
