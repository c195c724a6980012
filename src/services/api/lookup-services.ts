import type { Actor } from "../../core/actor.js";
import type { LiveAuthorityName } from "../../core/background.js";
import type { Warning } from "../../core/issue.js";
import type { StoredTerm, TermContent } from "../../core/term.js";

/** A term that an authority found: one that is loaded as it is stored, any other one as the authority says it. */
export type LookupHit =
  | { readonly isLoaded: true; readonly term: StoredTerm }
  | { readonly isLoaded: false; readonly content: TermContent };

/** One page of what an authority found. */
export interface LookupAnswer {
  readonly authority: LiveAuthorityName;
  /** In the order of the authority. */
  readonly hits: readonly LookupHit[];
  /** Of all pages, as the authority counts them. */
  readonly total: number;
  readonly warnings: readonly Warning[];
}

/** Searches at authorities, for users: each spends something of what the authority allows the service. */
export interface AuthoritySearchServices {
  /**
   * @param asked `q`: text for the authority, which reads it by its own rules; `page`: from 1, of
   *   `LIMITS.lookupPageSize` terms
   * @throws LOOKUP_NOT_FOUND, LOOKUP_UNAVAILABLE, PARAMETER_INVALID
   */
  searchAuthority(
    actor: Actor,
    vocabulary: string,
    asked: { readonly q: string; readonly page: number },
  ): Promise<LookupAnswer>;
}
