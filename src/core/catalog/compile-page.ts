import type { DeclaredObject } from "../declarations/declared.js";
import type { DescribedField, Page, Section } from "./description.js";
import { inWords } from "./field-tree.js";
import { FIXED_NAMES } from "./parameters.js";
import type { Facet, ShortField, TermSite } from "./types.js";
import { hasPath, type Shape } from "./walk-schema.js";

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

/** Is this a path of the metadata: a value, an object or a list of objects? */
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
