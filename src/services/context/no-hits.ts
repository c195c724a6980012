import { BinderyError } from "../../core/errors.js";

/** Errors of a search without which an answer is still useful: it takes too long, or there is no index. */
const TOLERATED = new Set(["QUERY_TOO_COSTLY", "SEARCH_UNAVAILABLE"]);

/** Returns an empty result for a search that only adds to an answer and failed. @throws any other error */
export function noHitsIfUnavailable(error: unknown): { readonly hits: readonly []; readonly total: undefined } {
  if (error instanceof BinderyError && TOLERATED.has(error.code)) return { hits: [], total: undefined };
  throw error;
}
