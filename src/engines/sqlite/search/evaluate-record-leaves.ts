/** Evaluates the leaves of record plans, for whole records and for the elements of one array of objects. */
import {
  bytesOfSet,
  cardinality,
  containsRow,
  contiguousRanges,
  type DocIdRange,
  type DocIdSet,
  EMPTY_SET,
  filterSet,
  MATCH_NONE,
  type MatchSet,
  matchExactly,
  toIds,
  uniteMatches,
  uniteSets,
} from "../bitmaps/doc-id-set.js";
import { ParentJoin } from "../bitmaps/parent-join.js";
import type { SetScan } from "../cache/index-scan.js";
import { getAll } from "../cache/missing-parts.js";
import type { CachedView, Snapshot } from "../cache/snapshot-cache.js";
import { NestedOrdinals, nestedOrdinals, UNCACHED } from "../doc-values/nested-ordinals.js";
import { numericColumn, type Owners, ownersBetween } from "../doc-values/numeric-column.js";
import { ordinalColumn, ownersOfKeys } from "../doc-values/ordinal-column.js";
import { evaluate, type LeafEvaluator } from "../plan/plan.js";
import { type ElementGroup, type KeyTest, modelRecords, type RecordLeaf, recordSet } from "./record-plan.js";

/** Returns the records with an element that matches the whole group. */
function recordsWithElement(group: ElementGroup, context: LeafContext, among?: readonly DocIdRange[]): MatchSet {
  const { space, set } = matchElements(group, context, among);
  return matchExactly(space.owningRecords(set));
}

/** Elements of a space, possibly including deleted ones. */
interface ElementSet {
  readonly space: NestedOrdinals;
  readonly set: MatchSet;
}

/** Returns the elements that match a group. @param outer elements that contain them */
function matchElements(
  group: ElementGroup,
  context: LeafContext,
  among?: readonly DocIdRange[],
  outer?: NestedOrdinals,
): ElementSet {
  const space = elementSpace(group, context.snapshot, among, outer);
  return { space, set: evaluate(group.of, makeElementEvaluator(space, context), among) };
}

function elementSpace(
  { path }: ElementGroup,
  snapshot: Snapshot,
  among?: readonly DocIdRange[],
  outer?: NestedOrdinals,
): NestedOrdinals {
  const view = nestedOrdinals(path, snapshot.options.cache);
  if (among === undefined) return snapshot.get(view);
  // If the outer elements are those of few records, joining all inner ones with them would take long.
  const key = outer?.epoch === UNCACHED ? `few ${view.key}` : view.key;
  return snapshot.getWithin({ ...view, key, make: ({ rows }) => new NestedOrdinals(UNCACHED, rows) }, among);
}

/**
 * Makes the evaluator for plans about the elements of one array of objects. Rows are ordinals and may include deleted
 * elements.
 */
function makeElementEvaluator(space: NestedOrdinals, context: LeafContext): RecordLeafEvaluator {
  const { snapshot } = context;
  return {
    check: () => snapshot.check(),
    readsDocuments: () => false,
    fewOf: (set) => fewRecords(set, snapshot, () => space.owningRecords(set)),
    leaf(leaf, among) {
      switch (leaf.kind) {
        case "rows":
        case "records":
        case "visible":
          throw new Error(`A group has no leaf "${leaf.kind}".`);
        case "elements":
        case "keywords":
          return viewSet(snapshot, elementSet(leaf, space), among);
        case "inModels":
          return inModels(leaf, space, snapshot, among);
        case "numbers":
          return numbersIn(leaf, space, snapshot, among);
        case "keys":
          return ownersWithKeys(leaf, space, context, among);
        case "element":
          return joinToOuter(matchElements(leaf.group, context, among, space), space, snapshot);
      }
    },
  };
}

function inModels(
  { scan, models }: Extract<RecordLeaf, { kind: "inModels" }>,
  space: NestedOrdinals,
  snapshot: Snapshot,
  among?: readonly DocIdRange[],
): MatchSet {
  const set = viewSet(snapshot, elementSet(scan, space), among);
  const modelSet = viewSet(snapshot, modelRecords(models), among);
  return matchExactly(filterSet(set.rows, (ordinal) => containsRow(modelSet.rows, space.recordOf(ordinal))));
}

function elementSet(scan: SetScan, space: NestedOrdinals): CachedView<DocIdSet> {
  return {
    key: `elements ${space.epoch} ${JSON.stringify(scan)}`,
    scan,
    make: ({ rows }) => space.ordinalsOf(rows),
    // Ordinals of changed records are deleted, and their elements have new ones.
    patch: (ordinals, _ranges, { rows }) => uniteSets(ordinals, space.ordinalsOf(rows)),
    measureBytes: bytesOfSet,
  };
}

/** Returns the elements of the outer space that contain those of the inner one or equal them. */
function joinToOuter({ space, set }: ElementSet, outer: NestedOrdinals, snapshot: Snapshot): MatchSet {
  if (space === outer) return set;
  const isUncached = space.epoch === UNCACHED || outer.epoch === UNCACHED;
  const join = isUncached ? extendJoin(new ParentJoin(), space, outer) : cachedJoin(space, outer, snapshot);
  return matchExactly(join.ownersOf(set, space.alive, outer.size));
}

