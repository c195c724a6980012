import { addAll } from "../collections.js";
import type { Declaration, Problems } from "../declarations/declaration.js";
import { DeclaredObject } from "../declarations/declared.js";
import type { ExtendedDeclaration } from "../declarations/extend-declaration.js";
import { isObject, type JsonObject, own } from "../json.js";
import { nearestNames } from "../nearest.js";
import type { Units } from "../units/units.js";
import { allowExpected, bundleSchema } from "./bundle-schema.js";
import { compileDerivation } from "./compile-derivation.js";
import { compileDescription, compileMolecules } from "./compile-description.js";
import { compileFacet } from "./compile-facet.js";
import { compilePage } from "./compile-page.js";
import {
  checkQuantityPath,
  compileDimensions,
  compileNamedQuantity,
  compileQuantities,
  isQuantityAt,
} from "./compile-quantity.js";
import { compileReferences, compileTermSites } from "./compile-sites.js";
import { FIXED_NAMES } from "./parameters.js";
import { buildPathTree, quantityLeavesOf } from "./places.js";
import type {
  Facet,
  Leaf,
  Model,
  MoleculeList,
  NamedQuantity,
  ShortField,
  TermSite,
  Vocabulary,
  WeightClass,
} from "./types.js";
import { hasPath, type Shape, walkSchema } from "./walk-schema.js";

/** Keys that a model may share with others: the keys of a base, `shared/<name>.model.yaml`. */
const BASE_KEYS = ["extends", "roots", "expected", "import_key", "fields", "describe", "page"];
const KEYS = ["name", "title", "short_title", "description", "version", ...BASE_KEYS];
/** Pattern of the names of models. */
export const MODEL_NAME = /^[a-z][a-z0-9]*$/;
const FIELD_NAME = /^[a-z][a-z0-9_]*$/;

/** Leaves of every record outside of its metadata. */
const FIXED_LEAVES: readonly Leaf[] = [
  { path: "id", type: "keyword", weight: "rest", elementPath: "", isWhole: true },
  { path: "model", type: "keyword", weight: "rest", elementPath: "" },
  { path: "state", type: "keyword", weight: "rest", elementPath: "" },
  { path: "created", type: "date", weight: "rest", elementPath: "" },
  { path: "updated", type: "date", weight: "rest", elementPath: "" },
  { path: "parent.id", type: "keyword", weight: "rest", elementPath: "", isWhole: true },
];

/** The facet of every model that counts drafts and published records in user scopes. */
const STATE_FACET: Facet = { name: "state", label: "State", path: "state", kind: "terms" };

/** The declarations from which a model is compiled. */
export interface ModelSource {
  /** Name of the folder, which is the name of the model. */
  readonly folder: string;
  /** The result of `extendDeclaration`. */
  readonly model: Declaration & Partial<Pick<ExtendedDeclaration, "ancestors">>;
  readonly schema: Declaration;
  readonly example?: Declaration | undefined;
  /** Declarations of `shared/<name>.schema.json` by name. */
  readonly shared: ReadonlyMap<string, Declaration>;
  readonly units: Units;
}

