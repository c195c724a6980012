import type { Model, ReferenceSite } from "../core/catalog/types.js";
import type { Issue, Warning } from "../core/issue.js";
import { type Json, type JsonObject, own } from "../core/json.js";
import { LIMITS } from "../core/limits.js";
import { nearestNames } from "../core/nearest.js";
import { droppedFields } from "./dropped-fields.js";
import { makeIssue } from "./issues.js";
import { rewriteSites, siteTree } from "./walk-sites.js";

/**
 * Fills in the references inside a record: an object with a text `id` at a reference site becomes exactly
 * `{"id", <fields copied from the part with this id>}`. A reference to nothing stays as sent and is an issue.
 */
export function fillReferences(
  model: Model,
  metadata: JsonObject,
): { readonly metadata: JsonObject; readonly issues: readonly Issue[]; readonly warnings: readonly Warning[] } {
  const targets = collectTargets(model, metadata);
  const issues: Issue[] = [];
  const warnings: Warning[] = [];
  const filled = rewriteSites(metadata, siteTree(model.references), (element, sites, place) => {
    const id = own(element, "id");
    if (typeof id !== "string") return element;
    for (const site of sites) {
      const target = targets.get(site.to)?.get(id);
      if (target === undefined) continue;
      const made = referenceTo(target, site);
      const whose = `"${id}" of ${site.to} has`;
      warnings.push(...droppedFields(element, made, ["id"], "REFERENCE_FIELD_REPLACED", whose, place));
      return made;
    }
    const known = sites.flatMap((site) => [...(targets.get(site.to)?.keys() ?? [])]);
    const nearest = nearestNames(id, known, LIMITS.nearestMax);
    const where = sites.map((site) => site.to).join(" or ");
    const extra = { value: id, ...(nearest.length > 0 ? { nearest } : {}) };
    issues.push(makeIssue([...place, "id"], "REFERENCE_DANGLING", [`Nothing in ${where} has the id "${id}".`], extra));
    return element;
  });
  return { metadata: filled, issues, warnings };
}

/** By path of the array, then by id; of several with one id the first. */
function collectTargets(model: Model, metadata: JsonObject): ReadonlyMap<string, ReadonlyMap<string, JsonObject>> {
  const paths = [...new Set(model.references.map((site) => site.to))];
  const targets = new Map(paths.map((path) => [path, new Map<string, JsonObject>()]));
  rewriteSites(metadata, siteTree(paths.map((path) => ({ path }))), (element, sites) => {
    const id = own(element, "id");
    const known = targets.get(sites[0]!.path)!;
    if (typeof id === "string" && !known.has(id)) known.set(id, element);
    return element;
  });
  return targets;
}

function referenceTo(target: JsonObject, site: ReferenceSite): JsonObject {
  const copied: [string, Json][] = [];
  for (const name of site.fields) {
    const value = own(target, name);
    if (value !== undefined) copied.push([name, value]);
  }
  return Object.fromEntries([["id", own(target, "id")!], ...copied]);
}
