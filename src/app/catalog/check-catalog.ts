import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/schema.js";
import { WARNING_REPORTER } from "../../core/background.js";
import { type Field, fieldTree, type ObjectShape } from "../../core/catalog/field-tree.js";
import type { Model, Vocabulary } from "../../core/catalog/types.js";
import { addAll } from "../../core/collections.js";
import { type CatalogProblem, type Declaration, Problems } from "../../core/declarations/declaration.js";
import { unescapePointer } from "../../core/json.js";
import type { RecordBody } from "../../core/record.js";
import type { TermContent } from "../../core/term.js";
import { readDocuments } from "../../formats/read-documents.js";
import { makeTermCheck } from "../../services/imports/import-terms.js";
import { type Composition, compose } from "../composition/compose.js";
import {
  BUILT_IN_CATALOG,
  type CompiledCatalog,
  compileCatalog,
  findFolders,
  VOCABULARY_FILE,
} from "../composition/read-catalog.js";

/** The content of a catalog, and its mistakes. */
export interface CatalogReport {
  readonly mistakes: readonly CatalogProblem[];
  /** Advice on declarations that are valid but could be better: `file: path has no title`. */
  readonly notes: readonly string[];
  readonly models: readonly {
    readonly name: string;
    readonly version: number;
    readonly fields: number;
    /** Names after `extends`. */
    readonly extends: readonly string[];
    readonly hasExample: boolean;
  }[];
  readonly vocabularies: readonly { readonly name: string; readonly items: number }[];
}

/**
 * Checks the built-in catalog with `operatorFolders` over it: everything that a start reads, all starter terms and all
 * examples. Examples are checked only if there are no other mistakes. Neither a service nor its data is needed.
 */
export async function checkCatalog(config: Config, operatorFolders: readonly string[]): Promise<CatalogReport> {
  const folders = withBuiltIn(operatorFolders);
  const problems = new Problems();
  const catalog = compileCatalog(folders, problems);
  const mistakes = [...problems.list];
  const vocabularies: CatalogReport["vocabularies"][number][] = [];
  for (const [name, folder] of findFolders(folders, "vocabularies")) {
    const vocabulary = catalog.vocabularies.get(name);
    // A mistake in a vocabulary would make its terms look wrong.
    if (vocabulary === undefined || mistakes.some(({ file }) => file === join(folder, VOCABULARY_FILE))) continue;
    const { items, problems: starterProblems } = await checkStarters(vocabulary);
    vocabularies.push({ name, items });
    addAll(mistakes, starterProblems);
  }
  if (mistakes.length === 0) addAll(mistakes, await checkExamples(config, catalog));
  const models = [...catalog.models.values()];
  return {
    mistakes,
    notes: [
      ...problems.notes,
      ...models.flatMap((model) => listMissingTexts(model, catalog.sources.get(model.name)?.schema.file ?? "")),
    ],
    models: models.map((model) => ({
      name: model.name,
      version: model.version,
      fields: declaredPaths(model).filter(({ isLeaf }) => isLeaf).length,
      extends: catalog.sources.get(model.name)?.model.extends ?? [],
      hasExample: model.example !== undefined,
    })),
    vocabularies,
  };
}

/** Returns the folders of the built-in catalog with `operatorFolders` over it. */
export function withBuiltIn(operatorFolders: readonly string[]): readonly string[] {
  return [BUILT_IN_CATALOG, ...operatorFolders.filter((folder) => !isBuiltIn(folder))];
}

function isBuiltIn(folder: string): boolean {
  try {
    return realpathSync(folder) === realpathSync(BUILT_IN_CATALOG);
  } catch {
    return false;
  }
}

/** Returns a note for each path of a model that has no title or no description. */
function listMissingTexts(model: Model, schemaFile: string): readonly string[] {
  return declaredPaths(model).flatMap(({ path, isTitled, isHelped }) => {
    const missingKeys = [...(isTitled ? [] : ["title"]), ...(isHelped ? [] : ["description"])];
    return missingKeys.length === 0 ? [] : [`${schemaFile}: ${path} has no ${missingKeys.join(" and no ")}`];
  });
}

/** The declaration of a model at a path, combined for alternatives that share the path. */
interface DeclaredPath {
  readonly path: string;
  /** Whether it is a value or a list of values. Otherwise it has objects. */
  readonly isLeaf: boolean;
  readonly isTitled: boolean;
  readonly isHelped: boolean;
}

/** Returns every path that a model's schema declares below `metadata`, in declared order. */
function declaredPaths(model: Model): readonly DeclaredPath[] {
  const paths = new Map<string, DeclaredPath>();
  const visit = ({ fields, choices }: ObjectShape, path: string): void => {
    for (const [name, inner] of fields) {
      const below = `${path}.${name}`;
      const earlier = paths.get(below);
      const shapes = shapesOf(inner);
      paths.set(below, {
        path: below,
        isLeaf: shapes.length === 0 && earlier?.isLeaf !== false,
        isTitled: inner.isUntitled !== true && earlier?.isTitled !== false,
        isHelped: inner.help !== undefined && earlier?.isHelped !== false,
      });
      for (const shape of shapes) visit(shape, below);
    }
    for (const { shape } of choices.flatMap(({ alternatives }) => alternatives)) visit(shape, path);
  };
  for (const shape of shapesOf(fieldTree(model.schema))) visit(shape, "metadata");
  return [...paths.values()];
}

