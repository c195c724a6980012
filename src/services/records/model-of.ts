import { hasScope, standingOf } from "../../core/may.js";
import { parseRecordId } from "../../core/record-id.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";

/** Returns the model of a record for a request that names only the id. Hides drafts that the caller may not read. */
export function makeModelOf({ store, catalog }: Deps): RecordServices["modelOf"] {
  const { records, shares } = store;
  return async (actor, sent) => {
    const id = parseRecordId(sent);
    if (id === undefined) return undefined;
    let model = await records.publicModelOf(id);
    if (model === undefined && actor.kind === "user" && hasScope(actor, "records:read")) {
      const draft = await records.get(id, "draft");
      const shared = await shares.permissionOf(id, actor.user);
      if (draft !== undefined && standingOf(actor, draft, shared) !== "stranger") model = draft.model;
    }
    return model !== undefined && catalog.models.has(model) ? model : undefined;
  };
}