/** Compiles a model. Mistakes are added to `problems`; the result may be used only if there are none. */
export function compileModel(
  source: ModelSource,
  vocabularies: ReadonlyMap<string, Vocabulary>,
  problems: Problems,
): Model | undefined {
  const root = DeclaredObject.at(source.model, [], source.model.value, problems);
  if (root === undefined) return undefined;
  root.allow(KEYS);
  if (root.text("name") !== source.folder) root.note("name", `the name must be that of the folder, "${source.folder}"`);
  if (!MODEL_NAME.test(source.folder)) root.note("name", `a model's name must match ${MODEL_NAME.source}`);

  const bundle = bundleSchema(source.schema, source.shared, problems);
  const shape = walkSchema(bundle, problems);
  const termSites = compileTermSites(shape, bundle, vocabularies, problems);
  const references = compileReferences(shape, bundle, problems);
  compileQuantities(shape, source.units);
  for (const leaf of FIXED_LEAVES) shape.leaves.set(leaf.path, leaf);
  const example = source.example && compileExample(source.example, problems);
  const expected = compileExpected(root, shape);
  const importKey = compileImportKey(root, shape);
  const drawable = termSites.filter((site) => vocabularies.get(site.vocabulary)?.structure !== undefined);
  const { fields, quantities, molecules, facets, weights, declaredNames } = compileFields(
    root,
    shape,
    termSites,
    vocabularies,
    source,
  );
  const roots = compileRoots(root, shape);
  const describe = compileDescription(root, { fields, facets, molecules }, shape);
  const leaves = weigh(shape.leaves, weights);
  const indexed = { leaves, elementPaths: shape.elementPaths, termSites, quantities, molecules };
  return {
    name: source.folder,
    title: root.text("title"),
    shortTitle: root.optionalText("short_title") ?? source.folder.toUpperCase(),
    description: root.text("description"),
    version: root.wholeNumber("version"),
    schema: allowAll(bundle.schema, expected, source.model, problems),
    example,
    roots,
    ...indexed,
    places: buildPathTree(indexed),
    references,
    expected,
    importKey,
    fields,
    units: source.units,
    facets: [...facets, STATE_FACET],
    describe,
    page: compilePage(
      root,
      {
        fields,
        declaredNames,
        facets,
        drawable,
        references,
        roots,
        quantities,
        results: describe.results,
        units: source.units,
      },
      shape,
    ),
  };
}

/** Checks the keys of a base. The content of its fields is checked in every model that inherits them. */
export function checkBase(base: Declaration, problems: Problems): void {
  const root = DeclaredObject.at(base, [], base.value, problems);
  root?.allow(BASE_KEYS);
  for (const { object } of root?.objects("fields") ?? []) object.allow(FIELD_KEYS);
}

function compileRoots(root: DeclaredObject, shape: Shape): readonly string[] {
  const roots = root.texts("roots") ?? ["metadata"];
  for (const path of roots) {
    if (!shape.objects.has(path)) root.note("roots", `the schema has no object at "${path}"`);
  }
  return roots.map((path) => `${path}.`);
}

/** Reads the expected values of texts. Paths inside lists are refused, because the element would be ambiguous. */
function compileExpected(root: DeclaredObject, shape: Shape): ReadonlyMap<string, string> {
  const expected = root.textMap("expected");
  for (const path of expected.keys()) {
    if (!isTextAt(shape, path)) root.object("expected")?.note(path, noTextAt(path));
  }
  return expected;
}

function allowAll(
  schema: JsonObject,
  expected: ReadonlyMap<string, string>,
  declaration: Declaration,
  problems: Problems,
): JsonObject {
  return [...expected].reduce((current, [path, value]) => {
    const allowed = allowExpected(current, path, value);
    if (allowed === undefined) return current;
    const { file, line } = declaration.locate(["expected", path]);
    problems.notes.push(`${file}:${line}: "${value}" is not in the enum of ${path}; this model allows it in addition`);
    return allowed;
  }, schema);
}

function compileImportKey(root: DeclaredObject, shape: Shape): string | undefined {
  const path = root.optionalText("import_key");
  if (path !== undefined && !isTextAt(shape, path)) root.note("import_key", noTextAt(path));
  return path;
}

function isTextAt(shape: Shape, path: string): boolean {
  const leaf = shape.leaves.get(path);
  return path.startsWith("metadata.") && leaf?.type === "keyword" && leaf.elementPath === "";
}

const noTextAt = (path: string): string => `the schema has no text outside of lists at "${path}"`;

interface Weight {
  readonly path: string;
  readonly weight: WeightClass;
}

interface CompiledFields {
  readonly fields: ReadonlyMap<string, ShortField>;
  readonly quantities: readonly NamedQuantity[];
  readonly molecules: MoleculeList | undefined;
  readonly facets: readonly Facet[];
  readonly weights: readonly Weight[];
  /** Names of the fields of the model and of all its bases, also of those that the model removes. */
  readonly declaredNames: readonly string[];
}

