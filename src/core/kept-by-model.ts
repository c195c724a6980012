import type { Model } from "./catalog/types.js";

/** What is made of the models of one catalog: each when it is first asked for, and kept. */
export function keptByModel<T>(make: (model: Model) => T): (model: Model) => T {
  const made = new Map<string, T>();
  return (model) => {
    const known = made.get(model.name);
    if (known !== undefined) return known;
    const fresh = make(model);
    made.set(model.name, fresh);
    return fresh;
  };
}
