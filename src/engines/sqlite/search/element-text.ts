import type { Catalog } from "../../../core/catalog/types.js";
import type { Columns } from "../documents/fts-expression.js";
import type { PathDictionary } from "../documents/path-dictionary.js";
import { UNDECLARED } from "../documents/record-tokens.js";

/** Paths that text stands at; with `models` only in their records. */
export interface TextPaths {
  readonly paths: readonly number[];
  readonly models?: readonly string[];
}

/** Which values below an array of objects the given columns of a record's text hold; absent: all of them. */
export type TextBelow = (path: string, columns?: Columns) => readonly TextPaths[];

const WEIGHTS = { title: ["title"], "{title heavy}": ["title", "heavy"] } as const;

/** Tokens of elements say no weight: it is what the model of the record declares for the path. */
export function makeTextBelow({ models }: Catalog, paths: PathDictionary): TextBelow {
  return (path, columns) => {
    if (columns === undefined) return [{ paths: [UNDECLARED, ...paths.below(path)] }];
    const weights: readonly string[] = WEIGHTS[columns];
    const alike = new Map<string, { paths: number[]; models: string[] }>();
    for (const { name, leaves } of models.values()) {
      const heavy = [...leaves.values()].filter((leaf) => weights.includes(leaf.weight));
      const below = heavy.filter((leaf) => leaf.path.startsWith(`${path}.`));
      const ids = below.map((leaf) => paths.idOf(leaf.path)).filter((id) => id !== undefined);
      if (ids.length === 0) continue;
      const same = alike.get(ids.join(" "));
      if (same === undefined) alike.set(ids.join(" "), { paths: ids, models: [name] });
      else same.models.push(name);
    }
    return [...alike.values()];
  };
}
