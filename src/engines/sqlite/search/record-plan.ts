import type { RecordScope } from "../../../ports/search-index.js";
import { bytesOfSet, type DocIdSet, makeDocIdSet, makeSortedSet, replaceRanges } from "../bitmaps/doc-id-set.js";
import type { IndexScan, RowScope, ScanResult, SetScan } from "../cache/index-scan.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import type { NumberRange } from "../doc-values/numeric-column.js";
import { anyPhrase } from "../documents/fts-expression.js";
import { owningRecord } from "../documents/record-rows.js";
import { anyPlan, NOTHING_PLAN, type Plan } from "../plan/plan.js";

/**
 * The evaluation plan of a clause about records. Within a group the sets are of elements: matches in deeper elements
 * count for the element of the surrounding group.
 */
export type RecordPlan = Plan<RecordLeaf>;

/** A leaf of a plan about records. */
export type RecordLeaf =
  /** A scan of the index that finds records, or elements within a group. */
  | SetScan
  /** A scan that finds elements, restricted to records of the models. */
  | { readonly kind: "inModels"; readonly scan: ElementScan; readonly models: readonly string[] }
  /** A number at one of the paths lies in the range. */
  | { readonly kind: "numbers"; readonly paths: readonly number[]; readonly range: NumberRange }
  /** A key at one of the paths, which are paths of facet keys, passes the test. */
  | { readonly kind: "keys"; readonly paths: readonly number[]; readonly test: KeyTest }
  /** One element matches the whole group. */
  | { readonly kind: "element"; readonly group: ElementGroup }
  /** Given rows. */
  | { readonly kind: "rows"; readonly rows: DocIdSet };

/** A test of facet keys: a term or one below it, or a range of texts. */
export type KeyTest =
  | { readonly kind: "within"; readonly vocabulary: string; readonly id: string }
  | ({ readonly kind: "range" } & Extract<IndexScan, { kind: "keywords" }>["range"]);

type ElementScan = Extract<IndexScan, { kind: "elements" }>;

/** A test of single elements of the array of objects at a path. */
export interface ElementGroup {
  readonly path: number;
  readonly of: RecordPlan;
}

/** Returns the plan for records that contain one of the phrases; within a group, for elements. */
export function phrasesPlan(phrases: readonly string[], group?: string): RecordPlan {
  return phrases.length === 0
    ? NOTHING_PLAN
    : { kind: group === undefined ? "records" : "elements", matches: anyPhrase(phrases) };
}

/** A scan for records; a keyword that is found in an element belongs to its record. */
type RecordScan = Exclude<SetScan, { kind: "elements" }>;

/** Returns the view of the records that a scan finds. */
export function recordSet(scan: RecordScan): CachedView<DocIdSet> {
  const makeSet = ({ rows }: ScanResult): DocIdSet =>
    scan.kind === "keywords"
      ? makeDocIdSet(Uint32Array.from(rows, owningRecord))
      : makeSortedSet(new Uint32Array(rows));
  return {
    key: `records ${JSON.stringify(scan)}`,
    scan,
    make: makeSet,
    patch: (rows, ranges, scanResult) => replaceRanges(rows, ranges, makeSet(scanResult)),
    measureBytes: bytesOfSet,
  };
}

/** Returns the view of all records of the models, regardless of who may see them. */
export const modelRecords = (models: readonly string[]): CachedView<DocIdSet> =>
  recordSet({ kind: "visible", scope: { kind: "models", models } });

/**
 * Returns the plan for the records that a caller may see. Published records and drafts are separate sets, which
 * searches share.
 */
export function visiblePlan(scope: RecordScope): RecordPlan {
  if (scope.kind !== "readable") return visibleLeaf(scope);
  const { models, user, allVersions } = scope;
  const drafts: readonly RowScope[] =
    user === undefined
      ? [{ kind: "drafts", models }]
      : [
          { kind: "ownDrafts", owner: user, models },
          { kind: "shared", user, models },
        ];
  const published: RowScope = { kind: "public", models, allVersions: allVersions ? true : undefined };
  return anyPlan([published, ...drafts].map(visibleLeaf));
}

const visibleLeaf = (scope: RowScope): RecordPlan => ({ kind: "visible", scope });