function cachedJoin(inner: NestedOrdinals, outer: NestedOrdinals, { options: { cache } }: Snapshot): ParentJoin {
  const key = `parent join ${inner.epoch} ${outer.epoch}`;
  const cachedParentJoin = cache.get<ParentJoin>(key) ?? new ParentJoin();
  if (cachedParentJoin.size === inner.size) return cachedParentJoin;
  const join = extendJoin(cachedParentJoin, inner, outer);
  cache.set(key, join, join.bytes);
  return join;
}

/** Adds the new ordinals of the inner space to a join. */
function extendJoin(join: ParentJoin, inner: NestedOrdinals, outer: NestedOrdinals): ParentJoin {
  join.reserve(inner.size - join.size);
  while (join.size < inner.size) join.append(outer.ordinalOf(inner.ordinalRow(join.size)));
  return join;
}

/** Makes the evaluator for plans about records, whose rows are those of `rec`. */
export function makeRecordEvaluator(context: LeafContext): RecordLeafEvaluator {
  const { snapshot } = context;
  return {
    check: () => snapshot.check(),
    readsDocuments: () => false,
    fewOf: (set) => fewRecords(set, snapshot, () => set.rows),
    leaf(leaf, among) {
      switch (leaf.kind) {
        case "rows":
          return matchExactly(leaf.rows);
        case "records":
        case "visible":
        case "keywords":
          return viewSet(snapshot, recordSet(leaf), among);
        case "numbers":
          return numbersIn(leaf, "records", snapshot, among);
        case "keys":
          return ownersWithKeys(leaf, "records", context, among);
        case "element":
          return recordsWithElement(leaf.group, context, among);
        case "elements":
        case "inModels":
          throw new Error(`Outside of a group there is no leaf "${leaf.kind}".`);
      }
    },
  };
}

/** Evaluates leaves of record plans. The few documents are records, as ranges of their rows. */
type RecordLeafEvaluator = LeafEvaluator<RecordLeaf, readonly DocIdRange[]>;

/** Data shared by the leaf evaluators of one search. */
export interface LeafContext {
  readonly snapshot: Snapshot;
  /** Returns a function that tells whether a row of `key` at the path passes the test; undefined: none does. */
  makeKeyFilter(path: number, test: KeyTest): ((key: number) => boolean) | undefined;
}

type LeafOfKind<K extends RecordLeaf["kind"]> = Extract<RecordLeaf, { kind: K }>;

/** Returns the set of a view, only within `among` if it is given. */
function viewSet(snapshot: Snapshot, view: CachedView<DocIdSet>, among?: readonly DocIdRange[]): MatchSet {
  return matchExactly(among === undefined ? snapshot.getSet(view) : snapshot.getWithin(view, among));
}

/** Returns the owners of a number in a range at one of the paths. */
export function numbersIn(
  { paths, range }: LeafOfKind<"numbers">,
  owners: Owners,
  snapshot: Snapshot,
  among?: readonly DocIdRange[],
): MatchSet {
  return unionOf(paths, (path) => ownersBetween(getColumn(snapshot, numericColumn(path, owners), among), range));
}

function ownersWithKeys(
  { paths, test }: LeafOfKind<"keys">,
  owners: Owners,
  { snapshot, makeKeyFilter }: LeafContext,
  among?: readonly DocIdRange[],
): MatchSet {
  return unionOf(paths, (path) => {
    const passes = makeKeyFilter(path, test);
    if (passes === undefined) return EMPTY_SET;
    return ownersOfKeys(getColumn(snapshot, ordinalColumn(path, owners), among), passes);
  });
}

function getColumn<T>(snapshot: Snapshot, view: CachedView<T>, among?: readonly DocIdRange[]): T {
  return among === undefined ? snapshot.get(view) : snapshot.getWithin(view, among);
}

const unionOf = (paths: readonly number[], rowsAt: (path: number) => DocIdSet): MatchSet =>
  getAll(paths, rowsAt).map(matchExactly).reduce(uniteMatches, MATCH_NONE);

/**
 * Maximum number of rows that are evaluated one by one if a view is not cached, and the minimum number of all rows for
 * each of them.
 */
const ONE_BY_ONE_MAX = 200;
const ALL_PER_FEW = 16;

/** Returns the records of a set as ranges if they are few enough to be evaluated one by one. */
function fewRecords(set: MatchSet, snapshot: Snapshot, findRecords: () => DocIdSet): readonly DocIdRange[] | undefined {
  return set.isComplement || !isFew(set.rows, snapshot) ? undefined : contiguousRanges(toIds(findRecords()));
}

/**
 * Returns whether the rows are so few that evaluating them takes less time than scanning all rows once and caching the
 * result.
 */
export function isFew(rows: DocIdSet, snapshot: Snapshot): boolean {
  const few = cardinality(rows);
  return few <= ONE_BY_ONE_MAX && few * ALL_PER_FEW <= snapshot.lastRow;
}
