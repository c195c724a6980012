import { isDeepStrictEqual } from "node:util";
import type { Issue } from "../core/issue.js";
import type { JsonObject } from "../core/json.js";
import { requireScopeOf, requireUser } from "../core/may.js";
import type { RecordBody } from "../core/record.js";
import type { Deps } from "./deps.js";
import { findDraft } from "./find-draft.js";
import { findModel } from "./find-model.js";
import { prepareMetadata } from "./prepare-metadata.js";
import { readBody } from "./read-body.js";
import { storedOf, targetOf } from "./record-body.js";
import type { WriteServices } from "./services.js";

/** Puts other metadata in the place of a draft's. What changes nothing stores nothing and raises no revision. */
export function makeReplaceDraft(deps: Deps): WriteServices["replaceDraft"] {
  const { runWrite, catalog } = deps;
  return async (actor, address, body, { revision } = {}) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "replace");
    return runWrite({ actor }, async (tx, note) => {
      const stored = await findDraft(tx, user, "replace", address, revision);
      const sent = readBody(body, model);
      const { metadata, cited, issues, warnings } = await prepareMetadata(deps, tx.terms, model, sent);
      const draft = JSON.parse(stored.json) as RecordBody;
      if (isDeepStrictEqual(asStored(withMetadata(draft, metadata, issues)), draft)) {
        return { record: stored, warnings };
      }
      const changed = { ...draft, updated: tx.now, revision_id: (await tx.records.lastRevision(draft.id)) + 1 };
      const next = withMetadata(changed, metadata, issues);
      await tx.records.put(next, cited);
      await note({ action: "draft.replace", ...targetOf(next) });
      return { record: storedOf(next), warnings };
    });
  };
}

/** As the store gives it back. Members have no order in JSON: many clients send them sorted. */
function asStored(body: RecordBody): RecordBody {
  return JSON.parse(JSON.stringify(body)) as RecordBody;
}

function withMetadata(draft: RecordBody, metadata: JsonObject, issues: readonly Issue[]): RecordBody {
  const { errors: _, ...kept } = draft;
  return { ...kept, metadata, ...(issues.length > 0 ? { errors: issues } : {}) };
}
