import type { Model } from "../../../core/catalog/types.js";
import type { RecordBody } from "../../../core/record.js";
import { type Citations, isLatest, type WrittenBody } from "../../../core/records/record-change.js";
import { parseInstant } from "../../../core/time.js";
import { metadataLeaves } from "../../../query/index-model/record-leaves.js";
import { countedCitations } from "./prepared-index.js";

/** What a body makes of a row of `rec` beside itself. `row` and `seq` are given when a transaction ends. */
export interface RecordColumns {
  readonly pid: string;
  readonly state: string;
  readonly parent: string;
  readonly latest: boolean;
  readonly model: string;
  readonly owner: string;
  readonly created: number;
  readonly updated: number;
  readonly revision: number;
  readonly version: number;
  readonly cites: string;
}

/** In the order in which `recordColumns` has them. @param uses the terms that its metadata cites */
export function recordColumns(body: WrittenBody, uses: Citations): RecordColumns {
  return {
    pid: body.id,
    state: body.state,
    parent: body.parent.id,
    latest: isLatest(body),
    model: body.model,
    owner: body.parent.owner.user,
    created: parseInstant(body.created),
    updated: parseInstant(body.updated),
    revision: body.revision_id,
    version: body.versions.index,
    cites: JSON.stringify(uses),
  };
}

/** The terms that a body cites, whatever became of them. */
export const usesOf = ({ metadata }: RecordBody, model: Model): Citations =>
  countedCitations(metadataLeaves(metadata, model, () => undefined).cites);
