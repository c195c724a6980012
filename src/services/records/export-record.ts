import type { Actor } from "../../core/actor.js";
import type { Citable } from "../../core/citable/citable.js";
import { describeRecord, type Neighbours } from "../../core/citable/describe-record.js";
import { fail } from "../../core/errors.js";
import { LARGE_LENGTH } from "../../core/limits.js";
import { type StoredRecord, storedBody } from "../../core/record.js";
import { RECORD_FORMATS, recordFormat } from "../../formats/records/formats.js";
import { writeOne } from "../../formats/records/record-format.js";
import type { RecordReader } from "../../ports/store.js";
import type { ExportAnswer, RecordAddress, Representation } from "../api/records.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { type Thread, useCase } from "../context/use-case.js";
import { readDraft } from "./drafts.js";
import { findPublished } from "./find-record.js";

/** An export parses the whole body. */
const threadOfExport = (_actor: Actor, _address: unknown, { mayBeLarge }: Representation): Thread =>
  mayBeLarge ? "pages" : "search";

/** Exports a record in a format of `formats/records`; for a parent id its latest version. @throws FORMAT_NOT_FOUND */
export const exportRecord = useCase(
  { thread: threadOfExport },
  (deps) =>
    async (
      _actor: Actor,
      address: { readonly model?: string; readonly id: string },
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
  if (!mayBeLarge && record.json.length > LARGE_LENGTH) return { record: address };
  const citable = await describeStored({ records: store.records, catalog }, record);
  return { record: address, text: writeOne(format, citable, site) };
}

/** Converts a stored record to the form that formats need. */
export async function describeStored(
  { records, catalog }: { readonly records: RecordReader } & Pick<Deps, "catalog">,
  record: StoredRecord,
): Promise<Citable> {
  const body = storedBody(record);
  return describeRecord(body, findModel(catalog, record.model), await neighboursOf(records, record));
}

/** Returns the published versions before and after a record. */
async function neighboursOf(records: RecordReader, { id, parent }: StoredRecord): Promise<Neighbours> {
  const published = (await records.versionsOf(parent)).filter((row) => row.state === "published" || row.id === id);
  const at = published.findIndex((row) => row.id === id);
  const [previous, next] = [published[at - 1]?.id, published[at + 1]?.id];
  return { ...(previous === undefined ? {} : { previous }), ...(next === undefined ? {} : { next }) };
}
