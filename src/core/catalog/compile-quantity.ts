import type { DeclaredObject } from "../declarations/declared.js";
import { findUnit, type Units } from "../units/units.js";
import { openDerivation } from "./compile-derivation.js";
import { markQuantities, namedLeaf } from "./places.js";
import { LEAF_KINDS, type Leaf, type LeafKind, type NamedQuantity } from "./types.js";
import type { Shape } from "./walk-schema.js";

/** Marks the leaves of a model that are quantities, with the dimensions of their allowed units. */
export function compileQuantities(shape: Shape, units: Units): void {
  const dimensionsOf = (path: string): readonly string[] => {
    const allowed = shape.allowedUnits.get(path) ?? [];
    return [...new Set(allowed.flatMap((text) => findUnit(units, text)?.dimension ?? []))];
  };
  for (const leaf of markQuantities(shape.leaves, dimensionsOf).values()) shape.leaves.set(leaf.path, leaf);
}

/** Reads `quantity: molarity`, or a list of dimensions, the usual one first; undefined if none is declared. */
export function compileDimensions(field: DeclaredObject, units: Units): readonly string[] | undefined {
  const dimensions = field.textOrTexts("quantity");
  for (const dimension of dimensions ?? []) {
    if (units.dimensions.has(dimension)) continue;
    const known = [...units.dimensions.keys()].join(", ") || "none";
    field.note("quantity", `there is no dimension "${dimension}"; known are ${known}`);
  }
  return dimensions === undefined || dimensions.length === 0 ? undefined : dimensions;
}

/** Notes a path of a declared quantity if there is no number with a unit at the path or directly below it. */
export function checkQuantityPath(field: DeclaredObject, path: string, shape: Shape): void {
  const exists = [...shape.leaves.values()].some((leaf) => leaf.quantity !== undefined && isQuantityAt(leaf, path));
  if (!exists) field.note("path", `there is no number beside a "unit" at "${path}" or right below it`);
}

/** Returns whether this is the leaf at a path, or a leaf of the object at the path. */
export const isQuantityAt = (leaf: Pick<Leaf, "path">, path: string): boolean =>
  leaf.path === path || leaf.path.slice(0, leaf.path.lastIndexOf(".")) === path;

/**
 * Reads `path`, `where`, `value` and `quantity` of a quantity that texts in the same object identify, or that is only
 * derived. `derived` is read by `compileDerivation`.
 */
export function compileNamedQuantity(
  field: DeclaredObject,
  name: string,
  path: string,
  shape: Shape,
  units: Units,
): NamedQuantity | undefined {
  const where = field.has("where") ? field.textMap("where") : undefined;
  const key = where === undefined ? "derived" : "where";
  const value = field.optionalText("value") ?? "value";
  const dimensions = compileDimensions(field, units);
  const number = shape.leaves.get(`${path}.${value}`);
  const mistakes = [
    ...(shape.elementPaths.includes(path) ? [] : [["path", `"${path}" is no list of objects`] as const]),
    ...(number?.type === "number" ? [] : [["value", `the schema has no number "${path}.${value}"`] as const]),
    ...(dimensions === undefined ? [["quantity", `"${key}" goes with a "quantity"`] as const] : []),
    ...(field.has("weight") ? [["weight", `"${key}" does not go with a weight`] as const] : []),
    ...(Array.isArray(field.raw("path")) ? [["path", `"${key}" goes with one path`] as const] : []),
    ...(field.has("more_paths") ? [["more_paths", `"${key}" goes with one path`] as const] : []),
    ...[...(where?.keys() ?? [])].flatMap((text) =>
      shape.leaves.get(`${path}.${text}`)?.elementPath === path
        ? []
        : [["where", `the objects of "${path}" have no "${text}"`] as const],
    ),
  ];
  for (const [at, reason] of mistakes) field.note(at, reason);
  if (mistakes.length > 0 || dimensions === undefined) return undefined;
  const leaf = namedLeaf(path, name, dimensions);
  return { name, path, where, value, leaf, derivation: openDerivation(field, { name, path }, dimensions) };
}

/** Reads the kind of identifier that a text contains; undefined if none is declared. */
export function compileIdentifierKind(object: DeclaredObject, key: string): LeafKind | undefined {
  const kind = object.optionalText(key);
  const leafKind = LEAF_KINDS.find((each) => each === kind);
  if (kind !== undefined && leafKind === undefined) {
    object.note(key, `unknown kind "${kind}"; known are ${LEAF_KINDS.join(", ")}`);
  }
  return leafKind;
}
