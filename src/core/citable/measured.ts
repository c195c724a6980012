import type { Model } from "../catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../json.js";
import { valuesAt } from "./values-at.js";

/**
 * Returns the part of a record from which conditions are read. Samples of steps in which nothing is measured
 * (regeneration, washing) are removed. Lists that measurements refer to (buffers) keep only the elements that a
 * measurement names. If the model declares no `measured`, this is the whole record.
 *
 * @param metadata value at the path `metadata` of the record
 */
export function measuredPart(metadata: JsonObject, model: Model): JsonObject {
  const { measured } = model.describe;
  if (measured === undefined) return metadata;
  const rest = withoutSteps(metadata, model);
  const isWithin = (path: string): boolean => measured.within.some((place) => path.startsWith(`${place}.`));
  const conditions = (model.describe.roles.get("conditions") ?? []).flatMap(({ paths }) => paths);
  const lists = new Set(model.references.filter(({ path }) => isWithin(path)).map(({ to }) => to));
  return [...lists]
    .filter((list) => conditions.some((path) => path.startsWith(`${list}.`)))
    .reduce((part, list) => {
      const sites = model.references.filter(({ path, to }) => to === list && isWithin(path));
      const named = new Set(sites.flatMap(({ path }) => valuesAt({ metadata: part }, `${path}.id`)));
      return named.size === 0 ? part : withoutElements(part, list, (element) => named.has(own(element, "id") ?? null));
    }, rest);
}

/** Removes elements that refer to a step of a kind in which nothing is measured. */
function withoutSteps(metadata: JsonObject, { describe: { measured }, references, elementPaths }: Model): JsonObject {
  const { steps, except } = measured!;
  if (steps === undefined) return metadata;
  const [list, kind] = [steps.slice(0, steps.lastIndexOf(".")), steps.slice(steps.lastIndexOf(".") + 1)];
  const rest = valuesAt({ metadata }, list).flatMap((step) =>
    isObject(step) && except.includes(String(own(step, kind))) ? [own(step, "id") ?? null] : [],
  );
  if (rest.length === 0) return metadata;
  return references
    .filter(({ to }) => to === list)
    .reduce((part, { path }) => {
      const around = elementPaths.filter((each) => path.startsWith(`${each}.`)).at(-1);
      if (around === undefined) return part;
      const within = `${path.slice(around.length + 1)}.id`;
      return withoutElements(part, around, (element) => !valuesAt(element, within).some((id) => rest.includes(id)));
    }, metadata);
}

/** Returns the record with only those elements of the list at `path` for which `isKept` holds. */
function withoutElements(metadata: JsonObject, path: string, isKept: (element: JsonObject) => boolean): JsonObject {
  const [, ...steps] = path.split(".");
  return filterAt(metadata, steps, isKept) as JsonObject;
}

function filterAt(value: Json, steps: readonly string[], isKept: (element: JsonObject) => boolean): Json {
  const [step, ...rest] = steps;
  if (Array.isArray(value)) {
    return step === undefined
      ? value.filter((each) => !isObject(each) || isKept(each))
      : value.map((each) => filterAt(each, steps, isKept));
  }
  if (step === undefined || !isObject(value)) return value;
  const inner = own(value, step);
  return inner === undefined ? value : { ...value, [step]: filterAt(inner, rest, isKept) };
}
