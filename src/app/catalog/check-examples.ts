import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/schema.js";
import { WARNING_REPORTER } from "../../core/background.js";
import type { Model } from "../../core/catalog/types.js";
import { addAll } from "../../core/collections.js";
import type { Declaration, Problem } from "../../core/declarations/declaration.js";
import { unescapePointer } from "../../core/json.js";
import type { RecordBody } from "../../core/record.js";
import { type Composition, compose } from "../composition/compose.js";
import type { CompiledCatalog } from "../composition/read-catalog.js";

/**
 * Deposits the example record of each model and reads its example queries, in a temporary service that has only the
 * starter terms. For a model without an example, an empty body is deposited, to check that its schema can be used.
 *
 * @returns all problems of all examples
 */
export async function checkExamples(config: Config, catalog: CompiledCatalog): Promise<readonly Problem[]> {
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
): Promise<readonly Problem[]> {
  await services.loadStarters();
  await services.addUser("check", "depositor");
  const { token } = await services.createToken({ user: "check", scopes: ["records:write"] });
  const actor = await services.authenticate(token);
  const problems: Problem[] = [];
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
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
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
function locateIssues(example: Declaration, errors: NonNullable<RecordBody["errors"]>): readonly Problem[] {
  return errors.map(({ field, pointer, messages }) => {
    const steps = pointer.split("/").slice(1);
    const place = steps.map(unescapePointer);
    return { file: example.file, line: example.locate(place).line, reason: `${field}: ${messages.join(" ")}` };
  });
}
