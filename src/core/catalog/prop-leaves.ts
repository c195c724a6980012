import type { Leaf, Prop, WeightClass } from "./types.js";

/**
 * Leaves of a prop that stands at a path, in an item or copied into a record: one, or one for each property of an
 * object.
 */
export function propLeaves(prop: Prop, path: string, elementPath: string, weight: WeightClass): readonly Leaf[] {
  if (prop.type !== "object") {
    const kind = prop.kind === undefined ? {} : { kind: prop.kind };
    return [{ path, type: prop.type === "number" ? "number" : "keyword", weight, elementPath, ...kind }];
  }
  return (prop.properties ?? []).map(({ name, type }) => ({
    path: `${path}.${name}`,
    type: type === "number" ? "number" : "keyword",
    weight,
    elementPath,
  }));
}
