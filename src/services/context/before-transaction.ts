import { BinderyError, fail } from "../../core/errors.js";
import type { StoredRecord } from "../../core/record.js";
import type { Conditions } from "../api/records.js";

/**
 * Returns undefined for a refusal; for the `catch` of a check that runs before the transaction. The transaction decides
 * again, because the request may be allowed in the meantime, or its Idempotency-Key may have an answer.
 * @throws any error that is not a refusal
 */
export function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof BinderyError) || error.status >= 500) throw error;
  return undefined;
}

/**
 * Parses a body before its transaction, so that the write lock is not held meanwhile. An error is thrown only when the
 * result is used: a kept answer of an Idempotency-Key, missing rights and missing objects have precedence.
 *
 * @returns a function that returns the parsed value, or throws the error
 */
export function parseEarly<T>(read: () => T): () => T {
  try {
    const value = read();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Checks the revision that a client expects. @throws REVISION_STALE if it is not the current one */
export function checkRevision({ revision }: Pick<StoredRecord, "revision">, expected: Conditions["revision"]): void {
  if (expected === undefined || [expected].flat().includes(revision)) return;
  throw fail("REVISION_STALE", { expected, actual: revision });
}
