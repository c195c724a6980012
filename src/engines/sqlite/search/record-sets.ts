/** Sets of records, as cached views. */

import type { RecordScope } from "../../../ports/search-index.js";
import { bytesOfSet, type DocIdSet, replaceRanges, setOf, setOfSorted } from "../bitmaps/doc-id-set.js";
import type { ScanResult, SetScan } from "../cache/index-scan.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import type { RowScope } from "../cache/visibility.js";
import { recordOf } from "../documents/element-row-id.js";
import { anyPlan } from "../plan/plan.js";
import type { RecordPlan } from "./record-plan.js";

/** Scans that are about records; a keyword that is found in an element is its record's. */
type RecordScan = Exclude<SetScan, { kind: "elements" }>;

/** The records that a scan finds. */
export function recordSet(scan: RecordScan): CachedView<DocIdSet> {
  const make = ({ rows }: ScanResult): DocIdSet =>
    scan.kind === "keywords" ? setOf(Uint32Array.from(rows, recordOf)) : setOfSorted(new Uint32Array(rows));
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

/** What a caller may see. Published records and drafts are sets of their own, which other searches have too. */
export function visiblePlan(scope: RecordScope): RecordPlan {
  if (scope.kind !== "readable") return visible(scope);
  const { models, user, allVersions } = scope;
  const drafts: readonly RowScope[] =
    user === undefined
      ? [{ kind: "drafts", models }]
      : [
          { kind: "ownDrafts", owner: user, models },
          { kind: "shared", user, models },
        ];
  const published: RowScope = { kind: "public", models, ...(allVersions ? { allVersions } : {}) };
  return anyPlan([published, ...drafts].map(visible));
}

const visible = (scope: RowScope): RecordPlan => ({ kind: "visible", scope });
