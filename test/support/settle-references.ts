/** References are aimed at parts that the record has; what cannot refer to, or cite, anything goes. */
import { applicableShapes, type Field } from "../../src/core/catalog/field-tree.js";
import type { Model } from "../../src/core/catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../../src/core/json.js";
import { rewriteSites, siteTree } from "../../src/services/input/walk-sites.js";

type Targets = ReadonlyMap<string, readonly JsonObject[]>;

/**
 * Turns each reference `{"pick": <number>}` of made-up metadata into `{"id", <copied fields>}` of a part that the
 * metadata has. What can refer to nothing is left out, as are terms without an id, and with it all that needs it.
 *
 * @returns undefined where that is the whole
 */
export function settleReferences(model: Model, tree: Field, metadata: JsonObject): JsonObject | undefined {
  const places = siteTree([...new Set(model.references.map(({ to }) => to))].map((path) => ({ path })));
  let targets = targetsIn(metadata, places);
  for (;;) {
    const settled = settle(tree, metadata, targets);
    if (!isObject(settled)) return undefined;
    // A target may itself have been left out: then others must do.
    const left = targetsIn(settled, places);
    if (countOf(left) === countOf(targets)) return settled;
    targets = left;
  }
}

type Places = ReturnType<typeof siteTree<{ readonly path: string }>>;

/** By path of the list; of several with one id the first. */
function targetsIn(metadata: JsonObject, places: Places): Targets {
  const targets = new Map<string, JsonObject[]>();
  rewriteSites(metadata, places, (element, [site]) => {
    const path = site!.path;
    const id = own(element, "id");
    const known = targets.get(path) ?? [];
    if (typeof id === "string" && known.every((each) => own(each, "id") !== id)) targets.set(path, [...known, element]);
    return element;
  });
  return targets;
}

const countOf = (targets: Targets): number => [...targets.values()].reduce((sum, list) => sum + list.length, 0);

function settle(field: Field, value: Json, targets: Targets): Json | undefined {
  const { reference, term, items, shape, bounds } = field;
  if (reference !== undefined && isObject(value)) return referenceTo(reference, Number(own(value, "pick")), targets);
  if (term !== undefined && isObject(value) && own(value, "id") === undefined) return undefined;
  if (Array.isArray(value) && items !== undefined) {
    const settled = value.map((item) => settle(items, item, targets)).filter((item) => item !== undefined);
    return settled.length < Math.max(bounds.minItems ?? 0, Math.min(1, value.length)) ? undefined : settled;
  }
  if (!isObject(value) || shape === undefined) return value;
  const fields = applicableShapes(shape, value);
  const kept: [string, Json][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const known = fields.map((each) => each.fields.get(name)).find((each) => each !== undefined);
    const settled = known === undefined ? inner : settle(known, inner, targets);
    if (settled !== undefined) kept.push([name, settled]);
    else if (known?.isRequired) return undefined;
  }
  return Object.fromEntries(kept);
}

function referenceTo(
  { to, fields }: NonNullable<Field["reference"]>,
  pick: number,
  targets: Targets,
): Json | undefined {
  const list = targets.get(to) ?? [];
  const target = list[pick % list.length];
  if (target === undefined) return undefined;
  const copied = ["id", ...fields].map((name) => [name, own(target, name)] as const);
  return Object.fromEntries(copied.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
