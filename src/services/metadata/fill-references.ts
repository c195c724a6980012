import type { ReferenceSite } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import { type Json, type JsonObject, own } from "../../core/json.js";
import { type BodyPath, Listed } from "../input/issues.js";
import type { ModelSites } from "../input/model-sites.js";
import { titleOfPath, type Wording } from "../input/name-field.js";
import { rewriteSites } from "../input/walk-sites.js";
import type { RepeatedId } from "../rules/repeated-ids.js";
import type { Dangling } from "./dangling-references.js";
import { warnOfDropped } from "./dropped-fields.js";

/**
 * Fills in the references inside a record: an object with a text `id` at a reference site becomes exactly
 * `{"id", <fields copied from the part with this id>}`. A reference to nothing stays as sent.
 */
export function fillReferences(
  sites: ModelSites,
  metadata: JsonObject,
  { fields, say }: Wording,
): {
  readonly metadata: JsonObject;
  readonly dangling: readonly Dangling[];
  readonly repeated: readonly RepeatedId[];
  readonly warnings: Listed<Warning>;
} {
  const { targets, repeated } = collectTargets(sites, metadata);
  const dangling: Dangling[] = [];
  const warnings = new Listed<Warning>();
  const filled = rewriteSites(metadata, sites.references, (sent, alternatives, place) => {
    const id = own(sent, "id");
    if (typeof id !== "string") return sent;
    for (const site of alternatives) {
      const target = targets.get(site.to)?.get(id)?.element;
      if (target === undefined) continue;
      const made = referenceTo(target, site);
      warnOfDropped(warnings, { sent, made, place }, ["id"], "REFERENCE_FIELD_REPLACED", (what) =>
        say.REFERENCE_FIELD_REPLACED({ ...what, id, list: titleOfPath(fields, site.to) }),
      );
      return made;
    }
    dangling.push({ place: [...place], id, to: alternatives[0]!.to });
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
  sites: ModelSites,
  metadata: JsonObject,
): { readonly targets: ReadonlyMap<string, ReadonlyMap<string, Target>>; readonly repeated: readonly RepeatedId[] } {
  const targets = new Map<string, Map<string, Target>>();
  const repeated: RepeatedId[] = [];
  rewriteSites(metadata, sites.targets, (element, lists, place) => {
    const id = own(element, "id");
    if (typeof id !== "string") return element;
    const { path } = lists[0]!;
    const known = targets.get(path) ?? new Map<string, Target>();
    targets.set(path, known);
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
