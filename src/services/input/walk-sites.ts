/** Walks the declared places of a body's metadata, whatever shape the data has there. */
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import type { BodyPath } from "./issues.js";

/** Declared places as a tree of property names. */
interface Branch<S> {
  readonly sites: S[];
  readonly children: Map<string, Branch<S>>;
}

export type SiteTree<S> = Branch<S>;

/** Of sites whose `path` begins at the body's root (`metadata.general_parameters.instrument`). */
export function siteTree<S extends { readonly path: string }>(sites: Iterable<S>): SiteTree<S> {
  const root: Branch<S> = { sites: [], children: new Map() };
  for (const site of sites) {
    let branch = root;
    for (const name of site.path.split(".")) {
      let child = branch.children.get(name);
      if (child === undefined) {
        child = { sites: [], children: new Map() };
        branch.children.set(name, child);
      }
      branch = child;
    }
    branch.sites.push(site);
  }
  return root;
}

/** What becomes of an object at a declared place. `sites` has more than one where alternatives share the place. */
type Rewrite<S> = (element: JsonObject, sites: readonly S[], place: BodyPath) => JsonObject;

/**
 * Rewrites the objects at the sites, outer before inner, each element of an array by itself. All else, and the order
 * of keys, stays; what nothing rewrote is returned as the same object.
 *
 * @param metadata of at most LIMITS.bodyDepthMax levels
 */
export function rewriteSites<S>(metadata: JsonObject, tree: SiteTree<S>, rewrite: Rewrite<S>): JsonObject {
  const place: (string | number)[] = ["metadata"];

  const visit = (value: Json, branch: Branch<S>): Json => {
    if (Array.isArray(value)) return visitArray(value, branch);
    if (!isObject(value)) return value;
    const element = branch.sites.length > 0 ? rewrite(value, branch.sites, place) : value;
    return visitObject(element, branch);
  };
  const visitArray = (array: readonly Json[], branch: Branch<S>): Json => {
    const made = array.map((item, index) => at(index, () => visit(item, branch)));
    return made.some((item, index) => item !== array[index]) ? made : array;
  };
  const visitObject = (object: JsonObject, branch: Branch<S>): JsonObject => {
    const made = new Map<string, Json>();
    for (const [name, child] of branch.children) {
      const value = own(object, name);
      if (value === undefined || value === null || typeof value !== "object") continue;
      const changed = at(name, () => visit(value, child));
      if (changed !== value) made.set(name, changed);
    }
    if (made.size === 0) return object;
    // fromEntries defines properties: a key `__proto__` stays a key.
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, made.get(key) ?? value]));
  };
  const at = <T>(step: string | number, work: () => T): T => {
    place.push(step);
    const result = work();
    place.pop();
    return result;
  };

  const branch = tree.children.get("metadata");
  return branch === undefined ? metadata : visitObject(metadata, branch);
}
