/** How single terms changed: who changed which fields, and when. */
import type { Actor } from "../core/actor.js";
import type { FieldChange } from "../core/catalog/merge-term.js";
import type { EditedField } from "../core/terms/edited-fields.js";

/**
 * What was done. `loaded`: by an import or a load of an authority. Items that a load adds have no entry, so that a
 * first load of millions writes none.
 */
export const TERM_ACTIONS = ["created", "changed", "merged", "confirmed", "removed", "loaded"] as const;
export type TermAction = (typeof TERM_ACTIONS)[number];

/** One change of a term. */
export interface TermHistoryEntry {
  /** The revision that it made; of `removed` the last one that there was. */
  readonly revision: number;
  readonly action: TermAction;
  /** ISO 8601 UTC. */
  readonly time: string;
  /** Name of the user, as it was then; `operator`: the command line. */
  readonly by: string;
  /** Of `loaded`: the name of what was loaded. */
  readonly source?: string;
  /** Empty of `created` and `removed`. */
  readonly fields: readonly FieldChange[];
}

export interface TermHistoryReader {
  /** Newest first, with how many there are in all. */
  list(
    vocabulary: string,
    id: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly entries: readonly TermHistoryEntry[]; readonly total: number }>;
  /** Fields of a term that people changed since its source last did, by time. */
  edited(vocabulary: string, id: string): Promise<readonly EditedField[]>;
}

export interface TermHistoryKeeper extends TermHistoryReader {
  add(
    actor: Actor,
    term: { readonly vocabulary: string; readonly id: string },
    entry: Pick<TermHistoryEntry, "revision" | "action" | "fields">,
  ): Promise<void>;
  /**
   * Counts the terms that a user (by id) created, that are still there, and that no record or draft cites.
   * @returns the exact number if it is `limit` or more; otherwise possibly a higher number below `limit`
   */
  countUncited(user: string, limit: number): Promise<number>;
}
