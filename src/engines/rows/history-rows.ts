/** Rows of the history of terms, whose columns are the same in every engine. */

import type { Actor } from "../../core/actor.js";
import type { FieldChange } from "../../core/answers/term-answers.js";
import { storedList } from "../../core/json.js";
import type { TermChange } from "../../core/terms/edited-fields.js";
import { formatInstant } from "../../core/time.js";
import type { TermAction, TermHistoryEntry } from "../../ports/terms.js";

/** A row with data of its load. */
export interface HistoryColumns {
  readonly revision: number;
  readonly action: TermAction;
  /** null for a single write. */
  readonly load: number | null;
  /** Microseconds. */
  readonly time: number;
  readonly who: string;
  /** Name of the load's source. */
  readonly source: string | null;
  /** JSON of the fields that changed. */
  readonly changes: string;
}

/** Returns the columns user and who of a new row. */
export const writtenBy = (actor: Actor): readonly [user: number | null, who: string] =>
  actor.kind === "user" ? [Number(actor.user), actor.name] : [null, actor.kind];

const parseFields = ({ changes }: HistoryColumns, id: string): readonly FieldChange[] =>
  storedList<FieldChange>(changes, "The history of the term", id);

/** Converts a row to a change of a term. */
export function historyChange(row: HistoryColumns, id: string): TermChange {
  const { action, load, time, who, source } = row;
  const change = { isLoad: load !== null, action, by: who, time: formatInstant(time), fields: parseFields(row, id) };
  return source === null ? change : { ...change, source };
}

/** Converts a row to an entry of the history of a term. */
export function historyEntry(row: HistoryColumns, id: string): TermHistoryEntry {
  const { revision, action, time, who, source } = row;
  return {
    revision,
    action,
    time: formatInstant(time),
    by: who,
    source: source ?? undefined,
    fields: parseFields(row, id),
  };
}

/**
 * Returns the source of the load that last changed the status of a term, undefined if it was not a load. @param rows
 * oldest first
 */
export function statusSource(rows: readonly HistoryColumns[], id: string): string | undefined {
  const last = rows.findLast((row) => parseFields(row, id).some(({ field }) => field === "status"));
  return last?.source ?? undefined;
}

/** Field of a history with the term that replaces the changed one. */
const SUCCESSOR = "replaced_by";

/** LIKE pattern for `changes` that may set the successor of a term. `mergeTimesIn` checks the rest. */
export const SUCCESSOR_PATTERN = `%"${SUCCESSOR}"%`;

/** Returns the instants of the last changes that set a successor, by id. @param rows of several terms, oldest first */
export function mergeTimesIn(
  rows: readonly (HistoryColumns & { readonly ext: string })[],
): ReadonlyMap<string, string> {
  const merges = rows.filter((row) =>
    parseFields(row, row.ext).some(({ field, to }) => field === SUCCESSOR && to !== undefined),
  );
  return new Map(merges.map(({ ext, time }) => [ext, formatInstant(time)]));
}
