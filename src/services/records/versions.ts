import type { Actor } from "../../core/actor.js";
import { requireScopeOf, requireUser } from "../../core/may.js";
import { lengthWith, parseHead, type RecordHead, type StoredRecord } from "../../core/record.js";
import { computeFlags } from "../../core/records/record-change.js";
import { startSlices } from "../../core/slices.js";
import type { RecordReader, VersionRow, WriteTransaction } from "../../ports/store.js";
import type { Conditions, DraftAnswer, RecordAddress } from "../api/records.js";
import type { RecordHit, SearchAnswer } from "../api/searches.js";
import { findModel } from "../context/find-model.js";
import { requireDraftRoom } from "../context/quotas.js";
import { undefinedIfRefused } from "../context/run-write.js";
import { useCase } from "../context/use-case.js";
import { checkRecordPageSize } from "../input/search-window.js";
import { prepareStored } from "../metadata/prepare-record.js";
import { findPublished, findRecord } from "./find-record.js";
import { auditTarget, freshId, newDraft } from "./record-body.js";

/** Creates the draft of a new version as a copy of the latest published one, or returns the draft that is open. */
export const createVersion = useCase({ thread: "writer" }, (deps) => {
  const { store, runWrite, catalog, random } = deps;
  return async (actor: Actor, address: RecordAddress, { revision, once }: Conditions = {}): Promise<DraftAnswer> => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "newVersion");
    const earlier = await findRecord(store, user, "newVersion", address, revision).catch(undefinedIfRefused);
    const isOpen = earlier !== undefined && (await surveyVersions(store.records, earlier.parent)).open !== undefined;
    const source = earlier && !isOpen ? await latestVersion(store.records, earlier) : undefined;
    const prepareCopy = await prepareStored(deps, "copy", source);
    const replay = { action: "newVersion" } as const;
    const cause = { actor, length: earlier?.json.length ?? 0, replay, once };
    return runWrite(cause, async (tx, note) => {
      const published = await findRecord(tx, user, "newVersion", address, revision);
      const { parent, owner } = published;
      const { open, next } = await surveyVersions(tx.records, parent);
      if (open !== undefined) return { record: open, warnings: [], isNew: false };

      const { raw, index } = await prepareCopy(tx.terms, await latestVersion(tx.records, published));
      const id = await freshId(tx.records, random);
      const place = { id, parent, owner, model: model.name, index: next };
      const draft = newDraft({ ...place, now: tx.now, metadata: raw, issues: [] });
      await requireDraftRoom(deps.quotas, tx.records, draft);
      const stored = await tx.records.put(draft, index);
      await updateVersionFlags(tx, parent);
      await note({ action: "record.version", ...auditTarget(draft) });
      return { record: stored, warnings: [], isNew: true };
    });
  };
});

/** Returns the latest published version of a record, from which a new version is copied. */
const latestVersion = async (records: RecordReader, published: StoredRecord): Promise<StoredRecord> =>
  (await records.getLatest(published.parent)) ?? published;

/** Returns the open draft of a new version and the index of the next version. Retracted versions keep their index. */
async function surveyVersions(
  records: RecordReader,
  parent: string,
): Promise<{ readonly open: StoredRecord | undefined; readonly next: number }> {
  const rows = await records.listVersions(parent);
  const published = new Set(rows.filter(({ state }) => state === "published").map(({ id }) => id));
  const draft = rows.find(({ id }) => !published.has(id));
  const open = draft && (await records.get(draft.id, "draft"));
  const retracted = (await records.getTombstone(parent))?.version ?? 0;
  const next = Math.max(retracted, rows.at(-1)?.version ?? 0) + 1;
  return { next, open };
}

/** Number of records that are read concurrently: a thread has this number of connections to a shared database. */
const CONCURRENT_READS = 4;

/**
 * Reads the records of versions. They may be large, so the event loop runs other tasks in between.
 * @throws ANSWER_TOO_LARGE as soon as the limit is exceeded
 */
async function readInSlices(
  reader: RecordReader,
  versions: readonly VersionRow[],
): Promise<readonly (StoredRecord | undefined)[]> {
  const slices = startSlices();
  const records: (StoredRecord | undefined)[] = [];
  let length = 0;
  for (let from = 0; from < versions.length; from += CONCURRENT_READS) {
    await slices.pause();
    const batch = versions.slice(from, from + CONCURRENT_READS);
    for (const record of await Promise.all(batch.map(({ id }) => reader.get(id, "published")))) {
      if (record !== undefined) length = lengthWith(length, record);
      records.push(record);
    }
  }
  return records;
}

/** Lists the published versions of a record or parent, newest first. */
export const listVersions = useCase(
  { thread: "http" },
  ({ store, catalog }) =>
    async (
      _actor: Actor,
      address: RecordAddress,
      { page = 1, size: requestedSize }: { readonly page?: number; readonly size: number },
    ): Promise<SearchAnswer<RecordHit>> => {
      findModel(catalog, address.model);
      const size = checkRecordPageSize(requestedSize);
      const { parent } = await findPublished(store, catalog, address);
      const versions = (await store.records.listVersions(parent))
        .filter(({ state }) => state === "published")
        .reverse();
      const pageVersions = versions.slice((page - 1) * size, page * size);
      const records = await readInSlices(store.records, pageVersions);
      return {
        // Leaves out versions that were retracted since the list was read.
        hits: records.filter((record) => record !== undefined),
        total: versions.length,
        size,
        sortBy: "newest",
        query: { parsed: "", fallback: false },
        warnings: [],
      };
    },
);

/** Returns the latest published version of a record or parent. */
export const readLatest = useCase(
  { thread: "http" },
  ({ store, catalog }) =>
    async (_actor: Actor, { model, id }: RecordAddress): Promise<StoredRecord> => {
      findModel(catalog, model);
      const { parent } = await findPublished(store, catalog, { model, id });
      return findPublished(store, catalog, { model, id: parent });
    },
);

/**
 * Updates the flags of all versions under a parent: `is_latest` marks the newest published version, `is_latest_draft`
 * the newest version of all, draft or published. A version whose flags change gets a new revision, in its published
 * record and its open draft.
 * @param exceptId the version that was just written with the correct flags
 */
export async function updateVersionFlags(tx: WriteTransaction, parent: string, exceptId?: string): Promise<void> {
  const rows = await tx.records.listVersions(parent);
  for (const row of rows) {
    if (row.state !== "published" || row.id === exceptId) continue;
    const { is_latest, is_latest_draft } = computeFlags(row, rows);
    // Only the flags of the latest version and of the previous latest version change.
    if (row.isLatest || is_latest) await setFlags(tx, row.id, { is_latest, is_latest_draft });
  }
}

type Flags = Omit<RecordHead["versions"], "index">;

async function setFlags({ records, now }: WriteTransaction, id: string, flags: Flags): Promise<void> {
  const rows = [await records.get(id, "published"), await records.get(id, "draft")];
  const stored = rows.flatMap((record) => (record === undefined ? [] : [{ record, head: parseHead(record) }]));
  const { is_latest, is_latest_draft } = flags;
  const isSet = ({ head: { versions } }: (typeof stored)[number]): boolean =>
    versions.is_latest === is_latest && versions.is_latest_draft === is_latest_draft;
  if (stored.every(isSet)) return;
  const revision_id = (await records.lastRevision(id)) + 1;
  for (const { record, head } of stored) {
    const versions = { ...head.versions, ...flags };
    await records.putHead(record, { ...head, updated: now, revision_id, versions });
  }
}
