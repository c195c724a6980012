import type { Actor } from "../../core/actor.js";
import type { LifeAction } from "../../core/lifecycle.js";
import { hasScope, requireScopeOf, requireUser, standingOf } from "../../core/may.js";
import type { StoredRecord } from "../../core/record.js";
import { parseRecordId } from "../../core/record.js";
import type { RecordAddress } from "../api/records.js";
import { findModel } from "../context/find-model.js";
import { useCase } from "../context/use-case.js";
import { findDraft, findPublished, findRecord } from "./find-record.js";

/** Returns a published record. For the id of a parent, returns its latest version. */
export const readRecord = useCase(
  { thread: "http" },
  ({ store, catalog }) =>
    async (_actor: Actor, address: { readonly model?: string; readonly id: string }): Promise<StoredRecord> => {
      if (address.model !== undefined) findModel(catalog, address.model);
      return findPublished(store, catalog, address);
    },
);

/**
 * Returns the model of a record for a request that names only the id; undefined if there is no such record, it is a
 * draft that the caller may not read, or its model is not served.
 */
export const modelOf = useCase({ thread: "http" }, ({ store, catalog }) => {
  const { records, shares } = store;
  return async (actor: Actor, sent: string): Promise<string | undefined> => {
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
});

/** Actions that concern the published record and not its draft. */
const RECORD_ACTIONS: ReadonlySet<string> = new Set(["edit", "newVersion", "retract"]);

/**
 * Checks before a body is read whether a write would be allowed. The write checks the same rules again in its
 * transaction. @throws the error of the action if the caller may not do it now
 */
export const checkAccess = useCase(
  { thread: "http" },
  ({ store, catalog }) =>
    async (actor: Actor, action: Exclude<LifeAction, "create">, address: RecordAddress): Promise<void> => {
      const user = requireUser(actor);
      findModel(catalog, address.model);
      requireScopeOf(user, action);
      const find = RECORD_ACTIONS.has(action) ? findRecord : findDraft;
      await find(store, user, action, address);
    },
);
