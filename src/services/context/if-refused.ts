import { BinderyError } from "../../core/errors.js";

/**
 * For the `catch` of a look before a transaction: what is refused there is not prepared, and the transaction decides.
 * By then it may be allowed, or the request is answered by what its Idempotency-Key keeps.
 */
export function ifRefused(error: unknown): undefined {
  if (!(error instanceof BinderyError) || error.status >= 500) throw error;
  return undefined;
}
