import { lengthWith, type StoredRecord } from "../../core/record.js";
import { startSlices } from "../../core/slices.js";
import type { RecordReader, VersionRow } from "../../ports/store.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { recordPageSize } from "../input/search-window.js";
import { findPublished } from "../records/find-record.js";

/** Records that are read between two pauses: as many as a thread has connections to a shared database. */
const AT_ONCE = 4;

/**
 * Reads the records of these versions: each may be large, and other requests are answered in between.
 * @throws ANSWER_TOO_LARGE, before the rest is read
 */
async function readInSlices(
  records: RecordReader,
  versions: readonly VersionRow[],
): Promise<readonly (StoredRecord | undefined)[]> {
  const slices = startSlices();
  const all: (StoredRecord | undefined)[] = [];
  let length = 0;
  for (let from = 0; from < versions.length; from += AT_ONCE) {
    await slices.pause();
    const some = versions.slice(from, from + AT_ONCE);
    for (const record of await Promise.all(some.map(({ id }) => records.get(id, "published")))) {
      if (record !== undefined) length = lengthWith(length, record);
      all.push(record);
    }
  }
  return all;
}

/** The published versions beside a published record, or under a parent, newest first. */
export function makeListVersions({ store, catalog }: Deps): RecordServices["listVersions"] {
  return async (_actor, address, { page = 1, size: asked }) => {
    findModel(catalog, address.model);
    const size = recordPageSize(asked);
    const { parent } = await findPublished(store, catalog, address);
    const versions = (await store.records.versionsOf(parent)).filter(({ state }) => state === "published").reverse();
    const shown = versions.slice((page - 1) * size, page * size);
    const records = await readInSlices(store.records, shown);
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
