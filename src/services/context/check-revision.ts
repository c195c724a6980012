import { fail } from "../../core/errors.js";
import type { StoredRecord } from "../../core/record.js";
import type { Conditions } from "../api/conditions.js";

/** @throws REVISION_STALE where the client saw other revisions than the current one */
export function checkRevision({ revision }: Pick<StoredRecord, "revision">, seen: Conditions["revision"]): void {
  if (seen === undefined || [seen].flat().includes(revision)) return;
  throw fail("REVISION_STALE", { expected: seen, actual: revision });
}
