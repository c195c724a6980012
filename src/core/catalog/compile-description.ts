import type { DeclaredObject } from "../declarations/declared.js";
import { nearestNames } from "../nearest.js";
import {
  type DescribedField,
  type Description,
  type Measured,
  type Page,
  type ResultList,
  ROLE_FIELDS,
  ROLES,
  type Role,
  type Section,
} from "./description.js";
import { inWords } from "./field-tree.js";
import { FIXED_NAMES } from "./parameters.js";
import type { Facet, ShortField, TermSite } from "./types.js";
import { hasPath, type Shape } from "./walk-schema.js";

const RESULT_KEYS = ["path", "kind", "value", "unit", "error", "of"];
const PHRASE = /^([^{}]*)\{([^{}]+)\}([^{}]*)$/;

/** Compiles the `describe` block of a model, including its defaults. */
export function compileDescription(
  root: DeclaredObject,
  { fields, facets }: { readonly fields: ReadonlyMap<string, ShortField>; readonly facets: readonly Facet[] },
  shape: Shape,
): Description {
  const block = root.object("describe");
  block?.allow([...ROLES, "results", "measured", "summary"]);
  const find = (key: string, name: string): DescribedField | undefined => {
    const field = fields.get(name);
    const label = facets.find((facet) => facet.name === name)?.label ?? labelOf(name);
    if (field !== undefined) return { name, label, paths: [field.path, ...(field.morePaths ?? [])] };
    if (hasPath(shape, name)) return { name: name.slice(name.lastIndexOf(".") + 1), label, paths: [name] };
    const [near] = nearestNames(name, [...fields.keys()], 1);
    block?.note(key, `there is no field or path "${name}"${near === undefined ? "" : `; did you mean "${near}"?`}`);
    return undefined;
  };
  const roles = new Map<Role, readonly DescribedField[]>();
  for (const role of ROLES) {
    const standard = ROLE_FIELDS[role];
    const byDefault = standard !== undefined && fields.has(standard) ? [standard] : [];
    const names = block?.has(role) ? block.textOrTexts(role) : byDefault;
    const describedFields = (names ?? []).flatMap((name) => find(role, name) ?? []);
    if (describedFields.length > 0) roles.set(role, describedFields);
  }
  const results = compileResults(block?.object("results"), shape);
  const summary = (block?.texts("summary") ?? []).flatMap((phrase) => {
    const [, before, name, after] = PHRASE.exec(phrase) ?? [];
    if (name === undefined) block?.note("summary", `"${phrase}" must name one field in braces: "of {entity}"`);
    const field = name === undefined ? undefined : find("summary", name);
    return field === undefined ? [] : [{ before: before!, field, after: after! }];
  });
  const measured = compileMeasured(block?.object("measured"), shape);
  return {
    roles,
    summary,
    results,
    measured,
  };
}

/** Returns the label for a name or for the last part of a path. */
const labelOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1).replaceAll("_", " ");

function compileMeasured(object: DeclaredObject | undefined, shape: Shape): Measured | undefined {
  if (object === undefined) return undefined;
  object.allow(["within", "steps", "except"]);
  const within = object.texts("within") ?? [];
  const steps = object.optionalText("steps");
  for (const path of within) {
    if (!hasPath(shape, path)) object.note("within", `the schema has no "${path}"`);
  }
  if (steps !== undefined && !hasPath(shape, steps)) object.note("steps", `the schema has no "${steps}"`);
  return { within, except: object.texts("except") ?? [], steps };
}

function compileResults(object: DeclaredObject | undefined, shape: Shape): ResultList | undefined {
  if (object === undefined) return undefined;
  object.allow(RESULT_KEYS);
  const path = object.text("path");
  if (!shape.elementPaths.includes(path)) object.note("path", `the schema has no list of objects at "${path}"`);
  return {
    path,
    kind: object.optionalText("kind") ?? "type",
    value: object.optionalText("value") ?? "value",
    unit: object.optionalText("unit") ?? "unit",
    error: object.optionalText("error") ?? "value_error",
    of: object.optionalText("of") ?? "entities_involved.entity",
  };
}

