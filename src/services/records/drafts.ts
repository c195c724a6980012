import { isDeepStrictEqual } from "node:util";
import type { Actor } from "../../core/actor.js";
import type { Model } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { LARGE_RECORD_LENGTH } from "../../core/limits.js";
import { requireScope, requireScopeOf, requireUser } from "../../core/may.js";
import { parseHead, RawJson, type RecordHead, recordText, type StoredRecord } from "../../core/record.js";
import type { SentBody } from "../../core/sent-body.js";
import type { FileDocument } from "../../formats/documents.js";
import type { TermReader, WriteTransaction } from "../../ports/store.js";
import type { AuthorityAnswer, PreparedRecord } from "../api/preparation.js";
import type {
  Conditions,
  DraftAnswer,
  RecordAddress,
  RecordAnswer,
  ValidatedDocument,
  ValidationResult,
} from "../api/records.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { requireDraftRoom } from "../context/quotas.js";
import { forgetAnswers, undefinedIfRefused } from "../context/run-write.js";
import { operatorUseCase, useCase } from "../context/use-case.js";
import { openImport } from "../input/open-import.js";
import { lookUpTerms, withFoundTerms } from "../lookup/look-up-terms.js";
import {
  cachePrepared,
  forgetPrepared,
  prepareSent,
  prepareStored,
  refreshPrepared,
} from "../metadata/prepare-record.js";
import { readBody, readDocument, unreadIssues } from "../metadata/read-body.js";
import { findDraft, findRecord } from "./find-record.js";
import { auditTarget, editDraftOf, freshId, newDraft, publishedOf, withMetadata } from "./record-body.js";
import { updateVersionFlags } from "./versions.js";

/** Creates a draft that the caller owns. Problems with it do not prevent this; its `errors` lists them. */
export const createDraft = useCase({ thread: "writer" }, (deps) => {
  const { prepare, runWrite, catalog, random } = deps;
  return async (actor: Actor, modelName: string, body: SentBody, { once }: Conditions = {}): Promise<RecordAnswer> => {
    const user = requireUser(actor);
    const model = findModel(catalog, modelName);
    requireScopeOf(user, "create");
    const job = { kind: "sent", model: model.name, text: body } as const;
    const prepared = await prepare(job);
    const replay = { action: "read" } as const;
    const cause = { actor, length: body.length, replay, once };
    return runWrite(cause, async (tx, note) => {
      const ready = await refreshPrepared(deps, tx.terms, job, prepared);
      const { raw, index, issues, warnings } = ready;
      const parent = await freshId(tx.records, random);
      const id = await freshId(tx.records, random, parent);
      const owner = user.user;
      const draft = newDraft({ id, parent, owner, model: model.name, now: tx.now, metadata: raw, issues });
      await requireDraftRoom(deps.quotas, tx.records, draft);
      const stored = await tx.records.put(draft, index);
      cachePrepared(deps, draft, ready);
      await note({ action: "draft.create", kind: "record", place: model.name, id, revision: 1 });
      return { record: stored, warnings };
    });
  };
});

/** Returns a draft that the caller may read: an own draft, a shared one, or any draft for curators and admins. */
export const readDraft = useCase(
  { thread: "http" },
  ({ store, catalog }) =>
    async (actor: Actor, address: RecordAddress): Promise<StoredRecord> => {
      const user = requireUser(actor);
      findModel(catalog, address.model);
      requireScopeOf(user, "read");
      return findDraft(store, user, "read", address);
    },
);

