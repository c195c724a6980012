import { stat } from "node:fs/promises";
import type { Model } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import type { FileDocument } from "../../formats/documents.js";
import type { TermLine } from "../../ports/store.js";
import type {
  ImportReadServices,
  ImportSource,
  ReadDocument,
  ReadDocuments,
  ReadRecord,
  Unreadable,
} from "../api/import-services.js";
import type { Deps } from "../context/deps.js";
import { findModel, findVocabulary } from "../context/find-model.js";
import { findImportBreak, openImport, openTerms } from "../input/open-import.js";
import { type PrepareDeps, tryPrepare } from "../metadata/prepare-record.js";
import { describeIssues, readDocument } from "../metadata/read-document.js";
import { makeLineCheck } from "./check-lines.js";
import { DumpLog } from "./dump-log.js";
import { identityOf } from "./import-identity.js";
import { readDumpTerms } from "./read-dump-terms.js";

/** Documents that are handed over together: some milliseconds of work. */
const TOGETHER = { terms: 500, records: 25 } as const;

/** As many of their UTF-16 units, where documents are long. */
const TOGETHER_LENGTH = 256 * 1024;

export type ReadDeps = PrepareDeps & Pick<Deps, "authorities">;

/** Reads sources of imports: each in the order of its calls. */
export function makeReadImport(deps: ReadDeps): ImportReadServices {
  const opened = new Map<number, AsyncGenerator<ReadDocuments>>();
  let last = 0;
  return {
    async openImport(source) {
      last += 1;
      opened.set(last, together(deps, source));
      return last;
    },
    async readImport(number) {
      const documents = opened.get(number);
      // Not the end of the file: the rest of it would be missing.
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

async function* together(deps: ReadDeps, source: ImportSource): AsyncGenerator<ReadDocuments> {
  let documents: ReadDocument<ImportSource["kind"]>[] = [];
  let length = 0;
  let bytesRead = 0;
  const onProgress = (bytes: number): void => {
    bytesRead = bytes;
  };
  const log = source.kind === "terms" && source.authority !== undefined ? new DumpLog() : undefined;
  const prepare = (): readonly ReadDocument<ImportSource["kind"]>[] =>
    source.kind === "terms" ? prepareTerms(deps, source.vocabulary, documents as ReadDocument<"terms">[]) : documents;
  const read = (): ReadDocuments => ({
    ...{ documents: prepare(), bytesRead },
    ...(log === undefined ? {} : { dump: log.report() }),
  });
  for await (const document of documentsOf(deps, source, onProgress, log)) {
    documents.push(document);
    length += "sent" in document ? document.sent.length : 0;
    if (documents.length < TOGETHER[source.kind] && length < TOGETHER_LENGTH) continue;
    yield read();
    [documents, length] = [[], 0];
  }
  yield read();
}

function documentsOf(
  deps: ReadDeps,
  source: ImportSource,
  onProgress: (bytes: number) => void,
  log: DumpLog | undefined,
): AsyncGenerator<ReadDocument<ImportSource["kind"]>> {
  if (source.kind === "terms") {
    return log === undefined ? readTerms(deps, source, onProgress) : readDumpTerms(deps, source, onProgress, log);
  }
  return readRecords(deps, findModel(deps.catalog, source.model), source.file, onProgress);
}

async function* readTerms(
  { catalog }: ReadDeps,
  { vocabulary: name, file, isPatch }: ImportSource & { readonly kind: "terms" },
  onProgress: (bytes: number) => void,
): AsyncGenerator<ReadDocument<"terms">> {
  const vocabulary = findVocabulary(catalog, name);
  const check = makeLineCheck(vocabulary, isPatch);
  for await (const document of openTerms(file, vocabulary, onProgress)) yield check(document);
}

/** Has the store do ahead what it can, for all together. */
function prepareTerms(
  { store }: ReadDeps,
  vocabulary: string,
  documents: readonly ReadDocument<"terms">[],
): readonly ReadDocument<"terms">[] {
  const isItem = (document: ReadDocument<"terms">): document is TermLine =>
    !("reason" in document || "redirect" in document);
  const prepared = store.prepareTerms(vocabulary, documents.filter(isItem));
  let next = 0;
  return documents.map((read) => (isItem(read) ? { line: read.line, prepared: prepared[next++]! } : read));
}

async function* readRecords(
  deps: ReadDeps,
  model: Model,
  file: string,
  onProgress: (bytes: number) => void,
): AsyncGenerator<ReadDocument<"records">> {
  const broken = await findUnreadable(file);
  if (broken !== undefined) yield broken;
  else for await (const document of openImport(file, onProgress)) yield await readRecord(deps, model, document);
}

/** Where a file cannot be read on. A pipe can be read once only. */
async function findUnreadable(file: string): Promise<Unreadable | undefined> {
  const isFile = await stat(file)
    .then((stats) => stats.isFile())
    .catch(() => true);
  const broken = isFile ? await findImportBreak(file) : undefined;
  if (broken === undefined) return undefined;
  const { line, reason } = broken;
  return { line, reason: `${reason}; the file cannot be read to its end, so nothing was imported` };
}

/** Reads what a document says of a record, and which record it is; fills in, validates and indexes its metadata. */
async function readRecord(deps: ReadDeps, model: Model, document: FileDocument): Promise<ReadRecord | Unreadable> {
  const { line } = document;
  const sent = readDocument(document, model);
  if ("unread" in sent || "reason" in document) {
    return { line, reason: describeIssues("unread" in sent ? sent.unread : []) };
  }
  const identity = identityOf(model, document.value, sent.metadata);
  if ("reason" in identity) return { line, reason: identity.reason };
  // The metadata are filled in where they are.
  const text = JSON.stringify(sent);
  const prepared = await tryPrepare(deps, deps.store.terms, { kind: "read", model: model.name, sent });
  return { line, identity, sent: text, prepared };
}
