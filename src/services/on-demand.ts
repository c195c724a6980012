import { fieldTree } from "../core/catalog/field-tree.js";
import type { Model } from "../core/catalog/types.js";
import { keptByName } from "../core/kept-by-name.js";
import type { Deps, Validate } from "./context/deps.js";
import { modelSites } from "./input/model-sites.js";
import { makeValidator } from "./rules/validator.js";

/** What is made of the models of one catalog. */
export type OnDemand = Pick<Deps, "validatorOf" | "fieldsOf" | "sitesOf">;

/** What is made of a model when it is first asked for, and kept; all services over one catalog may share it. */
export function makeOnDemand(): OnDemand {
  const fieldsOf = keptByName((model: Model) => fieldTree(model.schema));
  const validatorOf = keptByName((model: Model): Validate => makeValidator(model, () => fieldsOf(model)));
  return { fieldsOf, validatorOf, sitesOf: keptByName(modelSites) };
}
