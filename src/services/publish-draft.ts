import { fail } from "../core/errors.js";
import { requireScopeOf, requireUser } from "../core/may.js";
import type { RecordBody } from "../core/record.js";
import type { WriteTransaction } from "../ports/store.js";
import type { Deps } from "./deps.js";
import { findDraft } from "./find-draft.js";
import { findModel } from "./find-model.js";
import { notOfferedOf } from "./not-offered.js";
import { prepareMetadata } from "./prepare-metadata.js";
import { publishedOf, storedOf, targetOf } from "./record-body.js";
import type { WriteServices } from "./services.js";
import { settleVersions } from "./settle-versions.js";

/**
 * Turns a complete draft into the published record of the same id, or into its next revision. A draft may have
 * problems; here they must be gone.
 */
export function makePublishDraft(deps: Deps): WriteServices["publishDraft"] {
  const { runWrite, catalog } = deps;
  return async (actor, address, { revision, once } = {}) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "publish");
    return runWrite({ actor, ...(once === undefined ? {} : { once }) }, async (tx, note) => {
      const stored = await findDraft(tx, user, "publish", address, revision);
      const draft = JSON.parse(stored.json) as RecordBody;
      // Terms as they are now: they may have changed since the draft was saved.
      const { metadata, cited, issues, warnings } = await prepareMetadata(deps, tx.terms, model, {
        metadata: draft.metadata,
        notOffered: notOfferedOf(draft.errors),
      });
      if (issues.length > 0) throw fail("DRAFT_INVALID", { issues });

      const record = publishedOf(draft, metadata, await instantsOf(tx, draft));
      await tx.records.put(record, cited);
      await tx.records.delete(draft.id, "draft");
      if (!draft.is_published) await settleVersions(tx, model, draft.parent.id, draft.id);
      await note({ action: "draft.publish", ...targetOf(record) });
      return { record: storedOf(record), warnings };
    });
  };
}

/** What a publication takes from the store: an edit keeps the time of the first one. */
async function instantsOf({ records, now }: WriteTransaction, { id, parent }: RecordBody) {
  const before = (await records.versionsOf(parent.id)).find((row) => row.id === id && row.state === "published");
  const revision = (await records.lastRevision(id)) + 1;
  return { now, revision, ...(before === undefined ? {} : { published: before.created }) };
}