const QUANTITY_KEYS = ["where", "value", "quantity", "derived", "symbol"];
const FIELD_KEYS = ["path", "more_paths", "label", "weight", "facet", "aliases", "ids", ...QUANTITY_KEYS];

function compileFields(
  root: DeclaredObject,
  shape: Shape,
  termSites: readonly TermSite[],
  vocabularies: ReadonlyMap<string, Vocabulary>,
  { units, model: { ancestors = [] } }: Pick<ModelSource, "units" | "model">,
): CompiledFields {
  const fields = new Map<string, ShortField>();
  const quantities: NamedQuantity[] = [];
  const facets: Facet[] = [];
  const weights: Weight[] = [];
  let molecules: MoleculeList | undefined;
  for (const { name, object } of root.objects("fields")) {
    const block = root.object("fields");
    object.allow(FIELD_KEYS);
    if (!FIELD_NAME.test(name)) block?.note(name, `a field's name must match ${FIELD_NAME.source}`);
    if (FIXED_NAMES.includes(name)) block?.note(name, `"${name}" is a name that every record has`);
    const [label, aliases] = [object.optionalText("label"), object.texts("aliases")];
    const base = { name, label, aliases, symbol: object.optionalText("symbol") };
    const paths = compilePaths(object, shape, termSites);
    const [path, ...morePaths] = paths;
    if (path === undefined) continue;
    if (object.has("where") || object.has("derived")) {
      const quantity = compileNamedQuantity(object, name, path, shape, units);
      if (quantity === undefined) continue;
      quantities.push(quantity);
      const { dimensions } = quantity.leaf.quantity;
      const [leaf, ...more] = quantityLeavesOf({ quantities: [quantity] });
      const morePaths = more.length === 0 ? undefined : more.map((each) => each.path);
      fields.set(name, { ...base, path: leaf!.path, morePaths, dimensions });
      const facet = compileFacet(object, name, [leaf, ...more], { units, dimensions });
      if (facet !== undefined) facets.push(facet);
      continue;
    }
    if (object.has("ids")) {
      if (molecules !== undefined) object.note("ids", `the ids of molecules are in the field "${molecules.name}"`);
      molecules = compileMolecules(object, { name, path }, shape, termSites);
      const { leaf, otherLeaf, namesPath } = molecules;
      fields.set(name, { ...base, path: leaf.path, morePaths: [otherLeaf.path, ...morePaths] });
      const facet = compileFacet(object, name, [leaf]);
      if (facet?.kind === "terms") facets.push({ ...facet, namesPath });
      continue;
    }
    const dimensions = compileDimensions(object, units);
    if (dimensions !== undefined) for (const each of paths) checkQuantityPath(object, each, shape);
    fields.set(name, {
      ...base,
      path,
      ...(morePaths.length === 0 ? {} : { morePaths }),
      dimensions,
    });
    const weight = compileWeight(object);
    if (weight !== undefined)
      addAll(
        weights,
        paths.map((each) => ({ path: each, weight })),
      );
    const site = termSites.find((each) => each.path === path || `${each.path}.id` === path);
    const vocabulary = vocabularies.get(site?.vocabulary ?? "");
    const leaves = paths.map((each) => countedLeaf(shape, each, site));
    const facet = compileFacet(object, name, leaves, { units, dimensions, vocabulary });
    if (facet !== undefined) facets.push(facet);
  }
  checkAliases(root, fields);
  const declared = new Map(root.objects("fields").map(({ name, object }) => [name, object]));
  const declaredNames = [...declared.keys(), ...ancestors.flatMap(({ value }) => fieldNames(value))];
  const context = { fields, quantities, declared: declaredNames, units };
  const derived = quantities.map((each) => compileDerivation(declared.get(each.name)!, each, context));
  return { fields, quantities: derived, molecules, facets, weights, declaredNames };
}

