import { type Field, fieldsTo, shapesFor } from "../../core/catalog/field-tree.js";
import type { Model } from "../../core/catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";

/** A part of a record's page. */
export interface SectionView {
  readonly name: string;
  readonly title: string;
  readonly items: readonly Item[];
}

/** A value of a record, and what the model says of it. */
export interface Item {
  /** Path without indices, from the root of the body: `metadata.general_parameters.results`. */
  readonly path: string;
  /** JSON pointer in the body: the anchor of the value. */
  readonly pointer: string;
  readonly field: Field;
  readonly value: Json;
}

/** The sections that a model declares, or one for each part of its schema. */
function declaredSections(
  model: Model,
  root: Field,
): readonly { name: string; title: string; paths: readonly string[] }[] {
  if (model.page.sections.length > 0) return model.page.sections.map((section) => ({ ...section }));
  const fields = [...(root.shape?.fields ?? [])];
  return fields
    .filter(([, { shape, items }]) => shape !== undefined || items !== undefined)
    .map(([name, { title }]) => ({ name, title, paths: [`metadata.${name}`] }));
}

/**
 * All that a record holds, by sections: those of the model, each with what its paths lead to, and a last one with
 * everything else. What is empty is left out.
 *
 * @param fields of the model
 */
export function sectionsOf(
  metadata: JsonObject,
  model: Model,
  fields: Field,
  rest: { readonly name: string; readonly title: string },
): readonly SectionView[] {
  const declared = declaredSections(model, fields);
  const taken = new Set(declared.flatMap(({ paths }) => paths));
  const root: Item = { path: "metadata", pointer: "/metadata", field: fields, value: metadata };
  const sections = declared.map(({ name, title, paths }): SectionView => {
    const items = paths.flatMap((path) => {
      const found = itemAt(root, path);
      const value = found && withoutPaths(found.value, path, taken);
      if (found === undefined || value === undefined) return [];
      const item = { ...found, value };
      return isContainer(path) && paths.length > 1 ? membersOf(item) : [item];
    });
    return { name, title, items };
  });
  const left = withoutPaths(metadata, "metadata", taken);
  const others = left === undefined ? [] : [{ ...rest, items: [{ ...root, value: left }] }];
  return [...sections.filter(({ items }) => items.length > 0), ...others];
}

/** A part of the metadata as a whole, which only groups what belongs to the section itself. */
const isContainer = (path: string): boolean => path.split(".").length === 2;

/** What stands at a path outside of lists. */
function itemAt(root: Item, path: string): Item | undefined {
  const steps = path.split(".").slice(1);
  let value: Json | undefined = root.value;
  for (const step of steps) value = isObject(value) ? own(value, step) : undefined;
  if (value === undefined || value === null) return undefined;
  const fields = fieldsTo(root.field, root.value, steps);
  const field = fields.length > steps.length ? fields.at(-1)! : unknownField(steps.at(-1)!);
  return { path, pointer: `/${path.split(".").map(escapePointer).join("/")}`, field, value };
}

/** A value without what stands at the paths below it; undefined where nothing is left. */
function withoutPaths(value: Json, path: string, taken: ReadonlySet<string>): Json | undefined {
  if (Array.isArray(value)) {
    const left = value.flatMap((each) => withoutPaths(each, path, taken) ?? []);
    return left.length === 0 ? undefined : left;
  }
  if (!isObject(value)) return value === null || value === "" ? undefined : value;
  const members = Object.entries(value).flatMap(([name, inner]): readonly (readonly [string, Json])[] => {
    const at = `${path}.${name}`;
    const left = taken.has(at) ? undefined : withoutPaths(inner, at, taken);
    return left === undefined ? [] : [[name, left]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** The members of an object: those that the model knows in its order, then the others. */
export function membersOf({ path, pointer, field, value }: Item): readonly Item[] {
  if (!isObject(value)) return [];
  const known = new Map(field.shape === undefined ? [] : shapesFor(field.shape, value).flatMap((s) => [...s.fields]));
  const names = [...known.keys()].filter((name) => Object.hasOwn(value, name));
  const others = Object.keys(value).filter((name) => !known.has(name));
  return [...names, ...others].flatMap((name) => {
    const inner = own(value, name);
    if (inner === undefined || inner === null) return [];
    const at = { path: `${path}.${name}`, pointer: `${pointer}/${escapePointer(name)}` };
    return [{ ...at, field: known.get(name) ?? unknownField(name), value: inner }];
  });
}

/** The elements of a list. */
export function elementsOf({ path, pointer, field, value }: Item): readonly Item[] {
  if (!Array.isArray(value)) return [];
  return value.map((each, i) => ({ path, pointer: `${pointer}/${i}`, field: field.items ?? field, value: each }));
}

const escapePointer = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** A field that the model does not know. */
function unknownField(name: string): Field {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return { title: words.charAt(0).toUpperCase() + words.slice(1), isRequired: false, types: [], bounds: {} };
}

/** Where the objects of a record stand that others of it refer to: pointers by path of the list and id. */
export function anchorsOf(metadata: JsonObject, model: Model): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  for (const to of new Set(model.references.map((site) => site.to))) {
    collect({ metadata }, "", to.split("."), (pointer, id) => anchors.set(`${to} ${id}`, pointer));
  }
  return anchors;
}

function collect(value: Json, pointer: string, steps: readonly string[], add: (at: string, id: string) => void): void {
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) collect(each, `${pointer}/${i}`, steps, add);
    return;
  }
  if (!isObject(value)) return;
  const [step, ...rest] = steps;
  if (step === undefined) {
    const id = own(value, "id");
    if (typeof id === "string") add(pointer, id);
    return;
  }
  const inner = own(value, step);
  if (inner !== undefined) collect(inner, `${pointer}/${escapePointer(step)}`, rest, add);
}
