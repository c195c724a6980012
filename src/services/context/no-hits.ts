import { BinderyError } from "../../core/errors.js";

/** Why a search that only adds to an answer may find nothing: it takes too long, or there is no index. */
const REASONS = new Set(["QUERY_TOO_COSTLY", "SEARCH_UNAVAILABLE"]);

/** What to go on with where such a search failed. @throws any other error */
export function noHits(error: unknown): { readonly hits: readonly []; readonly total: undefined } {
  if (error instanceof BinderyError && REASONS.has(error.code)) return { hits: [], total: undefined };
  throw error;
}
