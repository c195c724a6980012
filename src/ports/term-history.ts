/** The history of single terms: which fields were changed, by whom, and when. */

import type { Actor } from "../core/actor.js";
import type { TermChange } from "../core/answers/term-answers.js";
import type { EditedField } from "../core/terms/edited-fields.js";

/**
 * One change of a term. Terms that a load adds have no entry, so that the first load of millions of terms writes none.
 */
export interface TermHistoryEntry extends Omit<TermChange, "revision_id"> {
  /** The new revision; for `removed` the last one. */
  readonly revision: number;
}
export type TermAction = TermChange["action"];

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
