import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { recordPageSize } from "../input/search-window.js";
import { findPublished } from "../records/find-record.js";

/** The published versions beside a published record, or under a parent, newest first. */
export function makeListVersions({ store, catalog }: Deps): RecordServices["listVersions"] {
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