const SECTION_NAME = /^[a-z][a-z0-9-]*$/;

/** Parts of the model that a page uses. */
interface PageParts {
  readonly fields: ReadonlyMap<string, ShortField>;
  readonly facets: readonly Facet[];
  /** Places that cite terms with a drawable structure. */
  readonly drawable: readonly TermSite[];
}

/**
 * Compiles the `page` block of a model. Without it, a page follows the schema. Fields and facets that the model lacks
 * are left out, because a base names the fields of all models that extend it.
 */
export function compilePage(root: DeclaredObject, { fields, facets, drawable }: PageParts, shape: Shape): Page {
  const block = root.object("page");
  block?.allow(["hit", "columns", "facets", "structures", "examples", "sections", "tables"]);
  const hit = (block?.texts("hit") ?? []).flatMap((name): readonly DescribedField[] => {
    const field = fields.get(name);
    if (field === undefined) return [];
    const label = facets.find((facet) => facet.name === name)?.label ?? inWords(name);
    return [{ name, label, paths: [field.path, ...(field.morePaths ?? [])] }];
  });
  const facetNames = new Set(facets.map(({ name }) => name));
  const first = (block?.texts("facets") ?? []).filter((name) => facetNames.has(name));
  const columns = block?.texts("columns")?.filter((name) => fields.has(name) || FIXED_NAMES.includes(name));
  return {
    hit,
    columns: columns ?? [...new Set([fields.has("title") ? "title" : "id", ...hit.map(({ name }) => name), ...first])],
    facets: first,
    structures: compileStructures(block, drawable, shape),
    examples: [...(block?.textMap("examples") ?? [])].map(([label, q]) => ({ label, q })),
    sections: compileSections(block, shape),
    tables: compileTables(block?.object("tables"), shape),
  };
}

/** Returns the places at or below the declared paths that cite compounds. */
function compileStructures(
  block: DeclaredObject | undefined,
  drawable: readonly TermSite[],
  shape: Shape,
): readonly TermSite[] {
  const paths = block?.texts("structures") ?? [];
  for (const path of paths) {
    if (!isDeclared(shape, path)) block?.note("structures", `the schema has no "${path}"`);
  }
  return drawable.filter((site) => paths.some((path) => `${site.path}.`.startsWith(`${path}.`)));
}

/** Compiles the sections. Notes paths that the schema lacks, and paths in several sections. */
function compileSections(block: DeclaredObject | undefined, shape: Shape): readonly Section[] {
  const usedPaths = new Set<string>();
  return (block?.objects("sections") ?? []).map(({ name, object }) => {
    object.allow(["title", "paths"]);
    if (!SECTION_NAME.test(name)) object.note("title", `a section's name must match ${SECTION_NAME.source}`);
    const paths = object.texts("paths") ?? [];
    for (const path of paths) {
      if (!isDeclared(shape, path)) object.note("paths", `the schema has no "${path}"`);
      else if (usedPaths.has(path)) object.note("paths", `"${path}" is in another section already`);
      usedPaths.add(path);
    }
    return { name, title: object.text("title"), paths };
  });
}

/** Returns whether this is a path of the metadata: a value, an object or a list of objects. */
const isDeclared = (shape: Shape, path: string): boolean => path.startsWith("metadata.") && hasPath(shape, path);

function compileTables(object: DeclaredObject | undefined, shape: Shape): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, readonly string[]>();
  for (const path of object?.names() ?? []) {
    const columns = object?.texts(path) ?? [];
    if (!shape.elementPaths.includes(path)) object?.note(path, `the schema has no list of objects at "${path}"`);
    for (const column of columns) {
      if (!isDeclared(shape, `${path}.${column}`)) object?.note(path, `the schema has no "${path}.${column}"`);
    }
    tables.set(path, columns);
  }
  return tables;
}
