/** A walk over the declared places (sites) of metadata, for data of any shape. */

import type { Model, ReferenceSite, TermSite } from "../../core/catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import type { BodyPath } from "./issues.js";

/** A node of a tree of declared places by property name. */
interface Branch<S> {
  readonly sites: S[];
  readonly children: Map<string, Branch<S>>;
}

/** Sites by the steps of their paths, for walks through a record. */
export type SiteTree<S> = Branch<S>;

/** Builds the tree of sites whose `path` begins at the body's root (`metadata.general_parameters.instrument`). */
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

/** A function that rewrites an object at a declared place. Several `sites` are alternatives at the same place. */
type Rewrite<S> = (element: JsonObject, sites: readonly S[], place: BodyPath) => JsonObject;

/**
 * Rewrites the objects at the sites, outer objects before inner ones, and each element of an array by itself. All other
 * data and the order of keys stay. Values that are not rewritten are returned as the same objects.
 *
 * @param metadata nests at most LIMITS.bodyDepthMax levels
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
    const visited = array.map((item, index) => at(index, () => visit(item, branch)));
    return visited.some((item, index) => item !== array[index]) ? visited : array;
  };
  const visitObject = (object: JsonObject, branch: Branch<S>): JsonObject => {
    const changes = new Map<string, Json>();
    for (const [name, child] of branch.children) {
      const value = own(object, name);
      if (value === undefined || value === null || typeof value !== "object") continue;
      const changed = at(name, () => visit(value, child));
      if (changed !== value) changes.set(name, changed);
    }
    if (changes.size === 0) return object;
    // fromEntries defines properties, so a key `__proto__` stays a key.
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, changes.get(key) ?? value]));
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

/** The places where records of a model cite terms and refer to their own parts. */
export interface ModelSites {
  readonly terms: SiteTree<TermSite>;
  readonly references: SiteTree<ReferenceSite>;
  /** The lists whose elements can be referenced. */
  readonly targets: SiteTree<{ readonly path: string }>;
}

/** Collects the sites of a model. */
export function modelSites({ termSites, references }: Model): ModelSites {
  const lists = [...new Set(references.map(({ to }) => to))];
  return {
    terms: siteTree(termSites),
    references: siteTree(references),
    targets: siteTree(lists.map((path) => ({ path }))),
  };
}
