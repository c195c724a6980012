import type { Actor } from "../../core/actor.js";
import type { AnsweredCheck } from "../../core/answers/records.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { Citable } from "../../core/citable/citable.js";
import { describeRecord, type Neighbours } from "../../core/citable/describe-record.js";
import { checkRecord, writeCheck } from "../../core/citable/record-checks.js";
import { fail } from "../../core/errors.js";
import type { LifeAction } from "../../core/lifecycle.js";
import { LARGE_RECORD_LENGTH } from "../../core/limits.js";
import { hasScope, requireScopeOf, requireUser, standingOf } from "../../core/may.js";
import { parseRecordId, type StoredRecord, storedBody } from "../../core/record.js";
import { RECORD_FORMATS, recordFormat } from "../../formats/records/formats.js";
import { writeOne } from "../../formats/records/record-format.js";
import type { RecordReader } from "../../ports/store.js";
import type { CheckedAnswer, ExportAnswer, RecordAddress, Representation } from "../api/records.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { type Thread, useCase } from "../context/use-case.js";
import { readDraft } from "./drafts.js";
import { findDraft, findPublished, findRecord } from "./find-record.js";

/** Returns a published record. For the id of a parent, returns its latest version. */
export const readRecord = useCase(
  { thread: "http" },
  ({ store, catalog }) =>
    async (
      _actor: Actor,
      address: { readonly model?: string | undefined; readonly id: string },
    ): Promise<StoredRecord> => {
      if (address.model !== undefined) findModel(catalog, address.model);
      return findPublished(store, catalog, address);
    },
);

/**
 * Returns the model of a record for a request that names only the id; undefined if there is no such record, it is a
 * draft that the caller may not read, or its model is not served.
 */
export const modelOf = useCase({ thread: "http" }, ({ store, catalog }) => {
  const { records, shares } = store;
  return async (actor: Actor, sent: string): Promise<string | undefined> => {
    const id = parseRecordId(sent);
    if (id === undefined) return undefined;
    let model = await records.publicModelOf(id);
    if (model === undefined && actor.kind === "user" && hasScope(actor, "records:read")) {
      const draft = await records.get(id, "draft");
      const shared = await shares.permissionOf(id, actor.user);
      if (draft !== undefined && standingOf(actor, draft, shared) !== "stranger") model = draft.model;
    }
    return model !== undefined && catalog.models.has(model) ? model : undefined;
  };
});

/** Actions that concern the published record and not its draft. */
const RECORD_ACTIONS: ReadonlySet<string> = new Set(["edit", "newVersion", "retract"]);

/**
 * Checks before a body is read whether a write would be allowed. The write checks the same rules again in its
 * transaction. @throws the error of the action if the caller may not do it now
 */
export const checkAccess = useCase(
  { thread: "http" },
  ({ store, catalog }) =>
    async (actor: Actor, action: Exclude<LifeAction, "create">, address: RecordAddress): Promise<void> => {
      const user = requireUser(actor);
      findModel(catalog, address.model);
      requireScopeOf(user, action);
      const find = RECORD_ACTIONS.has(action) ? findRecord : findDraft;
      await find(store, user, action, address);
    },
);

type Size = Pick<Representation, "mayBeLarge">;

/** An export parses the whole body, and so do checks. */
const threadOfExport = (_actor: Actor, _address: unknown, { mayBeLarge }: Size): Thread =>
  mayBeLarge ? "pages" : "search";

/** Exports a record in a format of `formats/records`; for a parent id its latest version. @throws FORMAT_NOT_FOUND */
export const exportRecord = useCase(
  { thread: threadOfExport },
  (deps) =>
    async (
      _actor: Actor,
      address: { readonly model?: string | undefined; readonly id: string },
      representation: Representation,
    ): Promise<ExportAnswer> =>
      writeRecord(deps, await findPublished(deps.store, deps.catalog, address), representation),
);

/** Exports a draft that the caller may read, in a format of `formats/records`. @throws FORMAT_NOT_FOUND */
export const exportDraft = useCase({ thread: threadOfExport }, (deps) => {
  const read = readDraft.make(deps);
  return async (actor: Actor, address: RecordAddress, representation: Representation): Promise<ExportAnswer> =>
    writeRecord(deps, await read(actor, address), representation);
});

async function writeRecord(
  { store, catalog }: Deps,
  record: StoredRecord,
  { format: name, site, mayBeLarge }: Representation,
): Promise<ExportAnswer> {
  const format = recordFormat(name);
  if (format === undefined)
    throw fail("FORMAT_NOT_FOUND", { format: name, known: RECORD_FORMATS.map((each) => each.name) });
  const { id, model, revision } = record;
  const address = { id, model, revision };
  if (!mayBeLarge && record.json.length > LARGE_RECORD_LENGTH) return { record: address };
  const citable = await describeStored({ records: store.records, catalog }, record);
  return { record: address, text: writeOne(format, citable, site) };
}

/** Returns a published record with the outcomes of its checks; for a parent id its latest version. */
export const readCheckedRecord = useCase(
  { thread: threadOfExport },
  ({ store, catalog }) =>
    async (
      _actor: Actor,
      address: { readonly model?: string | undefined; readonly id: string },
      size: Size,
    ): Promise<CheckedAnswer> =>
      checkStored(catalog, await findPublished(store, catalog, address), size),
);

/** Returns a draft that the caller may read, with the outcomes of its checks. */
export const readCheckedDraft = useCase({ thread: threadOfExport }, (deps) => {
  const read = readDraft.make(deps);
  return async (actor: Actor, address: RecordAddress, size: Size): Promise<CheckedAnswer> =>
    checkStored(deps.catalog, await read(actor, address), size);
});

function checkStored(catalog: Catalog, record: StoredRecord, { mayBeLarge }: Size): CheckedAnswer {
  if (!mayBeLarge && record.json.length > LARGE_RECORD_LENGTH) return { record };
  const { metadata } = storedBody(record);
  const checks = checkRecord(metadata, findModel(catalog, record.model)).map((each): AnsweredCheck => {
    const { check, result, status, factor, formula } = each;
    return { check, result, status, factor, text: writeCheck(each), formula };
  });
  return { record, text: JSON.stringify(checks) };
}

/** Converts a stored record to the form that formats need. */
export async function describeStored(
  { records, catalog }: { readonly records: RecordReader } & Pick<Deps, "catalog">,
  record: StoredRecord,
): Promise<Citable> {
  const body = storedBody(record);
  return describeRecord(body, findModel(catalog, record.model), await readVersionNeighbours(records, record));
}

/** Returns the published versions before and after a record. */
async function readVersionNeighbours(records: RecordReader, { id, parent }: StoredRecord): Promise<Neighbours> {
  const published = (await records.listVersions(parent)).filter((row) => row.state === "published" || row.id === id);
  const at = published.findIndex((row) => row.id === id);
  const [previous, next] = [published[at - 1]?.id, published[at + 1]?.id];
  return { previous, next };
}
