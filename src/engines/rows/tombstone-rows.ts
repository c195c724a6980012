/** Rows of tombstones, whose columns are the same in every engine. */
import { storedObject } from "../../core/json.js";
import type { Tombstone, TombstoneBody } from "../../core/record.js";
import { parseInstant } from "../../core/time.js";

/** Columns of the row of a tombstone. */
export interface TombstoneColumns extends Omit<Tombstone, "body"> {
  /** JSON that clients see. */
  readonly json: string;
}

/** Names of the columns for statements. */
export const TOMBSTONE_COLUMNS = "parent, owner, version, revision, json";

/** Converts a row to a tombstone. */
export function tombstoneRow({ json, ...columns }: TombstoneColumns, id: string): Tombstone {
  return { ...columns, body: storedObject<TombstoneBody>(json, "The tombstone of", id) };
}

/** Returns a tombstone as values of the columns id, parent, model, owner, version, revision, removed, json. */
export function tombstoneValues({ parent, owner, version, revision, body }: Tombstone): readonly (string | number)[] {
  const removed = parseInstant(body.removed);
  return [body.id, parent, body.model, owner, version, revision, removed, JSON.stringify(body)];
}
