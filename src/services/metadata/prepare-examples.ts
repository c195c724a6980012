import type { Catalog } from "../../core/catalog/types.js";
import type { PrepareServices } from "../api/prepare-services.js";

/**
 * Prepares the example of each model as if it had been sent. The first body of a model takes some hundred milliseconds
 * more than the hundredth, above all because the validator of the model is compiled then.
 *
 * @param pause awaited before each model, so that requests come in between
 */
export async function prepareExamples(
  { prepareRecord }: PrepareServices,
  { models }: Pick<Catalog, "models">,
  pause: () => Promise<void>,
): Promise<void> {
  for (const { name: model, example } of models.values()) {
    if (example === undefined) continue;
    await pause();
    await prepareRecord({ kind: "sent", model, text: JSON.stringify(example) });
  }
}
