import { fail } from "../core/errors.js";
import type { StoredRecord } from "../core/record.js";

/** @throws REVISION_STALE where the client saw another revision than the current one */
export function checkRevision(record: Pick<StoredRecord, "revision">, seen: number | undefined): void {
  if (seen === undefined || seen === record.revision) return;
  throw fail("REVISION_STALE", { expected: seen, actual: record.revision });
}
