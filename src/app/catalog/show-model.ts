import { declaredPaths } from "../../core/catalog/list-fields.js";
import type { Model, ShortField } from "../../core/catalog/types.js";
import { CatalogError, type Location, Problems } from "../../core/declarations/declaration.js";
import { isObject } from "../../core/json.js";
import { compileCatalog, type ModelFiles } from "../composition/read-catalog.js";
import { withBuiltIn } from "./check-catalog.js";

/** A model with everything that it inherits, and the location of each declaration. */
export interface ShownModel {
  readonly name: string;
  /** Paths of the files that declare it; those of `extends` are ordered from the nearest to the furthest. */
  readonly files: {
    readonly model: string;
    readonly extends: readonly string[];
    readonly schema: string;
    readonly example?: string | undefined;
  };
  /** In the order of the compiled model. */
  readonly fields: readonly ShownField[];
}

interface ShownField {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly paths: readonly string[];
  /** For a quantity with conditions: the texts that an element of the path must have, by key. */
  readonly where?: Readonly<Record<string, string>>;
  /** Expressions from which it is computed in groups that do not state it. */
  readonly derived?: readonly string[] | undefined;
  /** Label of its facet. */
  readonly facet?: string | undefined;
  /** `file:line` for each file that declares something about the field, the model's own file first. */
  readonly declared: readonly string[];
}

/**
 * Describes a model of the built-in catalog with `operatorFolders` over it.
 *
 * @throws CatalogError if the catalog has mistakes, Error if it has no such model
 */
export function showModel(name: string, operatorFolders: readonly string[]): ShownModel {
  const problems = new Problems();
  const { models, sources } = compileCatalog(withBuiltIn(operatorFolders), problems);
  if (problems.list.length > 0) throw new CatalogError(problems.list);
  const [model, source] = [models.get(name), sources.get(name)];
  if (model === undefined || source === undefined) {
    throw new Error(`There is no model "${name}"; there are ${[...models.keys()].join(", ")}.`);
  }
  const { model: declaration, schema, example } = source;
  return {
    name,
    files: {
      model: declaration.file,
      extends: declaration.ancestors.map(({ file }) => file),
      schema: schema.file,
      example: example?.file,
    },
    fields: [...model.fields.keys()].map((field) => showField(field, model, source)),
  };
}

function showField(name: string, model: Model, source: ModelFiles): ShownField {
  const { fields, facets, quantities } = model;
  const field = fields.get(name) as ShortField;
  const { aliases = [] } = field;
  const facet = facets.find((each) => each.name === name);
  const quantity = quantities.find((each) => each.name === name);
  return {
    name,
    aliases,
    paths: declaredPaths(field, model),
    ...(quantity?.where === undefined ? {} : { where: Object.fromEntries(quantity.where) }),
    derived: quantity?.derivation?.sources.map(({ expression }) => expression.text),
    facet: facet?.label,
    declared: findLocations(name, source).map(({ file, line }) => `${file}:${line}`),
  };
}

/** Returns the first location in each file that declares something about a field. */
function findLocations(name: string, { model }: ModelFiles): readonly Location[] {
  const fields = isObject(model.value) && isObject(model.value.fields) ? model.value.fields : {};
  const keys = isObject(fields[name]) ? Object.keys(fields[name]) : [];
  const locations = [model.locate(["fields", name]), ...keys.map((key) => model.locate(["fields", name, key]))];
  return locations.filter(({ file }, i) => locations.findIndex((other) => other.file === file) === i);
}
