import type { Catalog } from "../../core/catalog/types.js";
import type { TextWeights } from "./leaves.js";
import { UNDECLARED } from "./record-tokens.js";

/** Paths that text stands at; with `models` only in their records. */
interface TextPaths {
  readonly paths: readonly number[];
  readonly models?: readonly string[];
}

/** The ids that an index gives to paths. */
export interface PathIds {
  /** Undefined where no record can hold the path yet. */
  idOf(path: string): number | undefined;
  /** Ids of all paths that begin with this one and a dot. */
  below(path: string): readonly number[];
}

/** Where the values of some weights stand below an array of objects. @param weights absent: of any weight */
export type TextBelow = (path: string, weights?: TextWeights) => readonly TextPaths[];

/** Tokens of elements say no weight: it is what the model of the record declares for the path. */
export function makeTextBelow({ models }: Pick<Catalog, "models">, paths: PathIds): TextBelow {
  return (path, weights) => {
    if (weights === undefined) return [{ paths: [UNDECLARED, ...paths.below(path)] }];
    const wanted: readonly string[] = weights;
    const alike = new Map<string, { paths: number[]; models: string[] }>();
    for (const { name, leaves } of models.values()) {
      const weighty = [...leaves.values()].filter((leaf) => wanted.includes(leaf.weight));
      const below = weighty.filter((leaf) => leaf.path.startsWith(`${path}.`));
      const ids = below.map((leaf) => paths.idOf(leaf.path)).filter((id) => id !== undefined);
      if (ids.length === 0) continue;
      const same = alike.get(ids.join(" "));
      if (same === undefined) alike.set(ids.join(" "), { paths: ids, models: [name] });
      else same.models.push(name);
    }
    return [...alike.values()];
  };
}
