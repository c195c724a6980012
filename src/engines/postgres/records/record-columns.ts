import type { Model } from "../../../core/catalog/types.js";
import { LIMITS } from "../../../core/limits.js";
import type { RecordBody } from "../../../core/record.js";
import { type Citations, isLatest, type WrittenBody } from "../../../core/records/record-change.js";
import { parseInstant } from "../../../core/time.js";
import type { Store } from "../../../ports/store.js";
import { distinctCitations } from "../../../query/index-model/record-document.js";
import { metadataLeaves } from "../../../query/index-model/record-leaves.js";

/** Columns of a row of `rec` that are derived from its body. `row` and `seq` are assigned when a transaction ends. */
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

/** Returns the columns in their order. @param uses the terms that its metadata cites */
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

/** Data that this store keeps of a record besides its body: the terms that it cites. */
export interface CountedRecord {
  readonly uses: Citations;
}

/**
 * Prepares the citations of a record. The terms that leaves were made with are exactly those that the metadata cites,
 * including those that the vocabulary does not have. This depends on the metadata alone: later changes of terms require
 * no second preparation. Replaced terms are considered when citations are counted.
 */
export const prepareIndex: Store["prepareIndex"] = (_leaves, terms): CountedRecord => ({
  uses: countedCitations(terms),
});

/** Returns the terms cited by metadata that are counted, each once. */
const countedCitations = (cites: Parameters<typeof distinctCitations>[0]): Citations =>
  distinctCitations(cites.filter(({ id }) => canBeTerm(id)));

/** Characters that ids of terms cannot contain. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Returns whether a cited text can be an id of a term: a draft may cite any text, and other texts are not counted. */
const canBeTerm = (id: string): boolean => id.length <= LIMITS.termIdLengthMax && !UNSTORABLE.test(id);

/** Returns the terms that a body cites, whether or not they exist. */
export const readCitations = ({ metadata }: RecordBody, model: Model): Citations =>
  countedCitations(metadataLeaves(metadata, model, () => undefined).cites);