/** Returns the names of the fields that a declaration has. */
function fieldNames(declaration: unknown): readonly string[] {
  const fields = isObject(declaration) ? own(declaration, "fields") : undefined;
  return isObject(fields) ? Object.keys(fields) : [];
}

/** Returns the leaf at a path that a facet can count: the id of a cited term, or the number of a quantity. */
function countedLeaf({ leaves }: Shape, path: string, site: TermSite | undefined): Leaf | undefined {
  if (site?.path === path) return leaves.get(`${path}.id`);
  const [amount, ...others] = [...leaves.values()].filter((leaf) => leaf.quantity && isQuantityAt(leaf, path));
  return leaves.get(path) ?? (others.length === 0 ? amount : undefined);
}

/** Checks that aliases are valid and unique names. */
function checkAliases(root: DeclaredObject, fields: ReadonlyMap<string, ShortField>): void {
  const usedNames = new Set([...fields.keys(), ...FIXED_NAMES]);
  for (const { name, object } of root.objects("fields")) {
    for (const alias of fields.get(name)?.aliases ?? []) {
      if (!FIELD_NAME.test(alias)) object.note("aliases", `a field's name must match ${FIELD_NAME.source}`);
      else if (usedNames.has(alias)) object.note("aliases", `"${alias}" is the name of another field`);
      usedNames.add(alias);
    }
  }
}

/** Returns the paths of a field: `path` (one or a list) and `more_paths`. Paths that the schema lacks are left out. */
function compilePaths(object: DeclaredObject, shape: Shape, termSites: readonly TermSite[]): readonly string[] {
  const declared = Array.isArray(object.raw("path")) ? (object.texts("path") ?? []) : [object.text("path")];
  const exists = (path: string, key: string): boolean => {
    const isSite = termSites.some((site) => site.path === path);
    if (isSite || hasPath(shape, path)) return true;
    object.note(key, `the schema has no "${path}"`);
    return false;
  };
  const added = (object.texts("more_paths") ?? []).filter((path) => exists(path, "more_paths"));
  return [...declared.filter((path) => exists(path, "path")), ...added];
}

function compileWeight(field: DeclaredObject): WeightClass | undefined {
  const weight = field.optionalText("weight");
  if (weight === undefined || weight === "title" || weight === "heavy") return weight;
  field.note("weight", `unknown weight "${weight}"; known are title, heavy`);
  return undefined;
}

/** Applies weights to the leaves at and below their paths. `title` has precedence over `heavy`. */
function weigh(leaves: ReadonlyMap<string, Leaf>, weights: readonly Weight[]): ReadonlyMap<string, Leaf> {
  const isAt = (path: string, top: string): boolean => path === top || path.startsWith(`${top}.`);
  const weighed = [...leaves.values()].map((leaf): Leaf => {
    const applicable = weights.filter(({ path }) => isAt(leaf.path, path)).map(({ weight }) => weight);
    return { ...leaf, weight: applicable.includes("title") ? "title" : (applicable[0] ?? "rest") };
  });
  return new Map(weighed.map((leaf) => [leaf.path, leaf]));
}

const KEY = "metadata";

/**
 * Checks the form of the example of a model: `{"metadata": {...}}`, a body that can be deposited. It is not validated,
 * because this needs the cited terms.
 */
function compileExample(declaration: Declaration, problems: Problems): JsonObject | undefined {
  const { value } = declaration;
  if (!isObject(value)) {
    problems.add(declaration, [], `an example is a JSON object with the key "${KEY}"`);
    return undefined;
  }
  for (const key of Object.keys(value).filter((name) => name !== KEY)) {
    const cure = nearestNames(key, [KEY], 1).length > 0 ? `; did you mean "${KEY}"?` : "";
    problems.add(declaration, [key], `an example has "${KEY}" only, not "${key}"${cure}`);
  }
  if (!Object.hasOwn(value, KEY)) problems.add(declaration, [], `an example needs "${KEY}"`);
  else if (!isObject(value[KEY])) problems.add(declaration, [KEY], `"${KEY}" must be an object`);
  else return value as JsonObject;
  return undefined;
}
