import {
  bytesOfSet,
  contains,
  type DocIdRange,
  type DocIdSet,
  filterSet,
  or,
  rangesOf,
  toIds,
} from "../bitmaps/doc-id-set.js";
import { type MatchSet, matching } from "../bitmaps/match-set.js";
import { ParentJoin } from "../bitmaps/parent-join.js";
import type { IndexScan } from "../cache/index-scan.js";
import { type CachedView, CacheMiss, type Snapshot } from "../cache/snapshot-cache.js";
import { NestedOrdinals, nestedOrdinals, UNCACHED } from "../doc-values/nested-ordinals.js";
import { evaluate, type Level } from "./evaluate.js";
import { keysWithin, type LevelContext, numbersIn, setOf } from "./leaf-sets.js";
import type { ElementGroup, Leaf } from "./plan.js";
import { modelRecords } from "./record-sets.js";

/** The records with an element that fulfils all that the group says. */
export function recordsWithElement(
  group: ElementGroup,
  context: LevelContext,
  among?: readonly DocIdRange[],
): MatchSet | CacheMiss {
  const inside = elementsOf(group, context, among);
  return inside instanceof CacheMiss ? inside : matching(inside.space.recordsOf(inside.set));
}

/** Elements of a space: what is dead may be among them. */
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
): Elements | CacheMiss {
  const space = spaceOf(group, context.looking, among, outer);
  if (space instanceof CacheMiss) return space;
  const set = evaluate(group.of, makeElementLevel(space, context), among);
  return set instanceof CacheMiss ? set : { space, set };
}

function spaceOf(
  { path }: ElementGroup,
  looking: Snapshot,
  among?: readonly DocIdRange[],
  outer?: NestedOrdinals,
): NestedOrdinals | CacheMiss {
  const thing = nestedOrdinals(path, looking.options.memory);
  if (among === undefined) return looking.get(thing);
  // Where the outer elements are those of few records, it would take long to lift all inner ones to these.
  const key = outer?.epoch === UNCACHED ? `few ${thing.key}` : thing.key;
  return looking.getWithin({ ...thing, key, make: ({ rows }) => new NestedOrdinals(UNCACHED, rows) }, among);
}

/** Plans about the elements of one array of objects: their rows are ordinals. What is dead may be among them. */
function makeElementLevel(space: NestedOrdinals, context: LevelContext): Level {
  const { looking } = context;
  return {
    check: () => looking.check(),
    recordsOf: (rows) => rangesOf(toIds(space.recordsOf(matching(rows)))),
    leaf(leaf, among) {
      switch (leaf.kind) {
        case "rows":
        case "visible":
          throw new Error(`A group has no leaf "${leaf.kind}".`);
        case "match":
          return matched(leaf, space, looking, among);
        case "keywords":
          return setOf(looking, elementSet(leaf, space), among);
        case "numbers":
          return numbersIn(leaf, space, looking, among);
        case "within":
          return keysWithin(leaf, space, context, among);
        case "element": {
          const inner = elementsOf(leaf.group, context, among, space);
          return inner instanceof CacheMiss ? inner : lifted(inner, space, looking);
        }
      }
    },
  };
}

function matched(
  { matches, models }: Extract<Leaf, { kind: "match" }>,
  space: NestedOrdinals,
  looking: Snapshot,
  among?: readonly DocIdRange[],
): MatchSet | CacheMiss {
  const set = setOf(looking, elementSet({ kind: "elements", matches }, space), among);
  if (set instanceof CacheMiss || models === undefined) return set;
  const ofModels = setOf(looking, modelRecords(models), among);
  if (ofModels instanceof CacheMiss) return ofModels;
  return matching(filterSet(set.rows, (ordinal) => contains(ofModels.rows, space.recordOf(ordinal))));
}

function elementSet(question: IndexScan, space: NestedOrdinals): CachedView<DocIdSet> {
  return {
    key: `elements ${space.epoch} ${JSON.stringify(question)}`,
    scan: question,
    make: ({ rows }) => space.ordinalsOf(rows),
    // Ordinals of changed records have died; what these have now stands under other ones.
    patch: (before, _ranges, { rows }) => or(before, space.ordinalsOf(rows)),
    bytesOf: bytesOfSet,
  };
}

/** The elements of the outer space that those of the inner one lie in or are. */
function lifted({ space, set }: Elements, outer: NestedOrdinals, looking: Snapshot): MatchSet {
  if (space === outer) return set;
  const isOfFew = space.epoch === UNCACHED || outer.epoch === UNCACHED;
  const lift = isOfFew ? extended(new ParentJoin(), space, outer) : keptLift(space, outer, looking);
  return matching(lift.ownersOf(set, space.alive, outer.size));
}

function keptLift(inner: NestedOrdinals, outer: NestedOrdinals, { options: { memory } }: Snapshot): ParentJoin {
  const key = `lift ${inner.epoch} ${outer.epoch}`;
  const known = memory.get<ParentJoin>(key) ?? new ParentJoin();
  if (known.size === inner.size) return known;
  const lift = extended(known, inner, outer);
  memory.set(key, lift, lift.bytes);
  return lift;
}

/** With the ordinals of the inner space that were given since. */
function extended(lift: ParentJoin, inner: NestedOrdinals, outer: NestedOrdinals): ParentJoin {
  lift.reserve(inner.size - lift.size);
  while (lift.size < inner.size) lift.append(outer.ordinalOf(inner.rowOf(lift.size)));
  return lift;
}
