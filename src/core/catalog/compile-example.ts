import type { Declaration, Problems } from "../declarations/declaration.js";
import { isObject, type JsonObject } from "../json.js";
import { nearestNames } from "../nearest.js";

const KEY = "metadata";

/**
 * The example of a model: `{"metadata": {...}}`, a body that can be deposited. Whether it is valid is not looked at:
 * that needs the terms that it cites.
 */
export function compileExample(declaration: Declaration, problems: Problems): JsonObject | undefined {
  const { value } = declaration;
  if (!isObject(value)) {
    problems.add(declaration, [], `an example is a JSON object with the key "${KEY}"`);
    return undefined;
  }
  for (const key of Object.keys(value).filter((name) => name !== KEY)) {
    const cure = nearestNames(key, [KEY], 1).length > 0 ? `; did you mean "${KEY}"?` : "";
    problems.add(declaration, [key], `an example has "${KEY}" only, not "${key}"${cure}`);
  }
  if (!Object.hasOwn(value, KEY)) problems.add(declaration, [], `an example needs "${KEY}"`);
  else if (!isObject(value[KEY])) problems.add(declaration, [KEY], `"${KEY}" must be an object`);
  else return value as JsonObject;
  return undefined;
}
