import { canonicalPath, unknownUnitPath } from "../../core/catalog/places.js";
import type { Leaf } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { parseAmount, toCanonical } from "../../core/units/amounts.js";
import { cleanUnit, findUnit, type Unit, type Units } from "../../core/units/units.js";
import { declaredDimensions, isQuantity, type Meaning } from "../fields/field-meanings.js";
import { type Clause, NOTHING } from "../index-model/clause.js";
import { unknownUnitEnds, unknownUnitKeyword } from "../index-model/leaves.js";
import { type Ends, narrowestEnds } from "../parse/bounds.js";
import type { Notes } from "../parse/notes.js";
import type { RangeBound } from "../parse/tree.js";
import { foldKeyword } from "../text/analyse.js";

/** Clause of a comparison with units in one meaning of a field. */
interface QuantityClause {
  readonly clause: Clause;
  /** Reason for a warning. */
  readonly note?: QuantityNote;
}

/** Reason for a warning about the unit of a comparison. */
export type QuantityNote =
  /** The comparison has no unit, so numbers of a declared quantity are compared as entered. */
  | { readonly kind: "missing" }
  /** The field has no numbers with this dimension, so nothing matches. */
  | { readonly kind: "mismatch"; readonly unit: string }
  /** The unit is unknown, so only numbers with the same unit are compared. */
  | { readonly kind: "unknown"; readonly unit: string };

/** Leaves of a quantity, and the numbers to compare their values with. */
interface Amounts {
  readonly leaves: readonly Leaf[];
  readonly bounds: readonly { readonly op: RangeBound["op"]; readonly number: number }[];
}

/**
 * Returns the clause of bounds with units. They are compared with the numbers of the meaning that have a unit, in the
 * canonical unit of the dimension. A bound without a unit has that of the other bound. Undefined if the bounds are not
 * about a quantity.
 */
export function quantityClause(
  meaning: Meaning,
  bounds: readonly RangeBound[],
  units: Units,
): QuantityClause | undefined {
  const leaves = meaning.leaves.filter(({ quantity }) => quantity !== undefined);
  const amounts = bounds.flatMap(({ op, text }) => {
    const amount = parseAmount(text);
    return amount === undefined ? [] : [{ op, ...amount }];
  });
  if (leaves.length === 0 || amounts.length < bounds.length) return undefined;
  const all: Amounts = { leaves, bounds: amounts };
  const unitTexts = [...new Set(amounts.flatMap(({ unit }) => (unit === "" ? [] : [unit])))];
  if (unitTexts.length === 0) return withoutUnit(meaning, all, units);
  const knownUnits = unitTexts.flatMap((unit) => findUnit(units, unit) ?? []);
  const unknownUnits = new Set(unitTexts.filter((unit) => findUnit(units, unit) === undefined).map(foldUnit));
  if (unknownUnits.size > 0 && !isQuantity(meaning)) return undefined;
  const [first = ""] = unitTexts;
  if (unknownUnits.size === 1 && knownUnits.length === 0) return inUnknownUnit(all, first);
  const [dimension, ...otherDimensions] = new Set(knownUnits.map((unit) => unit.dimension));
  if (unknownUnits.size > 0 || dimension === undefined || otherDimensions.length > 0) return mismatch(first);
  const unitByText = (text: string): Unit => findUnit(units, text) ?? knownUnits[0]!;
  const converted = amounts.flatMap(({ op, number, unit }) => {
    const value = toCanonical(number, unitByText(unit));
    return value === undefined ? [] : [{ op, number: value }];
  });
  return converted.length < amounts.length
    ? { clause: NOTHING }
    : inDimension(meaning, { leaves, bounds: converted }, dimension, first);
}

const foldUnit = (text: string): string => foldKeyword(cleanUnit(text));

const mismatch = (unit: string): QuantityClause => ({ clause: NOTHING, note: { kind: "mismatch", unit } });

