import { hasScope, requireScopeOf, requireUser, standingOf } from "../../core/may.js";
import { parseRecordId } from "../../core/record.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { findDraft, findPublished, findRecord } from "./find-record.js";

/** Returns a published record. For the id of a parent, returns its latest version. */
export function makeReadRecord({ store, catalog }: Deps): RecordServices["readRecord"] {
  return async (_actor, address) => {
    if (address.model !== undefined) findModel(catalog, address.model);
    return findPublished(store, catalog, address);
  };
}

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

/** Actions that concern the published record and not its draft. */
const RECORD_ACTIONS: ReadonlySet<string> = new Set(["edit", "newVersion", "retract"]);

/** Checks whether a write would be allowed, by the same rules. The write checks them again in its transaction. */
export function makeCheckAccess({ store, catalog }: Deps): RecordServices["checkAccess"] {
  return async (actor, action, address) => {
    const user = requireUser(actor);
    findModel(catalog, address.model);
    requireScopeOf(user, action);
    const find = RECORD_ACTIONS.has(action) ? findRecord : findDraft;
    await find(store, user, action, address);
  };
}
