/**
 * Models with the same shared parts. A model allows its `expected` value in an enum of a shared part beside the values
 * that the part lists, so parts of one name may differ in their enums; the page and the type of a part list all values.
 */

/** @param models those of the catalog */
export function withEqualParts(models) {
  const parts = new Map();
  for (const { schema } of models) {
    for (const [key, part] of Object.entries(schema.$defs)) {
      // Keys of shared parts are `<file>.<name>`.
      if (key.includes(".")) parts.set(key, parts.has(key) ? unite(parts.get(key), part) : part);
    }
  }
  return models.map((model) => {
    const $defs = Object.entries(model.schema.$defs).map(([key, part]) => [key, parts.get(key) ?? part]);
    return { ...model, schema: { ...model.schema, $defs: Object.fromEntries($defs) } };
  });
}

/** Two parts of one name, which differ in nothing but the values of enums. */
function unite(first, second, keyword) {
  if (keyword === "enum" && Array.isArray(first)) return [...new Set([...first, ...second])];
  if (typeof first !== "object" || first === null) return first;
  if (Array.isArray(first)) return first.map((each, i) => unite(each, second[i]));
  return Object.fromEntries(Object.entries(first).map(([key, value]) => [key, unite(value, second[key], key)]));
}
