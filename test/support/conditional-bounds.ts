/** Least and greatest numbers that depend on another value of the same object: how cold it may be, by the unit. */
import { branchesOf, itemSchemas, resolveDefinition } from "../../src/core/catalog/walk-schema.js";
import { isObject, type Json, type JsonObject, own } from "../../src/core/json.js";

/** Where `when` holds of an object, its number `name` is at least `minimum` and at most `maximum`. */
interface Condition {
  readonly when: ReadonlyMap<string, readonly Json[]>;
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
}

/** By path of the object, beginning with `metadata`. */
export type Conditions = ReadonlyMap<string, readonly Condition[]>;

/**
 * The conditions (`if`, `then`) of a bundled schema.
 * @throws Error for one that asks for anything else
 */
export function conditionsOf(root: JsonObject): Conditions {
  const found = new Map<string, readonly Condition[]>();
  const visit = (schema: Json | undefined, path: string): void => {
    if (!isObject(schema)) return;
    if (isObject(schema.if)) found.set(path, [...(found.get(path) ?? []), ...readCondition(schema)]);
    if (typeof schema.$ref === "string") visit(resolveDefinition(root, schema.$ref), path);
    for (const branch of branchesOf(schema).filter((each) => each !== schema.if && each !== schema.then)) {
      visit(branch, path);
    }
    for (const items of itemSchemas(schema)) visit(items, path);
    const properties = isObject(schema.properties) ? schema.properties : {};
    for (const [name, inner] of Object.entries(properties)) visit(inner, `${path}.${name}`);
  };
  visit(root, "metadata");
  return found;
}

function readCondition({ if: when, then, else: otherwise }: JsonObject): readonly Condition[] {
  const known = isObject(when) && isObject(then) && isObject(when.properties) && isObject(then.properties);
  if (!known || otherwise !== undefined) throw new Error(`What holds by ${JSON.stringify({ when, then })}?`);
  const said = Object.entries(when.properties as JsonObject).map(([name, schema]) => [name, valuesOf(schema)] as const);
  return Object.entries(then.properties as JsonObject).map(([name, schema]) => {
    const { minimum = -Infinity, maximum = Infinity, ...others } = isObject(schema) ? schema : {};
    if (Object.keys(others).length > 0) throw new Error(`What is "${name}" to be by ${JSON.stringify(then)}?`);
    return { when: new Map(said), name, minimum: Number(minimum), maximum: Number(maximum) };
  });
}

function valuesOf(schema: Json): readonly Json[] {
  if (isObject(schema) && Array.isArray(schema.enum)) return schema.enum;
  if (isObject(schema) && schema.const !== undefined) return [schema.const];
  throw new Error(`When is that: ${JSON.stringify(schema)}?`);
}

/** The object with its numbers moved to the bounds that they exceed. */
export function holdConditions(object: JsonObject, conditions: readonly Condition[]): JsonObject {
  let held = object;
  for (const { when, name, minimum, maximum } of conditions) {
    const value = own(held, name);
    const holds = [...when].every(([key, values]) => values.some((each) => each === own(held, key)));
    if (!holds || typeof value !== "number") continue;
    held = { ...held, [name]: Math.min(Math.max(value, minimum), maximum) };
  }
  return held;
}
