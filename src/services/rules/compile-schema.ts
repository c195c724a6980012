import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { DataValidateFunction, DataValidationCxt } from "ajv/dist/types/index.js";
import addFormats from "ajv-formats";
import { canonicalJson } from "../../core/canonical-json.js";
import { compilePattern, FORMATS } from "../../core/catalog/schema-keywords.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";

/** All errors of some data, in Ajv's order. */
export type SchemaCheck = (data: Json) => readonly ErrorObject[];

/** The name that Ajv knows the schema by. */
const MODEL = "model";

/** Keyword of an error that holds those of a list's elements. */
const ELEMENTS = "elements";

/** Regular expression engine of Ajv. `code` is its name in validators that are written to a file. */
const PATTERNS = Object.assign((source: string) => compilePattern(source), { code: "compilePattern" });

/** @param schema a bundled one (`bundleSchema`) that was checked: no definition of it contains itself */
export function compileSchema(schema: JsonObject): SchemaCheck {
  // `ownProperties`: a client's `__proto__` or `constructor` is a name like any other.
  const options = { allErrors: true, verbose: true, ownProperties: true, discriminator: true, strict: false };
  // Ajv's own optimization of the code takes as long as all else, and makes a check quicker by a tenth of 0.14 ms.
  const code = { optimize: false, regExp: PATTERNS };
  const ajv = new Ajv2020({ ...options, code, validateSchema: false });
  addFormats.default(ajv, [...FORMATS] as Parameters<typeof addFormats.default>[1]);
  // Here, because the schema of schemas needs `items` as it is.
  ajv.validateSchema(schema, true);
  ajv.addSchema(schema, MODEL);
  replaceItems(ajv, schema);
  replaceUniqueItems(ajv);
  const check = ajv.getSchema(MODEL)!;
  return (data) => (check(data) ? [] : unpack(check.errors ?? []));
}

/**
 * Replaces the keyword `items`. The code that Ajv generates for its own copies all errors of a list so far whenever an
 * element that a `$ref` describes adds some: 10,000 bad elements take 1.5 s. This one makes a single error of a list,
 * whose `params` hold those of its elements, and compiles what elements have to be when it sees the first one.
 */
function replaceItems(ajv: Ajv2020, root: JsonObject): void {
  const pointers = pointersOf(root);
  ajv.removeKeyword("items").addKeyword({
    keyword: "items",
    type: "array",
    schemaType: ["object", "boolean"],
    before: "uniqueItems",
    compile: (schema: Json, parentSchema) => {
      const first: number = parentSchema.prefixItems?.length ?? 0;
      if (typeof schema === "boolean") return checkLength(schema ? Number.POSITIVE_INFINITY : first, parentSchema);
      let check: ValidateFunction | undefined;
      const checkList: DataValidateFunction = (list: readonly Json[], context?: DataValidationCxt) => {
        const { instancePath = "", rootData = list, dynamicAnchors = {} } = context ?? {};
        const errors: ErrorObject[][] = [];
        for (let i = first; i < list.length; i++) {
          check ??= ajv.getSchema(`${MODEL}#${pointers.get(schema)}`)!;
          const place = { instancePath: `${instancePath}/${i}`, parentData: list, parentDataProperty: i };
          if (!check(list[i], { ...place, rootData, dynamicAnchors })) errors.push(check.errors ?? []);
        }
        checkList.errors = [{ keyword: ELEMENTS, params: { errors: errors.flat() } }];
        return errors.length === 0;
      };
      return checkList;
    },
  });
}

/** `items: false`, in Ajv's words: no elements but those that have a place. */
function checkLength(limit: number, parentSchema: object): DataValidateFunction {
  const message = `must NOT have more than ${limit} items`;
  const check: DataValidateFunction = (list: readonly Json[]) => {
    check.errors = [{ keyword: "items", message, params: { limit }, parentSchema }];
    return list.length <= limit;
  };
  return check;
}

/**
 * Replaces the keyword `uniqueItems`. Ajv's own compares each element with each other one: 10,000 objects take seconds.
 * This one reports the same two elements: the last repeated element and the earlier one that it repeats.
 */
function replaceUniqueItems(ajv: Ajv2020): void {
  ajv.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    compile: (isUnique: boolean, parentSchema) => {
      const check: DataValidateFunction = (list: readonly Json[]) => {
        const indices = new Map<string, number>();
        let repeated: { readonly i: number; readonly j: number } | undefined;
        for (const [i, element] of isUnique ? list.entries() : []) {
          const text = canonicalJson(element);
          const j = indices.get(text);
          if (j !== undefined) repeated = { i, j };
          indices.set(text, i);
        }
        if (repeated === undefined) return true;
        const message = `must NOT have duplicate items (items ## ${repeated.j} and ${repeated.i} are identical)`;
        check.errors = [{ keyword: "uniqueItems", message, params: repeated, parentSchema }];
        return false;
      };
      return check;
    },
  });
}

/** The errors of the elements in place of those of their lists. */
function unpack(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  return errors.flatMap((error) => (error.keyword === ELEMENTS ? unpack(error.params.errors) : [error]));
}

/** Where each object of a schema stands in it, as a JSON pointer in a URI. */
function pointersOf(root: JsonObject): ReadonlyMap<Json, string> {
  const found = new Map<Json, string>();
  const visit = (value: Json, pointer: string): void => {
    if (isObject(value)) found.set(value, pointer);
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      visit(inner, `${pointer}/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`);
    }
  };
  visit(root, "");
  return found;
}
