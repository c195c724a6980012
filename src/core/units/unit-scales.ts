/** Declares how pages show numbers with units: in which of several units, and how the unit is written. */
import type { DeclaredObject } from "../declarations/declared.js";
import { type Dimension, findUnit, type Unit, type Units } from "./units.js";

/** A unit of a scale, and the smallest number that is shown in it. */
export interface ScaleStep {
  /** Spelling of the unit: `ng/mL` may be one of `µg/L`. */
  readonly spelling: string;
  readonly from: number;
}

/** Reads `scales`: lists of spellings in ascending order, such as `[nM, µM]` or `[s, {unit: minutes, from: 10}]`. */
export function compileScales(object: DeclaredObject, earlier: Dimension["scales"] = []): Dimension["scales"] {
  if (!object.has("scales")) return earlier;
  const lists = object.raw("scales");
  if (!Array.isArray(lists) || !lists.every(Array.isArray)) {
    object.note("scales", "the scales must be lists of units: [[nM, µM, mM]]");
    return earlier;
  }
  return lists.map((list: readonly unknown[]) => list.flatMap((step) => compileStep(object, step)));
}

function compileStep(object: DeclaredObject, step: unknown): readonly ScaleStep[] {
  if (typeof step === "string") return [{ spelling: step, from: 1 }];
  const { unit, from } = Object(step) as { readonly unit?: unknown; readonly from?: unknown };
  if (typeof unit === "string" && typeof from === "number" && from > 0) return [{ spelling: unit, from }];
  object.note("scales", "a step of a scale must be a unit, or {unit: minutes, from: 10}");
  return [];
}

/** Notes the units of scales and of `shown` that their dimension lacks. */
export function checkDimension(units: Units, dimension: Dimension, object: DeclaredObject): void {
  for (const scale of dimension.scales) {
    const steps = scale.map(({ spelling }) => ({ spelling, unit: unitOf(units, dimension.name, spelling) }));
    for (const { spelling, unit } of steps) if (unit === undefined) object.note("scales", noUnit(dimension, spelling));
    const isAscending = steps.every(
      ({ unit }, i) => i === 0 || (unit?.factor ?? 0) > (steps[i - 1]!.unit?.factor ?? 0),
    );
    if (!isAscending) object.note("scales", "the units of a scale must stand in ascending order");
  }
  checkShown(units, dimension, dimension.shown, object);
}

/** Notes a unit of `shown` that the dimension lacks. */
export function checkShown(
  units: Units,
  dimension: Dimension,
  shown: Unit["shown"] | undefined,
  object: DeclaredObject,
): void {
  if (shown !== undefined && unitOf(units, dimension.name, shown) === undefined) {
    object.note("shown", noUnit(dimension, shown));
  }
}

function unitOf(units: Units, dimension: string, spelling: string): Unit | undefined {
  const unit = findUnit(units, spelling);
  return unit?.dimension === dimension ? unit : undefined;
}

const noUnit = ({ name }: Dimension, spelling: string): string => `"${name}" has no unit "${spelling}"`;
