import type { DeclaredObject } from "../declarations/declared.js";
import { nearestNames } from "../nearest.js";
import { type CheckParts, compileChecks } from "./compile-checks.js";
import {
  BEST_RESULTS,
  type DescribedField,
  type HeadLayout,
  type PageLayout,
  type ReferringColumn,
  SECTION_FORMS,
  type Section,
} from "./description.js";
import { titleFromName } from "./field-tree.js";
import { FIXED_NAMES } from "./parameters.js";
import { readSentence, type Sentence } from "./sentence.js";
import type { Facet, TermSite } from "./types.js";
import { hasPath, type Shape } from "./walk-schema.js";

const SECTION_NAME = /^[a-z][a-z0-9-]*$/;

const PAGE_KEYS = "hit columns facets filters structures examples head sections tables together words checks".split(
  " ",
);

/** Parts of the model that a page uses. */
interface PageParts extends CheckParts {
  readonly facets: readonly Facet[];
  /** Places that cite terms with a drawable structure. */
  readonly drawable: readonly TermSite[];
}

/**
 * Compiles the `page` block of a model. Without it, a page follows the schema. Fields and facets that the model lacks
 * are left out, because a base names the fields of all models that extend it.
 */
export function compilePage(root: DeclaredObject, parts: PageParts, shape: Shape): PageLayout {
  const { fields, facets, drawable } = parts;
  const block = root.object("page");
  block?.allow(PAGE_KEYS);
  const hit = (block?.texts("hit") ?? []).flatMap((name): readonly DescribedField[] => {
    const field = fields.get(name);
    if (field === undefined) return [];
    const label = facets.find((facet) => facet.name === name)?.label ?? titleFromName(name);
    return [{ name, label, paths: [field.path, ...(field.morePaths ?? [])] }];
  });
  const facetNames = new Set(facets.map(({ name }) => name));
  const facetsAt = (key: "facets" | "filters") => block?.texts(key)?.filter((name) => facetNames.has(name));
  const first = facetsAt("facets") ?? [];
  const columns = block?.texts("columns")?.filter((name) => fields.has(name) || FIXED_NAMES.includes(name));
  return {
    hit,
    columns: columns ?? [...new Set([fields.has("title") ? "title" : "id", ...hit.map(({ name }) => name), ...first])],
    facets: first,
    filters: facetsAt("filters") ?? first,
    structures: compileStructures(block, drawable, shape),
    examples: [...(block?.textMap("examples") ?? [])].map(([label, q]) => ({ label, q })),
    head: compileHead(block?.object("head"), parts, shape),
    sections: compileSections(block, parts, shape),
    tables: compileTables(block?.object("tables"), shape),
    sentences: compileSentences(block?.object("together"), parts, shape),
    words: compileWords(block?.object("words"), shape),
    checks: compileChecks(block?.object("checks"), parts, shape),
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

/** Compiles the head. Its figures are quantities of results, its molecules what results refer to. */
function compileHead(
  object: DeclaredObject | undefined,
  { fields, quantities, declaredNames, results, references, roots }: PageParts,
  shape: Shape,
): HeadLayout | undefined {
  if (object === undefined) return undefined;
  object.allow(["figures", "molecule", "conditions"]);
  const names = quantities.filter(({ path }) => path === results?.path).map(({ name }) => name);
  const block = object.object("figures");
  const figures = (block?.names() ?? []).flatMap((name) => {
    // A model may remove a field that its base shows.
    if (!fields.has(name) && declaredNames.includes(name)) return [];
    const [near] = nearestNames(name, names, 1);
    const cure = near === undefined ? "" : `; did you mean "${near}"?`;
    if (!names.includes(name)) block!.note(name, `no quantity of the results is called "${name}"${cure}`);
    const text = block!.text(name);
    const best = BEST_RESULTS.find((each) => each === text);
    if (best === undefined) block!.note(name, `"${text}" must be ${BEST_RESULTS.join(" or ")}`);
    return best === undefined ? [] : [[name, best] as const];
  });
  const molecules = references.find(({ path }) => path === `${results?.path}.${results?.of}`)?.to;
  if (object.has("molecule") && molecules === undefined) {
    object.note("molecule", "results refer to no list of objects; declare it as describe.results.of");
  }
  const sentenceAt = (key: "molecule" | "conditions", base: string | undefined): Sentence | undefined => {
    const text = object.optionalText(key);
    return text === undefined
      ? undefined
      : readSentence(text, { base, roots }, shape, (reason) => object.note(key, reason));
  };
  return {
    figures: new Map(figures),
    molecule: sentenceAt("molecule", molecules),
    conditions: sentenceAt("conditions", undefined),
  };
}

const SECTION_KEYS = ["title", "paths", "as", "sentence", "columns", "referring", "along", "axis"];

/** Compiles the sections. Notes paths that the schema lacks, and paths in several sections. */
function compileSections(block: DeclaredObject | undefined, parts: PageParts, shape: Shape): readonly Section[] {
  const usedPaths = new Set<string>();
  return (block?.objects("sections") ?? []).map(({ name, object }) => {
    object.allow(SECTION_KEYS);
    if (!SECTION_NAME.test(name)) object.note("title", `a section's name must match ${SECTION_NAME.source}`);
    const paths = object.texts("paths") ?? [];
    for (const path of paths) {
      if (!isDeclared(shape, path)) object.note("paths", `the schema has no "${path}"`);
      else if (usedPaths.has(path)) object.note("paths", `"${path}" is in another section already`);
      usedPaths.add(path);
    }
    return { name, title: object.text("title"), paths, ...compileForm(object, paths, parts, shape) };
  });
}

/** Compiles the form of a section and what belongs to it. */
function compileForm(
  object: DeclaredObject,
  paths: readonly string[],
  parts: PageParts,
  shape: Shape,
): Omit<Section, "name" | "title" | "paths"> {
  const form = object.optionalText("as");
  const as = SECTION_FORMS.find((each) => each === form);
  if (form !== undefined && as === undefined)
    object.note("as", `"${form}" is no form; known are ${SECTION_FORMS.join(", ")}`);
  const base = paths.length === 1 ? paths[0] : undefined;
  const sentence = object.optionalText("sentence");
  const list = listOfForm(object, as, base, shape);
  const below = (key: string, name: string): string => {
    const path = `${list ?? base}.${name}`;
    if (!hasPath(shape, path)) object.note(key, `the schema has no "${path}"`);
    return path;
  };
  const columns = object.texts("columns");
  for (const column of columns ?? []) below("columns", column);
  const along = object.object("along");
  along?.allow(["start", "length"]);
  const places = along && { start: along.optionalText("start"), length: along.text("length") };
  for (const name of [places?.start, places?.length]) if (name !== undefined) below("along", name);
  const axis = object.object("axis");
  axis?.allow(["of", "mark"]);
  const mark = axis?.optionalText("mark");
  if (mark !== undefined && ![...parts.fields.keys(), ...parts.declaredNames].includes(mark)) {
    const [near] = nearestNames(mark, [...parts.fields.keys()], 1);
    axis?.note("mark", `there is no field "${mark}"${near === undefined ? "" : `; did you mean "${near}"?`}`);
  }
  return {
    as,
    sentence:
      sentence === undefined
        ? undefined
        : readSentence(sentence, { base, roots: parts.roots }, shape, (reason) => object.note("sentence", reason)),
    columns,
    referring: compileReferring(object.object("referring"), list, parts, shape),
    along: places,
    axis: axis && { path: below("axis", axis.text("of")), mark },
  };
}

/** Returns the list that a section shows, if its form needs one. */
function listOfForm(
  object: DeclaredObject,
  as: Section["as"],
  base: string | undefined,
  shape: Shape,
): string | undefined {
  if (base !== undefined && shape.elementPaths.includes(base)) return base;
  if (as !== undefined && as !== "line") object.note("as", `"${as}" needs one path of a list of objects`);
  return undefined;
}

/** Compiles columns with values of objects that refer to the rows of a table. */
function compileReferring(
  object: DeclaredObject | undefined,
  rows: string | undefined,
  { references }: PageParts,
  shape: Shape,
): readonly ReferringColumn[] {
  return (object?.names() ?? []).flatMap((title): readonly ReferringColumn[] => {
    const path = object!.text(title);
    const list = shape.elementPaths.findLast((each) => path.startsWith(`${each}.`));
    const site = references.find((each) => each.to === rows && each.path.startsWith(`${list}.`));
    if (!hasPath(shape, path)) object!.note(title, `the schema has no "${path}"`);
    else if (list === undefined || site === undefined) {
      object!.note(title, `no object around "${path}" refers to "${rows}"; name a value of one that does`);
    } else return [{ title, path, list, reference: site.path }];
    return [];
  });
}

/** Compiles the sentences of objects that are shown as one value. */
function compileSentences(
  object: DeclaredObject | undefined,
  { roots }: PageParts,
  shape: Shape,
): ReadonlyMap<string, Sentence> {
  const sentences = new Map<string, Sentence>();
  for (const [path, text] of object === undefined ? [] : textEntries(object)) {
    if (!shape.objects.has(path) && !shape.elementPaths.includes(path)) {
      object!.note(path, `the schema has no object at "${path}"`);
      continue;
    }
    sentences.set(
      path,
      readSentence(text, { base: path, roots }, shape, (reason) => object!.note(path, reason)),
    );
  }
  return sentences;
}

/** Compiles the words for deposited texts. */
function compileWords(object: DeclaredObject | undefined, shape: Shape): PageLayout["words"] {
  const words = new Map<string, ReadonlyMap<string, string>>();
  for (const path of object?.names() ?? []) {
    if (!shape.leaves.has(path)) object!.note(path, `the schema has no text at "${path}"`);
    words.set(path, object!.textMap(path));
  }
  return words;
}

const textEntries = (object: DeclaredObject): readonly (readonly [string, string])[] =>
  object.names().flatMap((name) => {
    const text = object.optionalText(name);
    return text === undefined ? [] : [[name, text] as const];
  });

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
