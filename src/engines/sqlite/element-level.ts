import { ElementSpace, elementSpace, OF_FEW } from "./element-space.js";
import { evaluate, type Level } from "./evaluate.js";
import { keysWithin, type LevelContext, numbersIn, setOf } from "./leaf-sets.js";
import { Lift } from "./lift.js";
import { type Looking, Missing, type Thing } from "./looking.js";
import type { ElementGroup, Leaf } from "./plan.js";
import type { Question } from "./question.js";
import { rangesOf } from "./record-level.js";
import { modelRecords } from "./record-sets.js";
import { found, type RowSet } from "./row-set.js";
import { bytesOfRows, either, hasRow, idsOf, type RowRange, type Rows, rowsWhere } from "./rows.js";

/** The records with an element that fulfils all that the group says. */
export function recordsWithElement(
  group: ElementGroup,
  context: LevelContext,
  among?: readonly RowRange[],
): RowSet | Missing {
  const inside = elementsOf(group, context, among);
  return inside instanceof Missing ? inside : found(inside.space.recordsOf(inside.set));
}

/** Elements of a space: what is dead may be among them. */
interface Elements {
  readonly space: ElementSpace;
  readonly set: RowSet;
}

/** @param outer the elements that these are looked for in */
function elementsOf(
  group: ElementGroup,
  context: LevelContext,
  among?: readonly RowRange[],
  outer?: ElementSpace,
): Elements | Missing {
  const space = spaceOf(group, context.looking, among, outer);
  if (space instanceof Missing) return space;
  const set = evaluate(group.of, makeElementLevel(space, context), among);
  return set instanceof Missing ? set : { space, set };
}

function spaceOf(
  { path }: ElementGroup,
  looking: Looking,
  among?: readonly RowRange[],
  outer?: ElementSpace,
): ElementSpace | Missing {
  const thing = elementSpace(path, looking.options.memory);
  if (among === undefined) return looking.get(thing);
  // Where the outer elements are those of few records, it would take long to lift all inner ones to these.
  const key = outer?.epoch === OF_FEW ? `few ${thing.key}` : thing.key;
  return looking.among({ ...thing, key, make: ({ rows }) => new ElementSpace(OF_FEW, rows) }, among);
}

/** Plans about the elements of one array of objects: their rows are ordinals. What is dead may be among them. */
function makeElementLevel(space: ElementSpace, context: LevelContext): Level {
  const { looking } = context;
  return {
    check: () => looking.check(),
    recordsOf: (rows) => rangesOf(idsOf(space.recordsOf(found(rows)))),
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
          return inner instanceof Missing ? inner : lifted(inner, space, looking);
        }
      }
    },
  };
}

function matched(
  { matches, models }: Extract<Leaf, { kind: "match" }>,
  space: ElementSpace,
  looking: Looking,
  among?: readonly RowRange[],
): RowSet | Missing {
  const set = setOf(looking, elementSet({ kind: "elements", matches }, space), among);
  if (set instanceof Missing || models === undefined) return set;
  const ofModels = setOf(looking, modelRecords(models), among);
  if (ofModels instanceof Missing) return ofModels;
  return found(rowsWhere(set.rows, (ordinal) => hasRow(ofModels.rows, space.recordOf(ordinal))));
}

function elementSet(question: Question, space: ElementSpace): Thing<Rows> {
  return {
    key: `elements ${space.epoch} ${JSON.stringify(question)}`,
    question,
    make: ({ rows }) => space.ordinalsOf(rows),
    // Ordinals of changed records have died; what these have now stands under other ones.
    patch: (before, _ranges, { rows }) => either(before, space.ordinalsOf(rows)),
    bytesOf: bytesOfRows,
  };
}

/** The elements of the outer space that those of the inner one lie in or are. */
function lifted({ space, set }: Elements, outer: ElementSpace, looking: Looking): RowSet {
  if (space === outer) return set;
  const isOfFew = space.epoch === OF_FEW || outer.epoch === OF_FEW;
  const lift = isOfFew ? extended(new Lift(), space, outer) : keptLift(space, outer, looking);
  return found(lift.ownersOf(set, space.alive, outer.size));
}

function keptLift(inner: ElementSpace, outer: ElementSpace, { options: { memory } }: Looking): Lift {
  const key = `lift ${inner.epoch} ${outer.epoch}`;
  const known = memory.get<Lift>(key) ?? new Lift();
  if (known.size === inner.size) return known;
  const lift = extended(known, inner, outer);
  memory.keep(key, lift, lift.bytes);
  return lift;
}

/** With the ordinals of the inner space that were given since. */
function extended(lift: Lift, inner: ElementSpace, outer: ElementSpace): Lift {
  lift.reserve(inner.size - lift.size);
  while (lift.size < inner.size) lift.append(outer.ordinalOf(inner.rowOf(lift.size)));
  return lift;
}
