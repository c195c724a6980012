import { canonicalPath, unknownUnitPath } from "../../core/catalog/places.js";
import type { Leaf } from "../../core/catalog/types.js";
import { cleanUnit, findUnit, type Unit, type Units } from "../../core/catalog/units.js";
import type { Meaning } from "../fields/field-meanings.js";
import { isQuantity } from "../fields/field-type.js";
import type { Clause } from "../index-model/clause.js";
import { NOTHING } from "../index-model/clauses.js";
import { type Ends, narrowestEnds } from "../parse/bounds.js";
import type { RangeBound } from "../parse/tree.js";
import { parseAmount, toCanonical, unknownUnitEnds, unknownUnitKeyword } from "../text/amounts.js";
import { foldKeyword } from "../text/analyse.js";

/** What a comparison with units means in one meaning of a field. */
interface QuantityClause {
  readonly clause: Clause;
  /** What is worth a word to whoever asked. */
  readonly note?: QuantityNote;
}

export type QuantityNote =
  /** The numbers of a declared quantity were compared as they were entered. */
  | { readonly kind: "missing" }
  /** The field has no numbers in such units: nothing is found. */
  | { readonly kind: "mismatch"; readonly unit: string }
  | { readonly kind: "unknown"; readonly unit: string };

/** Numbers of a quantity: at which leaves they are, and what they are compared with. */
interface Amounts {
  readonly leaves: readonly Leaf[];
  readonly bounds: readonly { readonly op: RangeBound["op"]; readonly number: number }[];
}

/**
 * What bounds with units mean: they are about the numbers of the meaning that have a unit, in the canonical unit of
 * the dimension. A bound without a unit has that of the other one. Undefined where the bounds are about no quantity.
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
  const written = [...new Set(amounts.flatMap(({ unit }) => (unit === "" ? [] : [unit])))];
  if (written.length === 0) return withoutUnit(meaning, all, units);
  const known = written.flatMap((unit) => findUnit(units, unit) ?? []);
  const unknown = new Set(written.filter((unit) => findUnit(units, unit) === undefined).map(sameUnit));
  if (unknown.size > 0 && !isQuantity(meaning)) return undefined;
  const [first = ""] = written;
  if (unknown.size === 1 && known.length === 0) return inUnknownUnit(all, first);
  const [dimension, ...others] = new Set(known.map((unit) => unit.dimension));
  if (unknown.size > 0 || dimension === undefined || others.length > 0) return mismatch(first);
  const unitOf = (text: string): Unit => findUnit(units, text) ?? known[0]!;
  const converted = amounts.flatMap(({ op, number, unit }) => {
    const value = toCanonical(number, unitOf(unit));
    return value === undefined ? [] : [{ op, number: value }];
  });
  return converted.length < amounts.length
    ? { clause: NOTHING }
    : inDimension(meaning, { leaves, bounds: converted }, dimension, first);
}

const sameUnit = (text: string): string => foldKeyword(cleanUnit(text));

const mismatch = (unit: string): QuantityClause => ({ clause: NOTHING, note: { kind: "mismatch", unit } });

/** Only a declared quantity has something to say here: any other number is compared as it stands, like all numbers. */
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
