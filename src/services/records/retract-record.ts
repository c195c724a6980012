import type { Actor } from "../../core/actor.js";
import type { Model } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { requireScopeOf, requireUser, type User } from "../../core/may.js";
import {
  parseHead,
  type RecordBody,
  type RecordHead,
  type StoredRecord,
  storedBody,
  type TombstoneBody,
} from "../../core/record.js";
import type { Conditions, RecordAddress } from "../api/records.js";
import { findModel } from "../context/find-model.js";
import { forgetAnswers, undefinedIfRefused } from "../context/run-write.js";
import { useCase } from "../context/use-case.js";
import { checkBody } from "../input/check-body.js";
import { makeIssue } from "../input/issues.js";
import { readJson } from "../input/read-json.js";
import { findRecord } from "./find-record.js";
import { updateVersionFlags } from "./versions.js";

/**
 * Replaces a published record and its open draft by a tombstone. The version before it becomes the latest one.
 * @param body `{"removal_reason"}`, or nothing
 */
export const retractRecord = useCase(
  { thread: "writer" },
  ({ store, runWrite, catalog }) =>
    async (actor: Actor, address: RecordAddress, body?: string, { revision }: Conditions = {}): Promise<void> => {
      const user = requireUser(actor);
      const model = findModel(catalog, address.model);
      requireScopeOf(user, "retract");
      const reason = readRemovalReason(body);
      const earlier = await findRecord(store, user, "retract", address, revision).catch(undefinedIfRefused);
      const earlierExcerpt = earlier && excerptOf(model, earlier);
      await runWrite({ actor }, async (tx, note) => {
        const stored = await findRecord(tx, user, "retract", address, revision);
        const { id, parent, owner } = stored;
        const head = parseHead(stored);
        const lastRevision = (await tx.records.lastRevision(id)) + 1;
        const isUnchanged = earlierExcerpt !== undefined && stored.revision === earlier?.revision;
        const excerpt = isUnchanged ? earlierExcerpt : excerptOf(model, stored);
        const tombstone = tombstoneOf(head, excerpt, { user, now: tx.now, reason });
        await tx.records.bury({ parent, owner, version: head.versions.index, revision: lastRevision, body: tombstone });
        const gone = fail("RECORD_GONE", { tombstone });
        for (const state of ["draft", "published"] as const) await forgetAnswers(tx, { id, state }, gone);
        await updateVersionFlags(tx, parent);
        await note({ action: "record.retract", kind: "record", place: model.name, id, revision: lastRevision });
      });
    },
);

type Excerpt = Pick<TombstoneBody, "title" | "depositors" | "publisher">;

/** Returns the metadata that a tombstone shows. */
function excerptOf(model: Model, stored: StoredRecord): Excerpt {
  const record = storedBody(stored);
  const find = (name: string): Json | undefined => valueAt(record, model.fields.get(name)?.path);
  const textOf = (name: string): string => {
    const value = find(name);
    return typeof value === "string" ? value : "";
  };
  const depositors = find("depositors");
  return {
    title: textOf("title"),
    depositors,
    publisher: textOf("publisher"),
  };
}

function tombstoneOf(
  { id, model, created, parent }: RecordHead,
  excerpt: Excerpt,
  { user, now, reason }: { readonly user: User; readonly now: string; readonly reason: string },
): TombstoneBody {
  return {
    id,
    model,
    ...excerpt,
    created,
    removed: now,
    removal_reason: reason,
    removed_by: parent.owner.user === user.user ? undefined : user.name,
  };
}

/** Returns the value at the path of a short name. Such paths lead through objects only. */
function valueAt({ metadata }: RecordBody, path: string | undefined): Json | undefined {
  let value: Json | undefined = path === undefined ? undefined : { metadata };
  for (const step of path?.split(".") ?? []) value = isObject(value) ? own(value, step) : undefined;
  return value;
}

const FIELD = "removal_reason";

/**
 * Reads the reason for a retraction from `{"removal_reason": "..."}`. `{}` or no body gives "".
 * @throws BODY_NOT_JSON, BODY_TOO_LARGE, BODY_TOO_COMPLEX, BODY_INVALID
 */
function readRemovalReason(text: string | undefined): string {
  if (text === undefined || text.trim() === "") return "";
  const body = readJson(text);
  checkBody(body);
  if (!isObject(body)) {
    const message = `The body must be a JSON object with the key ${FIELD}, or be left out.`;
    throw fail("BODY_INVALID", { issues: [makeIssue([], "WRONG_TYPE", [message])] });
  }
  refuseOtherKeys(body);
  const reason = own(body, FIELD) ?? "";
  if (typeof reason !== "string") {
    throw fail("BODY_INVALID", { issues: [makeIssue([FIELD], "WRONG_TYPE", [`${FIELD} must be text.`])] });
  }
  const max = LIMITS.removalReasonCodePointsMax;
  if ([...reason].length > max) {
    const message = `${FIELD} must have at most ${max} characters.`;
    throw fail("BODY_INVALID", { issues: [makeIssue([FIELD], "TOO_LONG", [message])] });
  }
  return reason;
}

/** Refuses unknown keys, because a reason under a misspelt key would be lost. */
function refuseOtherKeys(body: JsonObject): void {
  const otherKeys = Object.keys(body).filter((key) => key !== FIELD);
  if (otherKeys.length === 0) return;
  const message = `The body of a retraction can have the key ${FIELD} only.`;
  const issues = otherKeys
    .slice(0, LIMITS.issuesMax)
    .map((key) => makeIssue([key], "NOT_ALLOWED", [message], { allowed: [FIELD] }));
  throw fail("BODY_INVALID", { issues });
}
