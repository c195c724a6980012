import { addAll } from "../../core/arrays.js";
import type { Model, ReferenceSite } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import { type Json, type JsonObject, own } from "../../core/json.js";
import type { BodyPath } from "../input/issues.js";
import { titleOfPath, type Wording } from "../input/name-field.js";
import type { RepeatedId } from "../rules/repeated-ids.js";
import type { Dangling } from "./dangling-references.js";
import { droppedFields } from "./dropped-fields.js";
import { rewriteSites, siteTree } from "./walk-sites.js";

/**
 * Fills in the references inside a record: an object with a text `id` at a reference site becomes exactly
 * `{"id", <fields copied from the part with this id>}`. A reference to nothing stays as sent.
 */
export function fillReferences(
  model: Model,
  metadata: JsonObject,
  { fields, say }: Wording,
): {
  readonly metadata: JsonObject;
  readonly dangling: readonly Dangling[];
  readonly repeated: readonly RepeatedId[];
  readonly warnings: readonly Warning[];
} {
  const { targets, repeated } = collectTargets(model, metadata);
  const dangling: Dangling[] = [];
  const warnings: Warning[] = [];
  const filled = rewriteSites(metadata, siteTree(model.references), (sent, sites, place) => {
    const id = own(sent, "id");
    if (typeof id !== "string") return sent;
    for (const site of sites) {
      const target = targets.get(site.to)?.get(id)?.element;
      if (target === undefined) continue;
      const made = referenceTo(target, site);
      const dropped = droppedFields({ sent, made, place }, ["id"], "REFERENCE_FIELD_REPLACED", (what) =>
        say.REFERENCE_FIELD_REPLACED({ ...what, id, list: titleOfPath(fields, site.to) }),
      );
      addAll(warnings, dropped);
      return made;
    }
    dangling.push({ place: [...place], id, to: sites[0]!.to });
    return sent;
  });
  return { metadata: filled, dangling, repeated, warnings };
}

interface Target {
  readonly element: JsonObject;
  readonly place: BodyPath;
}

/** By path of the array, then by id; of several with one id the first, and the others by themselves. */
function collectTargets(
  model: Model,
  metadata: JsonObject,
): { readonly targets: ReadonlyMap<string, ReadonlyMap<string, Target>>; readonly repeated: readonly RepeatedId[] } {
  const paths = [...new Set(model.references.map((site) => site.to))];
  const targets = new Map(paths.map((path) => [path, new Map<string, Target>()]));
  const repeated: RepeatedId[] = [];
  rewriteSites(metadata, siteTree(paths.map((path) => ({ path }))), (element, sites, place) => {
    const id = own(element, "id");
    if (typeof id !== "string") return element;
    const known = targets.get(sites[0]!.path)!;
    const first = known.get(id);
    if (first === undefined) known.set(id, { element, place: [...place] });
    else if (id !== "") repeated.push({ id, place: [...place], first: first.place });
    return element;
  });
  return { targets, repeated };
}

function referenceTo(target: JsonObject, site: ReferenceSite): JsonObject {
  const copied: [string, Json][] = [];
  for (const name of site.fields) {
    const value = own(target, name);
    if (value !== undefined) copied.push([name, value]);
  }
  return Object.fromEntries([["id", own(target, "id")!], ...copied]);
}
