import { fieldTree } from "../core/catalog/field-tree.js";
import type { Model } from "../core/catalog/types.js";
import { cacheByName } from "../core/collections.js";
import type { Deps, Validate } from "./context/deps.js";
import { modelSites } from "./input/walk-sites.js";
import { makeValidator } from "./rules/validator.js";

/** Functions that derive data from the models of a catalog. */
export type OnDemand = Pick<Deps, "validatorOf" | "fieldsOf" | "sitesOf">;

/**
 * Creates functions that derive data from a model on first use, and cache it. All services over a catalog share them.
 */
export function makeOnDemand(): OnDemand {
  const fieldsOf = cacheByName((model: Model) => fieldTree(model.schema));
  const validatorOf = cacheByName((model: Model): Validate => makeValidator(model, () => fieldsOf(model)));
  return { fieldsOf, validatorOf, sitesOf: cacheByName(modelSites) };
}
