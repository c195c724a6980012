import { fail } from "../../core/errors.js";
import { requireScopeOf, requireUser } from "../../core/may.js";
import { headOf, type RecordHead } from "../../core/record.js";
import type { WriteTransaction } from "../../ports/store.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { ifRefused } from "../context/if-refused.js";
import { prepareStored } from "../metadata/prepare-stored.js";
import { findDraft } from "./find-draft.js";
import { publishedOf, targetOf } from "./record-body.js";
import { updateVersionFlags } from "./update-version-flags.js";

/**
 * Turns a complete draft into the published record of the same id, or into its next revision. A draft may have
 * problems; here they must be gone.
 */
export function makePublishDraft(deps: Deps): RecordServices["publishDraft"] {
  const { store, runWrite, catalog } = deps;
  return async (actor, address, { revision, once } = {}) => {
    const user = requireUser(actor);
    findModel(catalog, address.model);
    requireScopeOf(user, "publish");
    const seen = await findDraft(store, user, "publish", address, revision).catch(ifRefused);
    const readyFor = await prepareStored(deps, "draft", seen);
    const replay = { action: "publish", id: address.id } as const;
    const cause = { actor, length: seen?.json.length ?? 0, replay, ...(once === undefined ? {} : { once }) };
    return runWrite(cause, async (tx, note) => {
      const open = await findDraft(tx, user, "publish", address, revision);
      const draft = headOf(open);
      const { raw, index, issues, warnings } = await readyFor(tx.terms, open);
      if (issues.length > 0) throw fail("DRAFT_INVALID", { issues });

      const record = publishedOf(draft, raw, await instantsOf(tx, draft));
      const stored = await tx.records.put(record, index);
      await tx.records.delete(draft.id, "draft");
      if (!draft.is_published) await updateVersionFlags(tx, draft.parent.id, draft.id);
      await note({ action: "draft.publish", ...targetOf(record) });
      return { record: stored, warnings };
    });
  };
}

/** What a publication takes from the store: an edit keeps the time of the first one. */
async function instantsOf({ records, now }: WriteTransaction, { id, parent }: RecordHead) {
  const before = (await records.versionsOf(parent.id)).find((row) => row.id === id && row.state === "published");
  const revision = (await records.lastRevision(id)) + 1;
  return { now, revision, ...(before === undefined ? {} : { published: before.created }) };
}
