import type { Model } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { isObject, type Json, own } from "../../core/json.js";
import { requireScopeOf, requireUser, type User } from "../../core/may.js";
import { headOf, type RecordBody, type RecordHead, type StoredRecord, storedBody } from "../../core/record.js";
import type { TombstoneBody } from "../../core/tombstone.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { ifRefused } from "../context/if-refused.js";
import { forgetAnswers } from "../context/run-write.js";
import { findRecord } from "./find-record.js";
import { readRemoval } from "./read-removal.js";
import { updateVersionFlags } from "./update-version-flags.js";

/** Puts a tombstone in the place of a published record and of its open draft; the version before is the latest then. */
export function makeRetractRecord({ store, runWrite, catalog }: Deps): RecordServices["retractRecord"] {
  return async (actor, address, body, { revision } = {}) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "retract");
    const reason = readRemoval(body);
    const seen = await findRecord(store, user, "retract", address, revision).catch(ifRefused);
    const shown = seen && shownOf(model, seen);
    await runWrite({ actor }, async (tx, note) => {
      const stored = await findRecord(tx, user, "retract", address, revision);
      const { id, parent, owner } = stored;
      const head = headOf(stored);
      const last = (await tx.records.lastRevision(id)) + 1;
      const kept = shown !== undefined && stored.revision === seen?.revision ? shown : shownOf(model, stored);
      const left = tombstoneOf(head, kept, { user, now: tx.now, reason });
      await tx.records.bury({ parent, owner, version: head.versions.index, revision: last, body: left });
      const gone = fail("RECORD_GONE", { tombstone: left });
      for (const state of ["draft", "published"] as const) await forgetAnswers(tx, { id, state }, gone);
      await updateVersionFlags(tx, parent);
      await note({ action: "record.retract", kind: "record", place: model.name, id, revision: last });
    });
  };
}

type Shown = Pick<TombstoneBody, "title" | "depositors" | "publisher">;

/** What a tombstone shows of the metadata. */
function shownOf(model: Model, stored: StoredRecord): Shown {
  const record = storedBody(stored);
  const find = (name: string): Json | undefined => valueAt(record, model.fields.get(name)?.path);
  const textOf = (name: string): string => {
    const value = find(name);
    return typeof value === "string" ? value : "";
  };
  const depositors = find("depositors");
  return {
    title: textOf("title"),
    ...(depositors === undefined ? {} : { depositors }),
    publisher: textOf("publisher"),
  };
}

function tombstoneOf(
  { id, model, created, parent }: RecordHead,
  shown: Shown,
  { user, now, reason }: { readonly user: User; readonly now: string; readonly reason: string },
): TombstoneBody {
  return {
    id,
    model,
    ...shown,
    created,
    removed: now,
    removal_reason: reason,
    ...(parent.owner.user === user.user ? {} : { removed_by: user.name }),
  };
}

/** What stands at a path of a short name, which leads through objects only. */
function valueAt({ metadata }: RecordBody, path: string | undefined): Json | undefined {
  let here: Json | undefined = path === undefined ? undefined : { metadata };
  for (const step of path?.split(".") ?? []) here = isObject(here) ? own(here, step) : undefined;
  return here;
}
