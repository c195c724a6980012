import type { Model } from "../../src/core/catalog/types.js";
import { isObject, type Json, type JsonObject } from "../../src/core/json.js";
import type { FieldNames } from "./query-arbitraries.js";

/**
 * Names that queries about some records may use: whole paths, paths without their root, names relative to the group
 * that they stand in, short names, objects. Only of what the records hold, so that queries find something.
 * @param ids of terms
 */
export function modelNames(
  models: readonly Model[],
  contents: readonly { readonly model: string; readonly metadata: JsonObject }[],
  ids: readonly string[],
): FieldNames {
  const held = new Set<string>();
  for (const { metadata } of contents) notePaths(metadata, "metadata", held);
  const groups = [...new Set(models.flatMap((model) => model.elementPaths))].filter((path) => held.has(path));
  const types = new Map(models.flatMap((model) => [...model.leaves.values()].map((leaf) => [leaf.path, leaf.type])));
  const sites = new Set(models.flatMap((model) => model.termSites.map(({ path }) => path)));
  const roots = [...new Set(models.flatMap((model) => model.roots))].sort((a, b) => b.length - a.length);
  const shortNames = models.flatMap((model) => [...model.fields.keys()]);

  /** @param group the array of objects that names are relative to; "" at the top */
  const namesIn = (group: string, depth: number): FieldNames => {
    const below = [...held].filter((path) => group === "" || path.startsWith(`${group}.`));
    const nameOf = (path: string, i: number): string => {
      // Each third path is written out.
      if (i % 3 === 0) return path;
      if (group !== "") return path.slice(group.length + 1);
      return path.slice(roots.find((root) => path.startsWith(root))?.length ?? 0);
    };
    const inner = depth === 0 ? [] : groups.filter((path) => path !== group && below.includes(path));
    const outermost = inner.filter((path) => !inner.some((other) => path.startsWith(`${other}.`)));
    return {
      text: [...below.map(nameOf), ...(group === "" ? [...shortNames, "id", "model", "state", "parent.id"] : [])],
      ordered: below.filter((path) => types.has(path) && types.get(path) !== "keyword").map(nameOf),
      sites: below.filter((path) => sites.has(path)).map(nameOf),
      ids,
      groups: Object.fromEntries(outermost.map((path, i) => [nameOf(path, i), namesIn(path, depth - 1)])),
    };
  };
  return namesIn("", 4);
}

function notePaths(value: Json, path: string, to: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) notePaths(each, path, to);
  else if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) {
      if (key.includes(".") || key.includes("@")) continue;
      to.add(`${path}.${key}`);
      notePaths(each, `${path}.${key}`, to);
    }
  }
}
