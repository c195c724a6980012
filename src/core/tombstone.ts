import type { Json } from "./json.js";

/** What is left of a retracted record, as clients see it: enough to cite it, and to know why it is gone. */
export interface TombstoneBody {
  readonly id: string;
  readonly model: string;
  /** "" where the record had none. */
  readonly title: string;
  /** As they stood in the record; absent where it had none. */
  readonly depositors?: Json;
  readonly publisher: string;
  /** When the record was first published. ISO 8601 UTC. */
  readonly created: string;
  readonly removed: string;
  readonly removal_reason: string;
  /** Name of the curator or admin who retracted it; absent where its owner did. */
  readonly removed_by?: string;
}

/** The same as a store keeps it, for ever. */
export interface Tombstone {
  readonly parent: string;
  readonly owner: string;
  /** The record's place among the versions: from 1. */
  readonly version: number;
  /** The last number of the id's counter. */
  readonly revision: number;
  readonly body: TombstoneBody;
}
