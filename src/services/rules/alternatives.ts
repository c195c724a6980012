import type { ErrorObject } from "ajv/dist/2020.js";
import { addAll } from "../../core/arrays.js";
import { branchesOf, definition, itemsOf } from "../../core/catalog/walk-schema.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";

/**
 * Leaves out what the single branches of `anyOf` and `oneOf` miss: it is noise beside the word that none of them fits.
 * Alternatives that a field chooses (`discriminator`) are others: only the chosen one is asked.
 *
 * @param errors in the order of Ajv, which has those of the branches right before that of their keyword
 */
export function withoutBranches(errors: readonly ErrorObject[], root: JsonObject): readonly ErrorObject[] {
  const isChoice = ({ keyword }: ErrorObject): boolean => keyword === "anyOf" || keyword === "oneOf";
  if (!errors.some(isChoice)) return errors;
  const reached = new Map<unknown, ReadonlySet<unknown>>();
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (isChoice(error)) {
      const within = reached.get(error.schema) ?? schemasBelow(error.schema as Json, root);
      reached.set(error.schema, within);
      addAll(
        kept,
        takeWithin(kept, error.instancePath).filter(({ parentSchema }) => !within.has(parentSchema)),
      );
    }
    kept.push(error);
  }
  return kept;
}

/** Takes the last errors off the list as long as they are about this place or below it. */
function takeWithin(errors: ErrorObject[], place: string): readonly ErrorObject[] {
  let from = errors.length;
  while (from > 0 && isWithin(errors[from - 1]!.instancePath, place)) from--;
  return errors.splice(from);
}

function isWithin(place: string, outer: string): boolean {
  return place === outer || place.startsWith(`${outer}/`);
}

/** All schemas that some schemas lead to, themselves included. */
function schemasBelow(schemas: Json, root: JsonObject): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  const visit = (schema: Json | undefined): void => {
    if (!isObject(schema) || found.has(schema)) return;
    found.add(schema);
    if (typeof schema.$ref === "string") visit(definition(root, schema.$ref));
    const { properties, additionalProperties, contains, not } = schema;
    const inner = isObject(properties) ? Object.values(properties) : [];
    for (const each of [...branchesOf(schema), ...itemsOf(schema), ...inner]) visit(each);
    for (const each of [additionalProperties, contains, not]) visit(each);
  };
  for (const schema of Array.isArray(schemas) ? schemas : [schemas]) visit(schema as Json);
  return found;
}
