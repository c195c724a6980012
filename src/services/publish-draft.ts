import { fail } from "../core/errors.js";
import { requireScope, requireUser } from "../core/may.js";
import type { RecordBody } from "../core/record.js";
import type { Deps } from "./deps.js";
import { findDraft } from "./find-draft.js";
import { findModel } from "./find-model.js";
import { prepareMetadata } from "./prepare-metadata.js";
import { publishedOf, storedOf, targetOf } from "./record-body.js";
import type { WriteServices } from "./services.js";

/** Turns a complete draft into a published record of the same id. A draft may have problems; here they must be gone. */
export function makePublishDraft(deps: Deps): WriteServices["publishDraft"] {
  const { runWrite, catalog } = deps;
  return async (actor, address, { revision, once } = {}) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScope(user, "records:write");
    return runWrite({ actor, ...(once === undefined ? {} : { once }) }, async (tx, note) => {
      const stored = await findDraft(tx.records, user, address, revision);
      const draft = JSON.parse(stored.json) as RecordBody;
      // Terms as they are now: they may have changed since the draft was saved.
      const { metadata, cited, issues, warnings } = await prepareMetadata(deps, tx.terms, model, draft);
      if (issues.length > 0) throw fail("DRAFT_INVALID", { issues });

      const record = publishedOf(draft, metadata, tx.now);
      await tx.records.put(record, cited);
      await tx.records.delete(draft.id, "draft");
      await note({ action: "draft.publish", ...targetOf(record) });
      return { record: storedOf(record), warnings };
    });
  };
}
