/** The fields of the query language for people and forms, with their meaning and a working example. */

import type { ListedField } from "../answers/models.js";
import { applicableShapes, type Field, fieldTree } from "./field-tree.js";
import type { Leaf, Model, ShortField } from "./types.js";

/** Lists the fields of models, each name once, in declared order after the fields of every record. */
export function listFields(models: readonly Model[]): readonly ListedField[] {
  const all = models.map(listedFields);
  const names = [...new Set(all.flatMap((fields) => [...fields.keys()]))];
  return names.map((name) => {
    const having = models.filter((_, i) => all[i]!.has(name));
    const [first] = all.flatMap((fields) => fields.get(name) ?? []);
    return { ...first!, ...(having.length === models.length ? {} : { models: having.map((model) => model.name) }) };
  });
}

/** Cache of the lists, because making one takes 15 ms and every page with the query builder needs it. */
const listsByModel = new WeakMap<Model, ReadonlyMap<string, ListedField>>();

function listedFields(model: Model): ReadonlyMap<string, ListedField> {
  const cached = listsByModel.get(model);
  if (cached !== undefined) return cached;
  const tree = fieldTree(model.schema);
  const fixed = [...model.leaves.keys()].filter((path) => !path.includes("."));
  const fields = [...fixed.map((path): ShortField => ({ name: path, path })), ...model.fields.values()];
  const list = new Map(fields.map((field) => [field.name, makeListedField(model, tree, field)]));
  listsByModel.set(model, list);
  return list;
}

function makeListedField(model: Model, tree: Field, field: ShortField): ListedField {
  const { name, path, aliases = [] } = field;
  const quantity = model.quantities.find((each) => each.name === name);
  const molecules = model.molecules?.name === name ? model.molecules : undefined;
  const at = quantity?.path ?? path;
  const declared = fieldAt(tree, at);
  const facet = model.facets.find((each) => each.name === name);
  const site = model.termSites.find((each) => at === each.path);
  const leaf = model.leaves.get(path) ?? quantity?.leaf ?? molecules?.leaf;
  const element = elementOf(model, quantity === undefined ? at : `${at}.`);
  const dimensions = field.dimensions ?? leaf?.quantity?.dimensions;
  const base = {
    id: name,
    label:
      field.label ??
      facet?.label ??
      (quantity === undefined ? declared?.title : undefined) ??
      name.replaceAll("_", " "),
    aliases,
    paths: declaredPaths(field, model),
    type: fieldType(field, leaf, site !== undefined),
    ...(dimensions === undefined || dimensions.length === 0 ? {} : { dimensions }),
    vocabulary: site?.vocabulary,
    facet: facet?.kind,
    element,
    ...(declared?.help === undefined ? {} : { description: declared.help }),
    ...(declared?.allowed === undefined ? {} : { values: declared.allowed }),
  };
  return { ...base, example: exampleOf(base, model) };
}

/** Returns the paths of a field in records, which lack the leaves of named quantities and of ids of molecules. */
export function declaredPaths(
  { name, path, morePaths = [] }: ShortField,
  { quantities, molecules }: Pick<Model, "quantities" | "molecules">,
): readonly string[] {
  const quantity = quantities.find((each) => each.name === name);
  if (quantity !== undefined) return [quantity.path];
  if (molecules?.name !== name) return [path, ...morePaths];
  const inRecords = morePaths.filter((each) => each !== molecules.otherLeaf.path);
  return [...molecules.ids.map((id) => `${molecules.path}.${id.path}`), ...inRecords];
}

function fieldType({ dimensions }: ShortField, leaf: Leaf | undefined, isTerm: boolean): ListedField["type"] {
  if (isTerm) return "term";
  if (dimensions !== undefined) return "quantity";
  if (leaf === undefined) return "object";
  if (leaf.type !== "keyword") return leaf.type;
  return leaf.isWhole ? "keyword" : "text";
}

/** Returns the innermost list around a path. */
function elementOf({ elementPaths }: Model, path: string): string | undefined {
  return elementPaths.findLast((each) => path.startsWith(`${each}.`) && path !== each);
}

/** Returns the field at a path, from the first alternative that has it. */
function fieldAt(tree: Field, path: string): Field | undefined {
  return fieldsAt(tree, path)[0];
}

/** Returns the fields at a path in all alternatives. @param path from the root of a body */
export function fieldsAt(tree: Field, path: string): readonly Field[] {
  const [, ...steps] = path.split(".");
  let fieldsHere: readonly Field[] = steps.length === 0 ? [] : [tree];
  for (const step of steps) {
    const shapes = fieldsHere
      .flatMap((field) => itemOf(field).shape ?? [])
      .flatMap((shape) => applicableShapes(shape, {}));
    fieldsHere = shapes.flatMap(({ fields }) => fields.get(step) ?? []);
  }
  return fieldsHere;
}

/** Returns the innermost items of a list of lists. */
function itemOf(field: Field): Field {
  return field.items === undefined ? field : itemOf(field.items);
}

function exampleOf(
  { id, type, dimensions = [], values, facet }: Omit<ListedField, "example">,
  { units }: Model,
): string {
  switch (type) {
    case "quantity": {
      const unit = units.dimensions.get(dimensions[0] ?? "")?.canonical ?? "";
      return `${id}:>0${unit}`;
    }
    case "number":
      return `${id}:[1 TO 10]`;
    case "date":
      return `${id}:>=2024-01-01`;
    case "keyword":
      return facet === "terms" ? `${id}:"uniprot:P00698"` : `${id}:abcde-12345`;
    default: {
      const [value] = values ?? [];
      return typeof value === "string" ? `${id}:"${value.replaceAll(/["\\]/g, "\\$&")}"` : `${id}:*`;
    }
  }
}
