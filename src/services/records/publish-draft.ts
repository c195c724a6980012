import type { Actor } from "../../core/actor.js";
import { fail } from "../../core/errors.js";
import { requireScopeOf, requireUser } from "../../core/may.js";
import { headOf, type RecordHead } from "../../core/record.js";
import type { WriteTransaction } from "../../ports/store.js";
import type { Conditions, RecordAddress, RecordAnswer } from "../api/records.js";
import { undefinedIfRefused } from "../context/before-transaction.js";
import { findModel } from "../context/find-model.js";
import { useCase } from "../context/use-case.js";
import { prepareStored } from "../metadata/prepare-record.js";
import { findDraft } from "./find-record.js";
import { publishedOf, targetOf } from "./record-body.js";
import { updateVersionFlags } from "./versions.js";

/**
 * Publishes a draft as a new record, or as the next revision of the published record.
 * @throws DRAFT_INVALID if the draft has problems
 */
export const publishDraft = useCase({ thread: "writer" }, (deps) => {
  const { store, runWrite, catalog } = deps;
  return async (actor: Actor, address: RecordAddress, { revision, once }: Conditions = {}): Promise<RecordAnswer> => {
    const user = requireUser(actor);
    findModel(catalog, address.model);
    requireScopeOf(user, "publish");
    const earlier = await findDraft(store, user, "publish", address, revision).catch(undefinedIfRefused);
    const prepareDraft = await prepareStored(deps, "draft", earlier);
    const replay = { action: "publish", id: address.id } as const;
    const cause = { actor, length: earlier?.json.length ?? 0, replay, once };
    return runWrite(cause, async (tx, note) => {
      const open = await findDraft(tx, user, "publish", address, revision);
      const draft = headOf(open);
      const { raw, index, issues, warnings } = await prepareDraft(tx.terms, open);
      if (issues.length > 0) throw fail("DRAFT_INVALID", { issues });

      const record = publishedOf(draft, raw, await publicationOf(tx, draft));
      const stored = await tx.records.put(record, index);
      await tx.records.delete(draft.id, "draft");
      if (!draft.is_published) await updateVersionFlags(tx, draft.parent.id, draft.id);
      await note({ action: "draft.publish", ...targetOf(record) });
      return { record: stored, warnings };
    });
  };
});

/** Returns the time and revision of a publication. An edit of a published record keeps the time of its first one. */
async function publicationOf({ records, now }: WriteTransaction, { id, parent }: RecordHead) {
  const current = (await records.versionsOf(parent.id)).find((row) => row.id === id && row.state === "published");
  const revision = (await records.lastRevision(id)) + 1;
  return { now, revision, published: current?.created };
}