/** Replaces the metadata of a draft. A body that changes nothing is not stored and keeps the revision. */
export const replaceDraft = useCase({ thread: "writer" }, (deps) => {
  const { store, prepare, runWrite, catalog } = deps;
  return async (
    actor: Actor,
    address: RecordAddress,
    body: SentBody,
    { revision }: Conditions = {},
  ): Promise<RecordAnswer> => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "replace");
    // Checks the rights and the revision before the body is read.
    const earlier = await findDraft(store, user, "replace", address, revision);
    const job = { kind: "sent", model: model.name, text: body } as const;
    const prepared = await prepare(job);
    const wasSame = prepared.kind === "ready" && changesNothing(earlier, prepared);
    return runWrite({ actor, length: body.length }, async (tx, note) => {
      const open = await findDraft(tx, user, "replace", address, revision);
      const ready = await refreshPrepared(deps, tx.terms, job, prepared);
      const { raw, index, issues, warnings } = ready;
      const isCompared = open.revision === earlier.revision && prepared.kind === "ready" && index === prepared.index;
      if (isCompared ? wasSame : changesNothing(open, ready)) return { record: open, warnings };
      const draft = parseHead(open);
      const changed = { ...draft, updated: tx.now, revision_id: (await tx.records.lastRevision(draft.id)) + 1 };
      const next = withMetadata(changed, raw, issues);
      await requireDraftRoom(deps.quotas, tx.records, next, open);
      const stored = await tx.records.put(next, index);
      cachePrepared(deps, next, ready);
      await note({ action: "draft.replace", ...auditTarget(next) });
      return { record: stored, warnings };
    });
  };
});

function changesNothing(stored: StoredRecord, { metadata, issues }: PreparedRecord): boolean {
  return isSameJson(recordText(withMetadata(parseHead(stored), new RawJson(metadata), issues)), stored.json);
}

/** Compares regardless of the order of members, because many clients sort them. The length is the same in any order. */
function isSameJson(one: string, other: string): boolean {
  return one === other || (one.length === other.length && isDeepStrictEqual(JSON.parse(one), JSON.parse(other)));
}

/** Opens a draft that is a copy of a published record, or returns the draft that is already open. */
export const editRecord = useCase({ thread: "writer" }, (deps) => {
  const { store, runWrite, catalog } = deps;
  return async (actor: Actor, address: RecordAddress, { revision, once }: Conditions = {}): Promise<DraftAnswer> => {
    const user = requireUser(actor);
    findModel(catalog, address.model);
    requireScopeOf(user, "edit");
    const earlier = await findRecord(store, user, "edit", address, revision).catch(undefinedIfRefused);
    const isOpen = earlier !== undefined && (await store.records.get(earlier.id, "draft")) !== undefined;
    const prepareCopy = await prepareStored(deps, "copy", isOpen ? undefined : earlier);
    const replay = { action: "edit", id: address.id } as const;
    const cause = { actor, length: earlier?.json.length ?? 0, replay, once };
    return runWrite(cause, async (tx, note) => {
      const published = await findRecord(tx, user, "edit", address, revision);
      const open = await tx.records.get(published.id, "draft");
      if (open !== undefined) return { record: open, warnings: [], isNew: false };

      const { raw, index } = await prepareCopy(tx.terms, published);
      const next = { now: tx.now, revision: (await tx.records.lastRevision(published.id)) + 1 };
      const draft = editDraftOf(parseHead(published), raw, next);
      await requireDraftRoom(deps.quotas, tx.records, draft);
      const stored = await tx.records.put(draft, index);
      await note({ action: "record.edit", ...auditTarget(draft) });
      return { record: stored, warnings: [], isNew: true };
    });
  };
});

