/** Authorities as they are asked while the service runs, for items that are not loaded. */

import type { LiveAuthorityName } from "../core/background.js";
import type { JsonObject } from "../core/json.js";

/** What an authority says of an id. */
export type LiveItem =
  /** The item that has the id, as an entry of its dump says it (`DumpEntry`). */
  { readonly kind: "found"; readonly item: JsonObject } | { readonly kind: "missing" };

/** One page of what an authority finds. */
export interface LivePage {
  /** As entries of its dump say them, best first as the authority has it. */
  readonly items: readonly JsonObject[];
  /** Of all pages. */
  readonly total: number;
}

/** One authority. What it answered is remembered for a while, and one question is asked once at a time. */
export interface LiveAuthority {
  readonly name: LiveAuthorityName;
  /** In words, for messages: `ROR`. */
  readonly title: string;
  /** Has the id the form of its ids? */
  hasForm(id: string): boolean;
  /** @throws AuthorityAwayError */
  find(id: string): Promise<LiveItem>;
  /**
   * Searches by its own rules; any text is one.
   * @param page from 1, of `LIMITS.lookupPageSize` items
   * @throws AuthorityAwayError
   */
  search(text: string, page: number): Promise<LivePage>;
}

/** Those that the operator enabled, by name. */
export type LiveAuthorities = ReadonlyMap<string, LiveAuthority>;

/** Why an authority gave no answer that could be used, as what follows its name in a sentence. */
export const AWAY_REASONS = {
  silent: "does not answer",
  failing: "answers with errors",
  unreadable: "gave an answer that cannot be used",
  paused: "asked for a pause",
  crowded: "has too many questions waiting",
} as const;
export type AwayReason = keyof typeof AWAY_REASONS;

/** An authority gave no answer that could be used. */
export class AuthorityAwayError extends Error {
  override readonly name = "AuthorityAwayError";
  /** @param retrySeconds when it is worth asking again. @param detail for the log */
  constructor(
    readonly reason: AwayReason,
    readonly retrySeconds: number,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}
