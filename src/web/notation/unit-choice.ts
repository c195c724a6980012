import type { ScaleStep } from "../../core/units/units.js";
import { cleanUnit, findUnit, UNIT_LENGTH_MAX, type Unit, type Units } from "../../core/units/units.js";
import { type RichText, THIN, withExponents } from "./rich-text.js";

/** A unit in which a page shows numbers, in the spelling that it uses. */
export interface ShownUnit {
  readonly unit: Unit;
  readonly spelling: string;
  /** Smallest number that is shown in the unit if a smaller one is in its scale. */
  readonly from: number;
  /** Whether small and large numbers have no power of ten. */
  readonly isDecimal: boolean;
}

/** How a reader wants to see numbers. */
export interface NumberLook {
  /** Units that numbers are converted to, by field name. */
  readonly units: ReadonlyMap<string, Unit>;
  /** Whether all other numbers stay as they were deposited. Default: they are readable. */
  readonly isDeposited: boolean;
}

/** The look of a page without choices. */
export const READABLE: NumberLook = { units: new Map(), isDeposited: false };

/** Returns how the numbers of a field are shown: in a chosen unit, as deposited, or readable (undefined). */
export const lookOf = ({ units, isDeposited }: NumberLook, field: string | undefined): Unit | "deposited" | undefined =>
  units.get(field ?? "") ?? (isDeposited ? "deposited" : undefined);

/** How pages show the numbers of a unit. */
interface Notation {
  /** Result of `chooseUnits`. */
  readonly choices: readonly ShownUnit[];
  /** Result of `writeUnit`. */
  readonly label: RichText;
}

/** Notations by the spellings of units. */
const NOTATIONS = new WeakMap<Units, Map<string, Notation>>();
/** Maximum number of remembered spellings: records can have any. */
const SPELLINGS_MAX = 1_000;

/** Returns the notation of a unit, which many numbers of a page share. */
function notationOf(units: Units, spelling: string): Notation {
  const remembered = NOTATIONS.get(units) ?? new Map<string, Notation>();
  NOTATIONS.set(units, remembered);
  const earlier = remembered.get(spelling);
  if (earlier !== undefined) return earlier;
  const notation = { choices: chooseUnits(units, spelling), label: writeUnit(spelling, findUnit(units, spelling)) };
  // A query may have any text as a unit. Only known units are remembered, in few spellings.
  if (notation.choices.length === 0 || spelling.length > UNIT_LENGTH_MAX) return notation;
  if (remembered.size === SPELLINGS_MAX) remembered.clear();
  remembered.set(spelling, notation);
  return notation;
}

/** Returns the units in which pages show numbers of a deposited unit. Empty if the catalog does not know the unit. */
export const shownUnits = (units: Units, deposited: string): readonly ShownUnit[] =>
  notationOf(units, deposited).choices;

/** Returns how pages write a unit: `kJ mol⁻¹ K⁻¹`, `% (v/v)`, nothing for a number without a unit. */
export const unitLabel = (units: Units | undefined, spelling: string): RichText =>
  units === undefined ? writeUnit(spelling, undefined) : notationOf(units, spelling).label;

/** Returns the units for numbers of a unit in ascending order: those of its scale, or a single one. */
function chooseUnits(units: Units, deposited: string): readonly ShownUnit[] {
  const unit = findUnit(units, deposited);
  if (unit === undefined) return [];
  const { scales, shown, isDecimal } = units.dimensions.get(unit.dimension)!;
  const cleaned = cleanUnit(deposited);
  const spelled = scales.find((scale) => scale.some(({ spelling }) => cleanUnit(spelling) === cleaned));
  const target = spelled === undefined ? (unit.shown ?? shown) : undefined;
  if (target !== undefined) return [asShown(units, { spelling: target, from: 1 }, isDecimal)];
  const scale = spelled ?? scales.find((each) => each.some(({ spelling }) => findUnit(units, spelling) === unit));
  const steps = scale ?? [{ spelling: unit.name, from: 1 }];
  return steps.map((step) => asShown(units, step, isDecimal));
}

/** Returns a unit that a reader has chosen. */
export const chosenUnit = (units: Units, unit: Unit): ShownUnit =>
  asShown(units, { spelling: unit.name, from: 1 }, units.dimensions.get(unit.dimension)?.isDecimal ?? false);

const asShown = (units: Units, { spelling, from }: ScaleStep, isDecimal: boolean): ShownUnit => ({
  unit: findUnit(units, spelling)!,
  spelling,
  from,
  isDecimal,
});

function writeUnit(spelling: string, unit: Unit | undefined): RichText {
  const isItself = unit !== undefined && (unit.name === spelling || unit.label !== undefined);
  const label = isItself ? (unit.label ?? unit.name) : spelling;
  return withExponents(label.replaceAll(/(?<=[\p{L}\d]) (?=\p{L})/gu, THIN));
}
