/** Sets of records, as cached views. */

import { bytesOfSet, type DocIdSet, replaceRanges, setOf, setOfSorted } from "../bitmaps/doc-id-set.js";
import type { IndexScan, ScanResult } from "../cache/index-scan.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import type { RowScope } from "../cache/visibility.js";
import { recordOf } from "../documents/element-row-id.js";

type SetOf<K extends IndexScan["kind"]> = CachedView<DocIdSet> & { readonly scan: Extract<IndexScan, { kind: K }> };

export function matchedRecords(matches: readonly string[]): SetOf<"records"> {
  return recordSet({ kind: "records", matches }, ({ rows }) => setOfSorted(Uint32Array.from(rows)));
}

/** Records of the models, whoever may see them. */
export const modelRecords = (models: readonly string[]): SetOf<"visible"> => visibleRecords({ kind: "models", models });

export function visibleRecords(scope: RowScope): SetOf<"visible"> {
  return recordSet({ kind: "visible", scope }, ({ rows }) => setOfSorted(Uint32Array.from(rows)));
}

/** Records with such a keyword anywhere. */
export function keywordRecords(scan: Extract<IndexScan, { kind: "keywords" }>): SetOf<"keywords"> {
  return recordSet(scan, ({ rows }) => setOf(Uint32Array.from(rows, recordOf)));
}

function recordSet<Q extends IndexScan>(
  scan: Q,
  make: (answer: ScanResult) => DocIdSet,
): CachedView<DocIdSet> & { scan: Q } {
  return {
    key: `records ${JSON.stringify(scan)}`,
    scan: scan,
    make,
    patch: (rows, ranges, found) => replaceRanges(rows, ranges, make(found)),
    bytesOf: bytesOfSet,
  };
}
