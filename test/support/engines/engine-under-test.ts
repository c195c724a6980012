import type { Caches } from "../../../src/core/caches.js";
import type { Catalog } from "../../../src/core/catalog/types.js";
import type { RecordBody, StoredRecord } from "../../../src/core/record.js";
import type { CitedTerm } from "../../../src/core/term.js";
import { parseInstant } from "../../../src/core/time.js";
import type { Engine } from "../../../src/ports/engine.js";
import type { SearchIndex } from "../../../src/ports/search-index.js";
import type { Store, WriteTransaction } from "../../../src/ports/store.js";
import { putRecord } from "../put-record.js";
import { tinyCatalog, tinyModel, tinyRecord } from "../tiny-catalog.js";

/** A clock that stands still until a test moves it. */
export interface TestClock {
  micros: number;
  nowMicros(): number;
}

/** As much of the shares of drafts as searching needs. */
export type Sharing = Pick<WriteTransaction["shares"], "put" | "delete">;

/** As much of an engine as searching records needs. */
export interface RecordEngine {
  readonly store: Pick<Store, "prepareIndex"> & {
    transaction<T>(
      work: (tx: Pick<WriteTransaction, "now" | "records"> & { readonly shares: Sharing }) => Promise<T>,
    ): Promise<T>;
  };
  readonly index: Pick<SearchIndex, "searchRecords" | "together">;
  close(): Promise<void>;
}

/** How an engine goes about its work: answers are the same whatever it is. Absent: as the engine does by itself. */
export interface Effort {
  readonly caches?: Caches;
  /** Rows that are asked for each time; what finds more is kept. */
  readonly fewRows?: number;
  /** By how far the clock may jump; absent: nothing looks at it. */
  readonly clockJumpMaxMicros?: number;
}

/** How a contract suite gets an engine: on an empty place, and again on the same one. */
export interface EngineUnderTest<E extends RecordEngine = Engine> {
  readonly name: string;
  /** Whether its searches ask other processes. If so, a run has time for fewer of them. */
  readonly isRemote?: boolean;
  /** Opens the same store each time within one test. */
  open(options: { readonly catalog: Catalog; readonly clock: TestClock } & Effort): Promise<E>;
  /** Closes what is open and removes the place. */
  cleanUp(): Promise<void>;
}

/** 2026-11-21T10:00:00Z */
export const START_MICROS = parseInstant("2026-11-21T10:00:00.000000+00:00");

export function makeClock(): TestClock {
  return {
    micros: START_MICROS,
    nowMicros() {
      return this.micros;
    },
  };
}

/** Models `tiny` and `other`, of one shape; vocabulary `species`. */
export function contractCatalog(): Catalog {
  return tinyCatalog({
    models: new Map([
      ["other", tinyModel("other")],
      ["tiny", tinyModel()],
    ]),
  });
}

/** Puts a record of the contract's catalog in a transaction. */
export function putOne(
  { store }: Pick<RecordEngine, "store">,
  { records }: Pick<WriteTransaction, "records">,
  body: RecordBody,
): Promise<StoredRecord> {
  return putRecord({ store, catalog: contractCatalog() }, records, body);
}

/** Puts records one after the other, each created in a transaction of its own. */
export async function putAll(
  { store }: Pick<RecordEngine, "store">,
  bodies: readonly RecordBody[],
  cited: readonly CitedTerm[] = [],
  catalog: Catalog = contractCatalog(),
): Promise<void> {
  for (const body of bodies) {
    await store.transaction(async (tx) => {
      await putRecord({ store, catalog }, tx.records, { ...body, created: tx.now, updated: tx.now }, cited);
    });
  }
}

/** A draft that its owner made. */
export function tinyDraft(id: string, metadata: RecordBody["metadata"], changes: Partial<RecordBody> = {}): RecordBody {
  return tinyRecord(id, metadata, {
    state: "draft",
    is_draft: true,
    is_published: false,
    versions: { index: 1, is_latest: false, is_latest_draft: true },
    ...changes,
  });
}

/** A term as a record cites it. */
export function species(id: string, title: string, names: readonly string[] = []): CitedTerm {
  return {
    vocabulary: "species",
    id,
    version: "00000000-0000-5000-8000-000000000000::1",
    title: { en: title },
    props: {},
    status: "active",
    names,
  };
}

export { tinyRecord };