/** Returns the shapes of the objects in a field or its list; none for a cited term or a reference. */
function shapesOf(field: Field): readonly ObjectShape[] {
  // The service fills in their other members.
  if (field.term !== undefined || field.reference !== undefined) return [];
  const own = field.shape === undefined ? [] : [field.shape];
  return field.items === undefined ? own : [...own, ...shapesOf(field.items)];
}

/** A starter term and its line, from 1. */
interface StarterTerm {
  readonly term: TermContent;
  readonly line: number;
}

/** Checks the starter terms of a vocabulary. @returns the number of valid terms, and all mistakes */
async function checkStarters(
  vocabulary: Vocabulary,
): Promise<{ readonly items: number; readonly problems: readonly CatalogProblem[] }> {
  const { starterFile: file } = vocabulary;
  if (file === undefined) return { items: 0, problems: [] };
  const problems: CatalogProblem[] = [];
  const starters: StarterTerm[] = [];
  const check = makeTermCheck(vocabulary);
  for await (const document of readDocuments(file)) {
    const { line } = document;
    const term = check(document);
    if ("reason" in term) problems.push({ file, line, reason: term.reason });
    else starters.push({ term, line });
  }
  // Terms that refer to an invalid term would only repeat its mistake.
  if (problems.length === 0)
    addAll(
      problems,
      checkLinks(starters).map((problem) => ({ file, ...problem })),
    );
  return { items: starters.length, problems };
}

/** Checks that parents and successors are terms of the file, and that no term is its own descendant. */
function checkLinks(starters: readonly StarterTerm[]): readonly Omit<CatalogProblem, "file">[] {
  const parents = new Map(starters.map(({ term }) => [term.id, term.parent]));
  return starters.flatMap(({ term: { id, parent, replaced_by }, line }) => {
    const problems: Omit<CatalogProblem, "file">[] = [];
    const note = (reason: string): void => void problems.push({ line, reason });
    if (parent !== undefined && !parents.has(parent)) note(`the parent "${parent}" is not one of the terms`);
    if (replaced_by !== undefined && !parents.has(replaced_by)) {
      note(`"replaced_by": "${replaced_by}" is not one of the terms`);
    }
    if (isBelowItself(id, parents)) note(`"${id}" is its own descendant`);
    return problems;
  });
}

function isBelowItself(id: string, parents: ReadonlyMap<string, string | undefined>): boolean {
  const visited = new Set<string>();
  for (let term = parents.get(id); term !== undefined && !visited.has(term); term = parents.get(term)) {
    if (term === id) return true;
    visited.add(term);
  }
  return false;
}

/**
 * Deposits the example record of each model and reads its example queries, in a temporary service that has only the
 * starter terms. For a model without an example, an empty body is deposited, to check that its schema can be used.
 *
 * @returns all problems of all examples
 */
async function checkExamples(config: Config, catalog: CompiledCatalog): Promise<readonly CatalogProblem[]> {
  const data = mkdtempSync(join(tmpdir(), "bindery-check-"));
  try {
    const composition = await compose({ ...config, data }, catalog, { role: "setup", background: WARNING_REPORTER });
    try {
      const models = [...catalog.models.values()];
      const recordProblems = await depositAll(composition, models, catalog.sources);
      return [...recordProblems, ...(await readQueries(composition, models, catalog.sources))];
    } finally {
      await composition.close();
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Deposits the example record of each model. @returns the problems of the records */
async function depositAll(
  { services }: Composition,
  models: readonly Model[],
  sources: CompiledCatalog["sources"],
): Promise<readonly CatalogProblem[]> {
  await services.loadStarters();
  await services.addUser("check", "depositor");
  const { token } = await services.createToken({ user: "check", scopes: ["records:write"] });
  const actor = await services.authenticate(token);
  const problems: CatalogProblem[] = [];
  for (const model of models) {
    const { example, schema } = sources.get(model.name) ?? {};
    const body = JSON.stringify(model.example ?? { metadata: {} });
    try {
      const { record } = await services.createDraft(actor, model.name, body);
      const { errors = [] } = JSON.parse(record.json) as RecordBody;
      if (example !== undefined) addAll(problems, locateIssues(example, errors));
    } catch (error) {
      // The schema passed its own checks, but cannot be compiled.
      const reason = `the schema cannot be used: ${(error as Error).message}`;
      problems.push({ file: schema?.file ?? "", line: 1, reason });
    }
  }
  return problems;
}

/** Reads the example queries of each model. @returns their warnings, and the queries that do not parse */
async function readQueries(
  { services }: Composition,
  models: readonly Model[],
  sources: CompiledCatalog["sources"],
): Promise<readonly CatalogProblem[]> {
  const problems: CatalogProblem[] = [];
  for (const { name, page } of models) {
    const declaration = sources.get(name)?.model;
    for (const { label, q } of page.examples) {
      const { answer } = await services.readQueryText({ q, model: name, totals: false, lang: "en" });
      const reasons = answer.fallback ? ["it is read as words only"] : answer.warnings.map(({ message }) => message);
      const { file, line } = declaration?.locate(["page", "examples", label]) ?? { file: "", line: 1 };
      addAll(
        problems,
        reasons.map((reason) => ({ file, line, reason: `the example query "${q}" of ${name}: ${reason}` })),
      );
    }
  }
  return problems;
}

/** Returns the problems of a body with their lines in the file of the example. */
function locateIssues(example: Declaration, errors: NonNullable<RecordBody["errors"]>): readonly CatalogProblem[] {
  return errors.map(({ field, pointer, messages }) => {
    const steps = pointer.split("/").slice(1);
    const place = steps.map(unescapePointer);
    return { file: example.file, line: example.locate(place).line, reason: `${field}: ${messages.join(" ")}` };
  });
}
