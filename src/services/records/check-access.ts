import { requireScopeOf, requireUser } from "../../core/may.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { findDraft } from "./find-draft.js";
import { findRecord } from "./find-record.js";

/** What is done to the published record, and not to its draft. */
const ON_RECORD: ReadonlySet<string> = new Set(["edit", "newVersion", "retract"]);

/** Decides as the write itself does, which decides once more in its transaction. */
export function makeCheckAccess({ store, catalog }: Deps): RecordServices["checkAccess"] {
  return async (actor, action, address) => {
    const user = requireUser(actor);
    findModel(catalog, address.model);
    requireScopeOf(user, action);
    const find = ON_RECORD.has(action) ? findRecord : findDraft;
    await find(store, user, action, address);
  };
}
