/** The history of single terms: which fields were changed, by whom, and when. */
import type { Actor } from "../core/actor.js";
import type { FieldChange } from "../core/catalog/merge-term.js";
import type { EditedField } from "../core/terms/edited-fields.js";

/**
 * Kinds of changes. `loaded`: by an import or a load of an authority. Terms that a load adds have no entry, so that the
 * first load of millions of terms writes none.
 */
export const TERM_ACTIONS = ["created", "changed", "merged", "confirmed", "removed", "loaded"] as const;
export type TermAction = (typeof TERM_ACTIONS)[number];

/** One change of a term. */
export interface TermHistoryEntry {
  /** The new revision; for `removed` the last one. */
  readonly revision: number;
  readonly action: TermAction;
  /** ISO 8601 UTC. */
  readonly time: string;
  /** Name of the user at that time; `operator`: the command line. */
  readonly by: string;
  /** For `loaded`: the name of the source. */
  readonly source?: string;
  /** Empty for `created` and `removed`. */
  readonly fields: readonly FieldChange[];
}

export interface TermHistoryReader {
  /** Lists entries, newest first, with their total number. */
  list(
    vocabulary: string,
    id: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly entries: readonly TermHistoryEntry[]; readonly total: number }>;
  /** Returns the fields of a term that people have changed since the last load of its source, by time. */
  edited(vocabulary: string, id: string): Promise<readonly EditedField[]>;
}

export interface TermHistoryKeeper extends TermHistoryReader {
  add(
    actor: Actor,
    term: { readonly vocabulary: string; readonly id: string },
    entry: Pick<TermHistoryEntry, "revision" | "action" | "fields">,
  ): Promise<void>;
  /**
   * Counts the existing terms that a user (by id) created and that no record or draft cites.
   * @returns the exact number if it is `limit` or more; otherwise possibly a higher number below `limit`
   */
  countUncited(user: string, limit: number): Promise<number>;
}