/** Deletes a draft permanently. A published record with the same id stays. */
export const deleteDraft = useCase(
  { thread: "writer" },
  (deps) =>
    async (actor: Actor, address: RecordAddress, { revision }: Conditions = {}): Promise<void> => {
      const user = requireUser(actor);
      findModel(deps.catalog, address.model);
      requireScopeOf(user, "deleteDraft");
      await deps.runWrite({ actor }, async (tx, note) => {
        const draft = await findDraft(tx, user, "deleteDraft", address, revision);
        await tx.records.delete(draft.id, "draft");
        forgetPrepared(deps, draft.id);
        await forgetAnswers(tx, { id: draft.id, state: "draft" }, fail("DRAFT_NOT_FOUND", { id: draft.id }));
        if (!draft.isPublished) await updateVersionFlags(tx, draft.parent);
        await note({
          action: "draft.delete",
          kind: "record",
          place: draft.model,
          id: draft.id,
          revision: draft.revision,
        });
      });
    },
);

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
      const draft = parseHead(open);
      const { raw, index, issues, warnings } = await prepareDraft(tx.terms, open);
      if (issues.length > 0) throw fail("DRAFT_INVALID", { issues });

      const record = publishedOf(draft, raw, await nextPublication(tx, draft));
      const stored = await tx.records.put(record, index);
      await tx.records.delete(draft.id, "draft");
      if (!draft.is_published) await updateVersionFlags(tx, draft.parent.id, draft.id);
      await note({ action: "draft.publish", ...auditTarget(record) });
      return { record: stored, warnings };
    });
  };
});

/** Returns the time and revision of a publication. An edit of a published record keeps the time of its first one. */
async function nextPublication({ records, now }: WriteTransaction, { id, parent }: RecordHead) {
  const current = (await records.listVersions(parent.id)).find((row) => row.id === id && row.state === "published");
  const revision = (await records.lastRevision(id)) + 1;
  return { now, revision, published: current?.created };
}

/**
 * Validates a body like a new draft, without storing anything. It needs no transaction, because all cited terms are
 * read at once. Unknown terms are looked up at authorities as for a draft, but not added.
 * @throws what `createDraft` throws
 */
export const validateRecord = useCase(
  // It looks terms up as a search does, and costs as much.
  {
    thread: (_actor: Actor, _model: string, body: SentBody) => (body.length > LARGE_RECORD_LENGTH ? "pages" : "search"),
  },
  (deps) => {
    const { store, catalog, live } = deps;
    return async (actor: Actor, modelName: string, body: SentBody): Promise<ValidationResult> => {
      const user = requireUser(actor);
      const model = findModel(catalog, modelName);
      requireScope(user, "records:read");
      const prepare = (terms: TermReader, lookups: readonly AuthorityAnswer[] = []) =>
        prepareSent(deps, terms, model, readBody(body, model), lookups);
      let prepared = await prepare(store.terms);
      if (live.size > 0 && prepared.unknownTerms.length > 0) {
        const { terms, lookups } = await lookUpTerms(deps, prepared.unknownTerms);
        if (lookups.length > 0) prepared = await prepare(withFoundTerms(store.terms, terms), lookups);
      }
      const { metadata, issues, warnings } = prepared;
      return { errors: issues, warnings, metadata };
    };
  },
);

/**
 * Validates each record of a file like an import, with the current terms, without storing anything.
 * @returns numbers of documents and warnings
 */
export const validateFile = operatorUseCase(
  (deps) =>
    async ({
      model: modelName,
      file,
      onDocument,
      onProgress,
    }: {
      readonly model: string;
      readonly file: string;
      /** Called for each document, in the order of the file. */
      readonly onDocument: (document: ValidatedDocument) => void;
      readonly onProgress?: (bytesRead: number) => void;
    }): Promise<{ readonly valid: number; readonly invalid: number; readonly warnings: number }> => {
      const model = findModel(deps.catalog, modelName);
      const counts = { valid: 0, invalid: 0, warnings: 0 };
      for await (const document of openImport(file, onProgress)) {
        const validated = await validateDocument(deps, model, document);
        counts[validated.errors.length === 0 ? "valid" : "invalid"]++;
        counts.warnings += validated.warnings.length;
        onDocument(validated);
      }
      return counts;
    },
);

async function validateDocument(deps: Deps, model: Model, document: FileDocument): Promise<ValidatedDocument> {
  const { line } = document;
  const sent = readDocument(document, model);
  if ("unread" in sent) return { line, errors: sent.unread, warnings: [] };
  try {
    const { issues, warnings } = await prepareSent(deps, deps.store.terms, model, sent);
    return { line, errors: issues, warnings };
  } catch (error) {
    return { line, errors: unreadIssues(error, model), warnings: [] };
  }
}
