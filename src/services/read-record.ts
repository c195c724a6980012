import { fail } from "../core/errors.js";
import { parseRecordId } from "../core/record-id.js";
import type { Deps } from "./deps.js";
import { findModel } from "./find-model.js";
import type { ReadServices } from "./services.js";

/** A published record: public. A parent id gives the latest version under it, whose own id is another. */
export function makeReadRecord({ store, catalog }: Deps): ReadServices["readRecord"] {
  return async (_actor, { model, id: sent }) => {
    if (model !== undefined) findModel(catalog, model);
    const id = parseRecordId(sent);
    const record =
      id === undefined ? undefined : ((await store.records.get(id, "published")) ?? (await store.records.latestOf(id)));
    // A model may have left the catalog while its records stay.
    const isServed = record !== undefined && catalog.models.has(record.model);
    if (!isServed || (model !== undefined && record.model !== model)) throw fail("RECORD_NOT_FOUND", { id: sent });
    return record;
  };
}
