import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import type { Model } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { canonicalJson, isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { parseRecordId } from "../../core/record.js";
import type { FileDocument } from "../../formats/documents.js";
import type { TermLine } from "../../ports/store.js";
import type {
  DocumentBatch,
  DocumentIdentity,
  ImportReadServices,
  ImportSource,
  ParsedDocument,
  ParsedRecord,
  Unreadable,
} from "../api/imports.js";
import type { Deps } from "../context/deps.js";
import { findModel, findVocabulary } from "../context/find-model.js";
import { isBlank } from "../input/characters.js";
import { findImportBreak, openImport, openTerms } from "../input/open-import.js";
import { type PrepareDeps, tryPrepare } from "../metadata/prepare-record.js";
import { describeIssues, readDocument } from "../metadata/read-body.js";
import { makeLineCheck } from "./check-lines.js";
import { DumpLog, readDumpTerms } from "./read-dump-terms.js";

/** Number of documents in a batch, which takes some milliseconds. */
const BATCH = { terms: 500, records: 25 } as const;

/** Length of a batch of long documents, in UTF-16 units. */
const BATCH_LENGTH = 256 * 1024;

/** Dependencies of reading imports. */
export type ReadDeps = PrepareDeps & Pick<Deps, "authorities">;

/** Creates the services that read sources of imports. The batches of a source come in the order of the calls. */
export function makeReadImport(deps: ReadDeps): ImportReadServices {
  const opened = new Map<number, AsyncGenerator<DocumentBatch>>();
  let last = 0;
  return {
    async openImport(source) {
      last += 1;
      opened.set(last, readBatches(deps, source));
      return last;
    },
    async readImport(number) {
      const documents = opened.get(number);
      // Must not look like the end of the file, because the rest of it would be missing.
      if (documents === undefined) throw fail("STORE_UNAVAILABLE", { reason: "the thread that reads it was replaced" });
      const { done, value } = await documents.next();
      return done ? undefined : value;
    },
    async closeImport(number) {
      await opened.get(number)?.return(undefined);
      opened.delete(number);
    },
  };
}

async function* readBatches(deps: ReadDeps, source: ImportSource): AsyncGenerator<DocumentBatch> {
  let documents: ParsedDocument<ImportSource["kind"]>[] = [];
  let length = 0;
  let bytesRead = 0;
  const onProgress = (bytes: number): void => {
    bytesRead = bytes;
  };
  const log = source.kind === "terms" && source.authority !== undefined ? new DumpLog() : undefined;
  const prepare = (): readonly ParsedDocument<ImportSource["kind"]>[] =>
    source.kind === "terms" ? prepareTerms(deps, source.vocabulary, documents as ParsedDocument<"terms">[]) : documents;
  const makeBatch = (): DocumentBatch => ({
    documents: prepare(),
    bytesRead,
    dump: log?.report(),
  });
  for await (const document of readSourceDocuments(deps, source, onProgress, log)) {
    documents.push(document);
    length += "sent" in document ? document.sent.length : 0;
    if (documents.length < BATCH[source.kind] && length < BATCH_LENGTH) continue;
    yield makeBatch();
    documents = [];
    length = 0;
  }
  yield makeBatch();
}

function readSourceDocuments(
  deps: ReadDeps,
  source: ImportSource,
  onProgress: (bytes: number) => void,
  log: DumpLog | undefined,
): AsyncGenerator<ParsedDocument<ImportSource["kind"]>> {
  if (source.kind === "terms") {
    return log === undefined ? readTerms(deps, source, onProgress) : readDumpTerms(deps, source, onProgress, log);
  }
  return readRecords(deps, findModel(deps.catalog, source.model), source.file, onProgress);
}

async function* readTerms(
  { catalog }: ReadDeps,
  { vocabulary: name, file, isPatch }: ImportSource & { readonly kind: "terms" },
  onProgress: (bytes: number) => void,
): AsyncGenerator<ParsedDocument<"terms">> {
  const vocabulary = findVocabulary(catalog, name);
  const check = makeLineCheck(vocabulary, isPatch);
  for await (const document of openTerms(file, vocabulary, onProgress)) yield check(document);
}

/** Lets the store prepare a batch of terms for its load. */
function prepareTerms(
  { store }: ReadDeps,
  vocabulary: string,
  documents: readonly ParsedDocument<"terms">[],
): readonly ParsedDocument<"terms">[] {
  const isTerm = (document: ParsedDocument<"terms">): document is TermLine =>
    !("reason" in document || "redirect" in document);
  const prepared = store.prepareTerms(vocabulary, documents.filter(isTerm));
  let next = 0;
  return documents.map((each) => (isTerm(each) ? { line: each.line, prepared: prepared[next++]! } : each));
}

async function* readRecords(
  deps: ReadDeps,
  model: Model,
  file: string,
  onProgress: (bytes: number) => void,
): AsyncGenerator<ParsedDocument<"records">> {
  const broken = await findUnreadable(file);
  if (broken !== undefined) yield broken;
  else for await (const document of openImport(file, onProgress)) yield await readRecord(deps, model, document);
}

/** Finds the place where a file becomes unreadable. A pipe is not checked, because it can be read only once. */
async function findUnreadable(file: string): Promise<Unreadable | undefined> {
  const isFile = await stat(file)
    .then((stats) => stats.isFile())
    .catch(() => true);
  const broken = isFile ? await findImportBreak(file) : undefined;
  if (broken === undefined) return undefined;
  const { line, reason } = broken;
  return { line, reason: `${reason}; the file cannot be read to its end, so nothing was imported` };
}

/** Reads a record and its identity from a document; fills in, validates and indexes its metadata. */
async function readRecord(deps: ReadDeps, model: Model, document: FileDocument): Promise<ParsedRecord | Unreadable> {
  const { line } = document;
  const sent = readDocument(document, model);
  if ("unread" in sent || "reason" in document) {
    return { line, reason: describeIssues("unread" in sent ? sent.unread : []) };
  }
  const identity = identityOf(model, document.value, sent.metadata);
  if ("reason" in identity) return { line, reason: identity.reason };
  // The metadata as sent, before terms are filled in.
  const text = JSON.stringify(sent);
  const prepared = await tryPrepare(deps, deps.store.terms, { kind: "read", model: model.name, sent });
  return { line, identity, sent: text, prepared };
}

/** Returns the identity of a document: its id, the key that the model declares, or else the digest of its metadata. */
export function identityOf(
  model: Model,
  document: Json,
  metadata: JsonObject,
): DocumentIdentity | { readonly reason: string } {
  const digest = createHash("sha256").update(canonicalJson(metadata)).digest("hex");
  const body = isObject(document) && Object.hasOwn(document, "metadata") ? document : {};
  const sentId = own(body, "id") ?? undefined;
  if (sentId === undefined) return { key: externalKey(model, metadata) ?? `digest:${digest}`, digest };
  const id = typeof sentId === "string" ? parseRecordId(sentId) : undefined;
  if (id === undefined) {
    return { reason: `${JSON.stringify(sentId)} is not an id of a record; leave it out to get a new one` };
  }
  const parent = own(body, "parent");
  const sentParent = isObject(parent) ? (own(parent, "id") ?? undefined) : undefined;
  const parentId = typeof sentParent === "string" ? parseRecordId(sentParent) : undefined;
  if (sentParent !== undefined && (parentId === undefined || parentId === id)) {
    return { reason: `parent.id: ${JSON.stringify(sentParent)} cannot be the id of its versions` };
  }
  const versions = own(body, "versions");
  const index = isObject(versions) ? (own(versions, "index") ?? undefined) : undefined;
  if (index !== undefined && !(Number.isSafeInteger(index) && Number(index) > 0)) {
    return { reason: `versions.index: ${JSON.stringify(index)} is not a whole number from 1` };
  }
  return {
    key: `id:${id}`,
    digest,
    id,
    parent: parentId,
    version: index === undefined ? undefined : Number(index),
  };
}

/** Returns the key at the path that the model declares, if it is not blank. */
function externalKey({ importKey }: Model, metadata: JsonObject): string | undefined {
  if (importKey === undefined) return undefined;
  let value: Json | undefined = metadata;
  for (const name of importKey.split(".").slice(1)) value = isObject(value) ? own(value, name) : undefined;
  return typeof value === "string" && !isBlank(value) ? `key:${value.trim()}` : undefined;
}