/** Compares numbers of a declared quantity without a unit. Undefined for other fields, whose numbers are plain. */
function withoutUnit({ dimensions }: Meaning, amounts: Amounts, units: Units): QuantityClause | undefined {
  const [usual] = dimensions ?? [];
  if (usual === undefined) return undefined;
  const ends = numberEnds(amounts);
  if (units.dimensions.get(usual)?.bare === true) {
    const paths = amounts.leaves.map((leaf) => canonicalPath(leaf, usual));
    return { clause: { kind: "range", paths, type: "number", ...ends } };
  }
  const paths = amounts.leaves.map(({ path }) => path);
  return { clause: { kind: "range", paths, type: "number", ...ends }, note: { kind: "missing" } };
}

function inDimension({ dimensions }: Meaning, amounts: Amounts, dimension: string, unit: string): QuantityClause {
  const fits = (some: readonly string[] | undefined): boolean =>
    some === undefined || some.length === 0 || some.includes(dimension);
  const leaves = amounts.leaves.filter(({ quantity }) => fits(dimensions) && fits(quantity?.dimensions));
  if (leaves.length === 0) return mismatch(unit);
  const paths = leaves.map((leaf) => canonicalPath(leaf, dimension));
  return { clause: { kind: "range", paths, type: "number", ...numberEnds(amounts) } };
}

function inUnknownUnit({ leaves, bounds }: Amounts, unit: string): QuantityClause {
  const all = unknownUnitEnds(unit);
  const open: Ends = { from: { value: all.from, inclusive: true }, to: { value: all.to, inclusive: false } };
  const keywords = bounds.map(({ op, number }) => ({
    op,
    bound: { value: unknownUnitKeyword(number, unit), inclusive: op.endsWith("=") },
  }));
  const paths = leaves.map(unknownUnitPath);
  const ends = { ...open, ...narrowestEnds(keywords) };
  return { clause: { kind: "range", paths, type: "keyword", ...ends }, note: { kind: "unknown", unit } };
}

function numberEnds({ bounds }: Amounts): Ends {
  return narrowestEnds(bounds.map(({ op, number }) => ({ op, bound: { value: number, inclusive: op.endsWith("=") } })));
}

/**
 * Warns about the unit of a comparison, if the reason is the same in all meanings of the field.
 *
 * @param reasons result of `quantityClause` for each meaning
 */
export function noteQuantity(
  notes: Notes,
  name: string,
  meanings: readonly Meaning[],
  reasons: readonly (QuantityNote | undefined)[],
  units: Units,
): void {
  const [note] = reasons;
  if (note === undefined || reasons.some((other) => other?.kind !== note.kind)) return;
  const fitting = declaredDimensions(meanings).flatMap((dimension) => units.dimensions.get(dimension) ?? []);
  if (note.kind === "missing") {
    const unit = fitting[0]?.canonical ?? "";
    const message = `Numbers of "${name}" have units ("${name}:<1 ${unit}"); without one they are compared as entered.`;
    notes.warn("QUERY_UNIT_MISSING", message, { value: name });
  } else if (note.kind === "mismatch") {
    const fieldUnits = fitting.map(({ title, canonical }) => `${title.toLowerCase()} (${canonical})`).join(", ");
    const hint = fieldUnits === "" ? "" : ` Units of this field: ${fieldUnits}.`;
    const message = `"${name}" has no numbers in units like "${note.unit}", so nothing is found.${hint}`;
    notes.warn("QUERY_UNIT_MISMATCH", message, { value: note.unit });
  } else {
    const nearest = nearestNames(note.unit, units.units.keys(), LIMITS.nearestMax);
    const message = `The unit "${note.unit}" is not known; only numbers with exactly this unit are compared.`;
    notes.warn("QUERY_UNIT_UNKNOWN", message, {
      value: note.unit,
      nearest: nearest.length === 0 ? undefined : nearest,
    });
  }
}
