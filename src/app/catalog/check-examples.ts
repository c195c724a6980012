import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/schema.js";
import { WARNING_REPORTER } from "../../core/background.js";
import type { Model } from "../../core/catalog/types.js";
import { addAll } from "../../core/collections.js";
import type { Declaration, Problem } from "../../core/declarations/declaration.js";
import type { RecordBody } from "../../core/record.js";
import { type Composition, compose } from "../composition/compose.js";
import type { CompiledCatalog } from "../composition/read-catalog.js";

/**
 * Deposits the example of each model in a service of its own, which has the starter items and nothing else, and is
 * gone afterwards. A model without one gets an empty body, to see that its schema can be used.
 *
 * @returns every problem of every example
 */
export async function checkExamples(config: Config, catalog: CompiledCatalog): Promise<readonly Problem[]> {
  const data = mkdtempSync(join(tmpdir(), "bindery-check-"));
  try {
    const composition = await compose({ ...config, data }, catalog, { role: "setup", background: WARNING_REPORTER });
    try {
      return await depositAll(composition, [...catalog.models.values()], catalog.sources);
    } finally {
      await composition.close();
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

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
      if (example !== undefined) addAll(problems, placeIssues(example, errors));
    } catch (error) {
      // What the schema's own checks let pass and its compiler does not.
      const reason = `the schema cannot be used: ${(error as Error).message}`;
      problems.push({ file: schema?.file ?? "", line: 1, reason });
    }
  }
  return problems;
}

/** Problems of a body with the lines of the file that it stands in. */
function placeIssues(example: Declaration, errors: NonNullable<RecordBody["errors"]>): readonly Problem[] {
  return errors.map(({ field, pointer, messages }) => {
    const steps = pointer.split("/").slice(1);
    const place = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    return { file: example.file, line: example.locate(place).line, reason: `${field}: ${messages.join(" ")}` };
  });
}
