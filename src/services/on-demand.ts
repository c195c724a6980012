import { fieldTree } from "../core/catalog/field-tree.js";
import type { Model } from "../core/catalog/types.js";
import type { Deps, Validate } from "./context/deps.js";
import { makeValidator } from "./rules/validator.js";

/** What is made of the models of one catalog. */
export type OnDemand = Pick<Deps, "validatorOf" | "fieldsOf">;

/** What is made of a model when it is first asked for, and kept; all services over one catalog may share it. */
export function makeOnDemand(): OnDemand {
  const fieldsOf = keptByModel((model) => fieldTree(model.schema));
  return { fieldsOf, validatorOf: keptByModel((model): Validate => makeValidator(model, () => fieldsOf(model))) };
}

function keptByModel<T>(make: (model: Model) => T): (model: Model) => T {
  const made = new Map<string, T>();
  return (model) => {
    const known = made.get(model.name);
    if (known !== undefined) return known;
    const fresh = make(model);
    made.set(model.name, fresh);
    return fresh;
  };
}
