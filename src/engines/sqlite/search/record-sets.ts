/** Sets of records, as cached views. */

import { bytesOfSet, type DocIdSet, replaceRanges, setOf, setOfSorted } from "../bitmaps/doc-id-set.js";
import type { ScanResult, SetScan } from "../cache/index-scan.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import { recordOf } from "../documents/element-row-id.js";

/** Scans that are about records; a keyword that is found in an element is its record's. */
export type RecordScan = Exclude<SetScan, { kind: "elements" }>;

/** The records that a scan finds. */
export function recordSet(scan: RecordScan): CachedView<DocIdSet> {
  const make = ({ rows }: ScanResult): DocIdSet =>
    scan.kind === "keywords" ? setOf(Uint32Array.from(rows, recordOf)) : setOfSorted(Uint32Array.from(rows));
  return {
    key: `records ${JSON.stringify(scan)}`,
    scan,
    make,
    patch: (rows, ranges, found) => replaceRanges(rows, ranges, make(found)),
    bytesOf: bytesOfSet,
  };
}

/** Records of the models, whoever may see them. */
export const modelRecords = (models: readonly string[]): CachedView<DocIdSet> =>
  recordSet({ kind: "visible", scope: { kind: "models", models } });
