import { isDeepStrictEqual } from "node:util";
import type { Model } from "../../core/catalog/types.js";
import type { Json, JsonObject } from "../../core/json.js";
import type { RecordBody, StoredRecord } from "../../core/record.js";
import type { FileDocument } from "../../formats/documents.js";
import type { TermReader } from "../../ports/store.js";
import type { Prepared } from "../api/prepare-services.js";
import { type Current, type PrepareDeps, type ReadJob, tryPrepare, upToDate } from "../metadata/prepare-record.js";
import { describeIssues, readDocument } from "../metadata/read-document.js";
import { type Identity, identityOf } from "./import-identity.js";

/** Metadata of a document as they are compared with those of stored records. */
export class ComparedMetadata {
  readonly #found = new Map<string, boolean>();

  constructor(readonly parse: () => Json) {}

  /** Are they those of the record? A revision that was compared before is not parsed again. */
  isIn(record: StoredRecord | undefined): boolean {
    if (record === undefined) return false;
    const { id, state, revision, json } = record;
    const key = `${id} ${state} ${revision}`;
    const compare = (): boolean => isDeepStrictEqual(this.parse(), (JSON.parse(json) as RecordBody).metadata);
    const found = this.#found.get(key) ?? compare();
    this.#found.set(key, found);
    return found;
  }
}

/** Metadata as they are to be written. */
export interface Filled {
  readonly ready: Current;
  readonly compared: ComparedMetadata;
}

/**
 * A document that was read. Planning it before its transaction leaves here what takes long: metadata that were filled
 * in, validated and indexed, and what stored records were found to say.
 */
export class ImportDocument {
  /** As sent. */
  readonly sent: ComparedMetadata;
  readonly #deps: PrepareDeps;
  readonly #job: ReadJob;
  #prepared: Prepared | undefined;
  #filled: Filled | undefined;

  constructor(
    deps: PrepareDeps,
    job: ReadJob,
    readonly line: number,
    readonly identity: Identity,
  ) {
    this.#deps = deps;
    this.#job = job;
    this.sent = new ComparedMetadata(() => asStored(job.sent.metadata));
  }

  /** In UTF-16 units: the metadata that wait to be written. */
  get length(): number {
    return this.#prepared?.kind === "ready" ? this.#prepared.metadata.length : 0;
  }

  /** Its metadata with the terms as they are now: what was prepared before, unless one of them has changed. */
  async fill(terms: TermReader): Promise<Filled> {
    this.#prepared ??= await tryPrepare(this.#deps, terms, this.#job);
    const ready = await upToDate(this.#deps, terms, this.#job, this.#prepared);
    if (this.#filled?.ready.metadata !== ready.metadata) {
      this.#filled = { ready, compared: new ComparedMetadata(() => JSON.parse(ready.metadata)) };
    }
    return { ...this.#filled, ready };
  }
}

/** A document that cannot become a record. */
export interface Unreadable {
  readonly line: number;
  readonly reason: string;
}

/** Reads what a document says of a record, and which record it is. */
export function readImport(deps: PrepareDeps, model: Model, document: FileDocument): ImportDocument | Unreadable {
  const { line } = document;
  const sent = readDocument(document, model);
  if ("unread" in sent || "reason" in document) {
    return { line, reason: describeIssues("unread" in sent ? sent.unread : []) };
  }
  const identity = identityOf(model, document.value, sent.metadata);
  if ("reason" in identity) return { line, reason: identity.reason };
  return new ImportDocument(deps, { kind: "read", model: model.name, sent }, line, identity);
}

/** A file may have numbers and members that JSON text does not keep. */
const asStored = (metadata: JsonObject): Json => JSON.parse(JSON.stringify(metadata));
