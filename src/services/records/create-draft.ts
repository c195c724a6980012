import { requireScopeOf, requireUser } from "../../core/may.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { requireDraftRoom } from "../context/quotas.js";
import { upToDate } from "../metadata/prepare-record.js";
import { freshId, newDraft } from "./record-body.js";

/** Saves a new draft of the caller's, with whatever problems it has: they are named in its `errors`. */
export function makeCreateDraft(deps: Deps): RecordServices["createDraft"] {
  const { prepare, runWrite, catalog, random } = deps;
  return async (actor, modelName, body, { once } = {}) => {
    const user = requireUser(actor);
    const model = findModel(catalog, modelName);
    requireScopeOf(user, "create");
    const job = { kind: "sent", model: model.name, text: body } as const;
    const prepared = await prepare(job);
    const replay = { action: "read" } as const;
    const cause = { actor, length: body.length, replay, ...(once === undefined ? {} : { once }) };
    return runWrite(cause, async (tx, note) => {
      const { raw, index, issues, warnings } = await upToDate(deps, tx.terms, job, prepared);
      const parent = await freshId(tx.records, random);
      const id = await freshId(tx.records, random, parent);
      const owner = user.user;
      const draft = newDraft({ id, parent, owner, model: model.name, now: tx.now, metadata: raw, issues });
      await requireDraftRoom(deps.quotas, tx.records, draft);
      const stored = await tx.records.put(draft, index);
      await note({ action: "draft.create", kind: "record", place: model.name, id, revision: 1 });
      return { record: stored, warnings };
    });
  };
}
