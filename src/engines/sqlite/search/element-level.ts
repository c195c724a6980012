import { bytesOfSet, contains, type DocIdRange, type DocIdSet, filterSet, or } from "../bitmaps/doc-id-set.js";
import { type MatchSet, matching } from "../bitmaps/match-set.js";
import { ParentJoin } from "../bitmaps/parent-join.js";
import type { SetScan } from "../cache/index-scan.js";
import type { CachedView, Snapshot } from "../cache/snapshot-cache.js";
import { NestedOrdinals, nestedOrdinals, UNCACHED } from "../doc-values/nested-ordinals.js";
import { evaluate } from "../plan/evaluate.js";
import { fewRecords, keysWithin, type LevelContext, numbersIn, type RecordLevel, setOf } from "./leaf-sets.js";
import type { ElementGroup, RecordLeaf } from "./record-plan.js";
import { modelRecords } from "./record-sets.js";

/** The records with an element that fulfils all that the group says. */
export function recordsWithElement(
  group: ElementGroup,
  context: LevelContext,
  among?: readonly DocIdRange[],
): MatchSet {
  const { space, set } = elementsOf(group, context, among);
  return matching(space.recordsOf(set));
}

/** Elements of a space: deleted ones may be among them. */
interface Elements {
  readonly space: NestedOrdinals;
  readonly set: MatchSet;
}

/** @param outer the elements that these are looked for in */
function elementsOf(
  group: ElementGroup,
  context: LevelContext,
  among?: readonly DocIdRange[],
  outer?: NestedOrdinals,
): Elements {
  const space = spaceOf(group, context.snapshot, among, outer);
  return { space, set: evaluate(group.of, makeElementLevel(space, context), among) };
}

function spaceOf(
  { path }: ElementGroup,
  snapshot: Snapshot,
  among?: readonly DocIdRange[],
  outer?: NestedOrdinals,
): NestedOrdinals {
  const view = nestedOrdinals(path, snapshot.options.cache);
  if (among === undefined) return snapshot.get(view);
  // Where the outer elements are those of few records, it would take long to join all inner ones with these.
  const key = outer?.epoch === UNCACHED ? `few ${view.key}` : view.key;
  return snapshot.getWithin({ ...view, key, make: ({ rows }) => new NestedOrdinals(UNCACHED, rows) }, among);
}

/** Plans about the elements of one array of objects: their rows are ordinals. Deleted ones may be among them. */
function makeElementLevel(space: NestedOrdinals, context: LevelContext): RecordLevel {
  const { snapshot } = context;
  return {
    check: () => snapshot.check(),
    readsDocuments: () => false,
    fewOf: (set) => fewRecords(set, snapshot, () => space.recordsOf(set)),
    leaf(leaf, among) {
      switch (leaf.kind) {
        case "rows":
        case "records":
        case "visible":
          throw new Error(`A group has no leaf "${leaf.kind}".`);
        case "elements":
        case "keywords":
          return setOf(snapshot, elementSet(leaf, space), among);
        case "inModels":
          return inModels(leaf, space, snapshot, among);
        case "numbers":
          return numbersIn(leaf, space, snapshot, among);
        case "within":
          return keysWithin(leaf, space, context, among);
        case "element":
          return joined(elementsOf(leaf.group, context, among, space), space, snapshot);
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
  const set = setOf(snapshot, elementSet(scan, space), among);
  const ofModels = setOf(snapshot, modelRecords(models), among);
  return matching(filterSet(set.rows, (ordinal) => contains(ofModels.rows, space.recordOf(ordinal))));
}

function elementSet(scan: SetScan, space: NestedOrdinals): CachedView<DocIdSet> {
  return {
    key: `elements ${space.epoch} ${JSON.stringify(scan)}`,
    scan,
    make: ({ rows }) => space.ordinalsOf(rows),
    // Ordinals of changed records are deleted; what these have now has other ones.
    patch: (before, _ranges, { rows }) => or(before, space.ordinalsOf(rows)),
    bytesOf: bytesOfSet,
  };
}

/** The elements of the outer space that those of the inner one lie in or are. */
function joined({ space, set }: Elements, outer: NestedOrdinals, snapshot: Snapshot): MatchSet {
  if (space === outer) return set;
  const isOfFew = space.epoch === UNCACHED || outer.epoch === UNCACHED;
  const join = isOfFew ? extended(new ParentJoin(), space, outer) : cachedJoin(space, outer, snapshot);
  return matching(join.ownersOf(set, space.alive, outer.size));
}

function cachedJoin(inner: NestedOrdinals, outer: NestedOrdinals, { options: { cache } }: Snapshot): ParentJoin {
  const key = `parent join ${inner.epoch} ${outer.epoch}`;
  const known = cache.get<ParentJoin>(key) ?? new ParentJoin();
  if (known.size === inner.size) return known;
  const join = extended(known, inner, outer);
  cache.set(key, join, join.bytes);
  return join;
}

/** With the ordinals of the inner space that were given since. */
function extended(join: ParentJoin, inner: NestedOrdinals, outer: NestedOrdinals): ParentJoin {
  join.reserve(inner.size - join.size);
  while (join.size < inner.size) join.append(outer.ordinalOf(inner.rowOf(join.size)));
  return join;
}
