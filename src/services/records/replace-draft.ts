import { isDeepStrictEqual } from "node:util";
import { requireScopeOf, requireUser } from "../../core/may.js";
import { headOf, RawJson, recordText, type StoredRecord } from "../../core/record.js";
import type { Ready } from "../api/prepare-services.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { requireDraftRoom } from "../context/quotas.js";
import { upToDate } from "../metadata/prepare-record.js";
import { findDraft } from "./find-draft.js";
import { targetOf, withMetadata } from "./record-body.js";

/** Puts other metadata in the place of a draft's. What changes nothing stores nothing and raises no revision. */
export function makeReplaceDraft(deps: Deps): RecordServices["replaceDraft"] {
  const { store, prepare, runWrite, catalog } = deps;
  return async (actor, address, body, { revision } = {}) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "replace");
    // Who may not replace it, or did not see its revision, is told so before the body is read.
    const seen = await findDraft(store, user, "replace", address, revision);
    const job = { kind: "sent", model: model.name, text: body } as const;
    const prepared = await prepare(job);
    const wasSame = prepared.kind === "ready" && changesNothing(seen, prepared);
    return runWrite({ actor, length: body.length }, async (tx, note) => {
      const open = await findDraft(tx, user, "replace", address, revision);
      const ready = await upToDate(deps, tx.terms, job, prepared);
      const { raw, index, issues, warnings } = ready;
      const isCompared = open.revision === seen.revision && prepared.kind === "ready" && index === prepared.index;
      if (isCompared ? wasSame : changesNothing(open, ready)) return { record: open, warnings };
      const draft = headOf(open);
      const changed = { ...draft, updated: tx.now, revision_id: (await tx.records.lastRevision(draft.id)) + 1 };
      const next = withMetadata(changed, raw, issues);
      await requireDraftRoom(deps.quotas, tx.records, next, open);
      const stored = await tx.records.put(next, index);
      await note({ action: "draft.replace", ...targetOf(next) });
      return { record: stored, warnings };
    });
  };
}

function changesNothing(stored: StoredRecord, { metadata, issues }: Ready): boolean {
  return saysTheSame(recordText(withMetadata(headOf(stored), new RawJson(metadata), issues)), stored.json);
}

/** Members have no order in JSON, and many clients send them sorted; their text is as long in any order. */
function saysTheSame(one: string, other: string): boolean {
  return one === other || (one.length === other.length && isDeepStrictEqual(JSON.parse(one), JSON.parse(other)));
}
