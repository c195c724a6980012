/** Health, status, verification, copies and reindexing of the whole store. */

import type { Issue } from "../../core/issue.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { StoredRecord } from "../../core/record.js";
import type { Citation, TermReader, TermReference } from "../../ports/store.js";
import type {
  BackupSummary,
  IndexStatus,
  OnProgress,
  Reindexed,
  Repair,
  StoreStatus,
  Unserved,
  Verification,
} from "../../ports/store-admin.js";
import type { OutdatedRecord, StoreVerification } from "../api/admin.js";
import type { Deps } from "../context/deps.js";
import { operatorUseCase, useCase } from "../context/use-case.js";
import { prepareMetadata } from "../metadata/prepare-record.js";
import { unreadIssues } from "../metadata/read-body.js";
import { writeStoreDump } from "./store-dump.js";

/** Throws if a dependency does not answer. */
export const checkReady = useCase(
  { thread: "http" },
  ({ store }) =>
    (): Promise<void> =>
      store.check(),
);

/** Returns the state of the indexes outside of the store; the one that searches use comes first. */
export const listIndexes = useCase(
  { thread: "http" },
  ({ admin }) =>
    (): Promise<readonly IndexStatus[]> =>
      admin.indexes(),
);

/** Counts changed terms whose changes are not yet in the index of citing records. */
export const countStaleTerms = operatorUseCase(
  ({ store }) =>
    (): Promise<number> =>
      store.terms.stale(),
);

/** Returns the kind and content of the store. */
export const readStatus = operatorUseCase(
  ({ admin }) =>
    (): Promise<StoreStatus> =>
      admin.status(),
);

/** Finds stored data of models and vocabularies that are not in the catalog. */
export const findUnserved = operatorUseCase(
  ({ admin }) =>
    (): Promise<Unserved> =>
      admin.findUnserved(),
);

/** Rebuilds the separate index, see `StoreAdmin.reindex`. @param shards undefined: the current number */
export const reindexStore = operatorUseCase(
  ({ admin }) =>
    (shards: number | undefined, onProgress: OnProgress): Promise<Reindexed> =>
      admin.reindex(shards === undefined ? {} : { shards }, onProgress),
);

/** Copies a snapshot of the store into a file, while writes continue. @param force overwrites the file */
export const backupStore = operatorUseCase(
  ({ admin }) =>
    (file: string, force: boolean): Promise<BackupSummary> =>
      admin.backup(file, { force }),
);

/** Returns the whole store as the text of a dump, see `writeStoreDump`. */
export const dumpStore = operatorUseCase(
  ({ admin }) =>
    async (): Promise<AsyncIterable<string>> =>
      writeStoreDump(admin.dump()),
);

/** Compares store, index, change table and counters, and reports differences; writes nothing. */
export const verifyStore = operatorUseCase(
  (deps) =>
    async (onProgress: OnProgress): Promise<StoreVerification> =>
      withOutdated(deps, await deps.admin.verify(onProgress), onProgress),
);

/** Verifies, repairs derived data, and verifies again. The audit log gets a line for each kind of repair. */
export const repairStore = operatorUseCase(
  (deps) =>
    async (onProgress: OnProgress): Promise<Repair & { readonly after: StoreVerification }> => {
      const repair = await deps.admin.repair(onProgress);
      return { ...repair, after: await withOutdated(deps, repair.after, onProgress) };
    },
);

/**
 * Adds to a verification the stored records that could not be published now: their model has changed, a cited term was
 * deleted, or they exceed newer limits. If the file is damaged, adds only a note.
 */
async function withOutdated(
  deps: Deps,
  verification: Verification,
  onProgress: OnProgress,
): Promise<StoreVerification> {
  if ((verification.counts["file.integrity"] ?? 0) === 0) {
    return { ...verification, outdated: await findOutdated(deps, verification.records, onProgress) };
  }
  const note = "The file is damaged, so the records were not validated against their models.";
  return { ...verification, notes: [...verification.notes, note] };
}

async function findOutdated(
  deps: Deps,
  of: number,
  onProgress: OnProgress,
): Promise<NonNullable<StoreVerification["outdated"]>> {
  // Skips the search for similar terms, which are not listed.
  const validating: Deps = { ...deps, findNearTerms: async () => [] };
  const terms = cacheCitations(deps.store.terms);
  const records: OutdatedRecord[] = [];
  let total = 0;
  let done = 0;
  for await (const batch of deps.admin.readRecords()) {
    for (const stored of batch) {
      const issues = await problemsOf(validating, terms, stored);
      const [first] = issues;
      if (first === undefined) continue;
      total++;
      const { id, model, state } = stored;
      if (records.length < LIMITS.findingsMax) records.push({ id, model, state, problems: issues.length, first });
    }
    done += batch.length;
    onProgress({ what: "models", done, of });
  }
  return { total, records };
}

/** Returns the current problems of a record; none for a draft that lists its problems, and for an unreadable body. */
async function problemsOf(
  deps: Deps,
  terms: TermReader,
  { model: name, json }: StoredRecord,
): Promise<readonly Issue[]> {
  const model = deps.catalog.models.get(name);
  const metadata = model === undefined ? undefined : checkedMetadata(json);
  if (model === undefined || metadata === undefined) return [];
  try {
    return (await prepareMetadata(deps, terms, model, { metadata })).issues;
  } catch (error) {
    // The record exceeds the current limits.
    return unreadIssues(error, model);
  }
}

function checkedMetadata(json: string): JsonObject | undefined {
  try {
    const body = JSON.parse(json) as Json;
    return isObject(body) && body.errors === undefined && isObject(body.metadata) ? body.metadata : undefined;
  } catch {
    return undefined;
  }
}

/** Maximum number of cached terms. The cache is cleared when it is full. */
const TERMS_MAX = 10_000;

/** Returns a reader that caches cited terms, because consecutive records often cite the same terms. */
export function cacheCitations(terms: TermReader): TermReader {
  const cache = new Map<string, Citation | undefined>();
  return {
    ...terms,
    async cite(references) {
      if (cache.size > TERMS_MAX) cache.clear();
      const missing = references.filter((reference) => !cache.has(referenceKey(reference)));
      for (const reference of missing) cache.set(referenceKey(reference), undefined);
      for (const citation of await terms.cite(missing)) cache.set(referenceKey(citation.reference), citation);
      return references.flatMap((reference) => cache.get(referenceKey(reference)) ?? []);
    },
  };
}

/** Returns a unique key: the name of a vocabulary has no blank. */
const referenceKey = ({ vocabulary, id }: TermReference): string => `${vocabulary} ${id}`;
