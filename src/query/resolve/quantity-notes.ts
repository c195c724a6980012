import type { Units } from "../../core/catalog/units.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import type { Meaning } from "../fields/field-meanings.js";
import { dimensionsOf } from "../fields/field-type.js";
import type { Notes } from "../parse/notes.js";
import type { QuantityNote } from "./quantity-clause.js";

/**
 * Says what is worth a word of a comparison with units: each thing once, and only where it holds in all models.
 *
 * @param found what each meaning of the field has to say, if anything
 */
export function noteQuantity(
  notes: Notes,
  name: string,
  meanings: readonly Meaning[],
  found: readonly (QuantityNote | undefined)[],
  units: Units,
): void {
  const [note] = found;
  if (note === undefined || found.some((other) => other?.kind !== note.kind)) return;
  const fitting = dimensionsOf(meanings).flatMap((dimension) => units.dimensions.get(dimension) ?? []);
  if (note.kind === "missing") {
    const unit = fitting[0]?.canonical ?? "";
    const message = `Numbers of "${name}" have units ("${name}:<1 ${unit}"); without one they are compared as entered.`;
    notes.warn("QUERY_UNIT_MISSING", message, { value: name });
  } else if (note.kind === "mismatch") {
    const known = fitting.map(({ title, canonical }) => `${title.toLowerCase()} (${canonical})`).join(", ");
    const fits = known === "" ? "" : ` Units of this field: ${known}.`;
    const message = `"${name}" has no numbers in units like "${note.unit}", so nothing is found.${fits}`;
    notes.warn("QUERY_UNIT_MISMATCH", message, { value: note.unit });
  } else {
    const nearest = nearestNames(note.unit, units.units.keys(), LIMITS.nearestMax);
    const message = `The unit "${note.unit}" is not known; only numbers with exactly this unit are compared.`;
    const extra = nearest.length === 0 ? {} : { nearest };
    notes.warn("QUERY_UNIT_UNKNOWN", message, { value: note.unit, ...extra });
  }
}
