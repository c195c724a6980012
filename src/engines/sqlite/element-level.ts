import { type ElementSpace, elementSpace, NONE } from "./element-space.js";
import { evaluate, type Level } from "./evaluate.js";
import { keysWithin, type LevelContext, numbersIn, setOf } from "./leaf-sets.js";
import { type Looking, Missing, type Thing } from "./looking.js";
import type { ElementGroup, Leaf } from "./plan.js";
import type { Question } from "./question.js";
import { rangesOf } from "./record-level.js";
import { modelRecords } from "./record-sets.js";
import { found, type RowSet, rowsAmong } from "./row-set.js";
import { bytesOfRows, either, hasRow, idsOf, mapRows, type RowRange, type Rows, rowsOf, rowsOfAny } from "./rows.js";

/** The records with an element that fulfils all that the group says. */
export function recordsWithElement(
  group: ElementGroup,
  context: LevelContext,
  among?: readonly RowRange[],
): RowSet | Missing {
  const inside = elementsOf(group, context, among);
  return inside instanceof Missing ? inside : found(recordsOf(inside));
}

/** Elements of a space. */
interface Elements {
  readonly space: ElementSpace;
  readonly rows: Rows;
}

function elementsOf(group: ElementGroup, context: LevelContext, among?: readonly RowRange[]): Elements | Missing {
  const { looking } = context;
  const thing = elementSpace(group.path, looking.options.memory);
  const space = among === undefined ? looking.get(thing) : looking.among(thing, among);
  if (space instanceof Missing) return space;
  const set = evaluate(group.of, makeElementLevel(space, context), among);
  return set instanceof Missing ? set : { space, rows: rowsAmong(space.alive(), set) };
}

/** Plans about the elements of one array of objects: their rows are ordinals. What is dead may be among them. */
function makeElementLevel(space: ElementSpace, context: LevelContext): Level {
  const { looking } = context;
  return {
    check: () => looking.check(),
    recordsOf: (rows) => rangesOf(idsOf(recordsOf({ space, rows }))),
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
          const inner = elementsOf(leaf.group, context, among);
          return inner instanceof Missing ? inner : found(lifted(inner, space, looking, among === undefined));
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
  return found(rowsOf(idsOf(set.rows).filter((ordinal) => hasRow(ofModels.rows, space.recordOf(ordinal)))));
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

function recordsOf({ space, rows }: Elements): Rows {
  return rowsOfAny(idsOf(rows).map((ordinal) => space.recordOf(ordinal)));
}

/** The elements of the outer space that those of the inner one lie in or are. */
function lifted({ space, rows }: Elements, outer: ElementSpace, looking: Looking, isKept: boolean): Rows {
  if (space === outer) return rows;
  if (isKept) return mapRows(rows, liftOf(space, outer, looking), outer.size);
  const ordinals = idsOf(rows).map((ordinal) => outer.ordinalOf(space.rowOf(ordinal)));
  return rowsOfAny(ordinals.filter((ordinal) => ordinal !== NONE));
}

/** Ordinals of the outer space by those of the inner one, as far as these were given. */
function liftOf(inner: ElementSpace, outer: ElementSpace, { options }: Looking): Uint32Array {
  const key = `lift ${inner.epoch} ${outer.epoch}`;
  const known = options.memory.get<Uint32Array>(key) ?? new Uint32Array(0);
  if (known.length === inner.size) return known;
  const lift = new Uint32Array(inner.size);
  lift.set(known);
  for (let ordinal = known.length; ordinal < lift.length; ordinal++) {
    lift[ordinal] = outer.ordinalOf(inner.rowOf(ordinal));
  }
  options.memory.keep(key, lift, lift.byteLength);
  return lift;
}
