import { parseRecordId } from "../../core/record-id.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";

/** Where a record is that is asked for by its id alone. Whether the caller may see it is decided there. */
export function makeModelOf({ store, catalog }: Deps): RecordServices["modelOf"] {
  return async (sent) => {
    const id = parseRecordId(sent);
    const model = id === undefined ? undefined : await store.records.modelOf(id);
    return model !== undefined && catalog.models.has(model) ? model : undefined;
  };
}
