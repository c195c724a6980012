import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../core/json.js";
import { type StoredRecord, storedBody } from "../../core/record.js";
import type { TermReader } from "../../ports/store.js";
import type { Identity, ReadRecord } from "../api/import-services.js";
import type { Prepared } from "../api/prepare-services.js";
import { type Current, type PrepareDeps, type ReadJob, upToDate } from "../metadata/prepare-record.js";
import type { SentRecord } from "../metadata/read-body.js";

/** Metadata of a document as they are compared with those of stored records. */
class ComparedMetadata {
  readonly #found = new Map<string, boolean>();

  constructor(readonly parse: () => Json) {}

  /** Are they those of the record? A revision that was compared before is not parsed again. */
  isIn(record: StoredRecord | undefined): boolean {
    if (record === undefined) return false;
    const { id, state, revision } = record;
    const key = `${id} ${state} ${revision}`;
    const compare = (): boolean => isDeepStrictEqual(this.parse(), storedBody(record).metadata);
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
 * A document that was read and prepared. Planning it before its transaction leaves here what takes long: what stored
 * records were found to say.
 */
export class ImportDocument {
  readonly line: number;
  readonly identity: Identity;
  /** As sent. */
  readonly sent: ComparedMetadata;
  readonly #deps: PrepareDeps;
  readonly #job: ReadJob;
  #prepared: Prepared;
  #filled: Filled | undefined;

  constructor(deps: PrepareDeps, model: string, { line, identity, sent, prepared }: ReadRecord) {
    const parse = (): SentRecord => JSON.parse(sent) as SentRecord;
    this.line = line;
    this.identity = identity;
    this.sent = new ComparedMetadata(() => parse().metadata);
    this.#deps = deps;
    this.#prepared = prepared;
    this.#job = {
      kind: "read",
      model,
      get sent() {
        return parse();
      },
    };
  }

  /** In UTF-16 units: the metadata that wait to be written. */
  get length(): number {
    return this.#prepared.kind === "ready" ? this.#prepared.metadata.length : 0;
  }

  /** Its metadata with the terms as they are now: what was prepared before, unless one of them has changed. */
  async fill(terms: TermReader): Promise<Filled> {
    const ready = await upToDate(this.#deps, terms, this.#job, this.#prepared);
    this.#prepared = ready;
    if (this.#filled?.ready.metadata !== ready.metadata) {
      this.#filled = { ready, compared: new ComparedMetadata(() => JSON.parse(ready.metadata)) };
    }
    return { ...this.#filled, ready };
  }
}
