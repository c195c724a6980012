import { isObject, type Json, type JsonObject, own } from "../json.js";
import { itemSchemas, resolveDefinition } from "./walk-schema.js";

/** The fields of an object. */
export interface ObjectShape {
  /** By name, in declared order. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Further fields, which depend on the text of one of `fields`. */
  readonly choices: readonly ShapeChoice[];
  /** Whether other fields are allowed. */
  readonly isOpen: boolean;
}

/** Alternatives from which the field `by` of the same object chooses one (schema keyword `discriminator`). */
export interface ShapeChoice {
  readonly by: string;
  readonly alternatives: readonly Alternative[];
}

/** Fields that an object has in addition if the choosing field has one of some values. */
export interface Alternative {
  /** Values of the choosing field that select this alternative. */
  readonly values: readonly string[];
  /** The fields that it adds to the object. The choosing field is among the object's own fields. */
  readonly shape: ObjectShape;
}

/** Bounds in a schema, by the keywords of JSON Schema. */
export type Bounds = { readonly [Name in (typeof BOUNDS)[number]]?: number };

/** A field of a model with the data for forms, documents, types and messages. */
export interface Field {
  /** For items of a list: the title that the list declares for them, else "". */
  readonly title: string;
  /** Set if the schema has no title, so that it is derived from the field's name. */
  readonly isUntitled?: true;
  /** One line of help. */
  readonly help?: string;
  readonly isRequired: boolean;
  /** Types of JSON Schema; empty if all are allowed. */
  readonly types: readonly string[];
  /** The list of allowed values, if there is one. */
  readonly allowed?: readonly Json[];
  readonly bounds: Bounds;
  readonly format?: string;
  readonly pattern?: string;
  /** The number that stands for "not known". */
  readonly notKnown?: number;
  /** With `notKnown`: the least number that is a value; numbers between the two are not allowed. */
  readonly leastKnown?: number;
  /** Set if it is a date in the past. */
  readonly isPast?: true;
  /** Set if it cites a term of this vocabulary; `fields` are copied props. */
  readonly term?: { readonly vocabulary: string; readonly fields: readonly string[] };
  /** Set if it refers to an object of the list at path `to` of the same record; `fields` are copied. */
  readonly reference?: { readonly to: string; readonly fields: readonly string[] };
  /** Set for an object. */
  readonly shape?: ObjectShape;
  /** Set for a list. */
  readonly items?: Field;
}

const BOUNDS = [
  ...(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const),
  ...(["minLength", "maxLength", "minItems", "maxItems"] as const),
] as const;

/** All schemas that apply to a value. */
interface Schemas {
  /** Schemas that apply to every value, outer before inner. */
  readonly always: readonly JsonObject[];
  /** Schemas that apply to some values only: alternatives without a choosing field, and conditions. */
  readonly sometimes: readonly JsonObject[];
}

/** The schemas of a property: for every object, and for some objects only. */
interface Declared {
  readonly surely: readonly Json[];
  readonly maybe: readonly Json[];
}

/** Builds the tree of fields of `metadata` from a bundled schema (`bundleSchema`). */
export function fieldTree(root: JsonObject): Field {
  const fieldOf = (declared: Declared, name: string, isRequired: boolean): Field => {
    const isCertain = declared.surely.length > 0;
    const schemas = schemasOf(root, isCertain ? declared : { surely: declared.maybe, maybe: [] });
    const first = (keyword: string): Json | undefined =>
      schemas.always.find((each) => each[keyword] !== undefined)?.[keyword];
    const items = { surely: schemas.always.flatMap(itemSchemas), maybe: schemas.sometimes.flatMap(itemSchemas) };
    const [title, help, format, pattern] = ["title", "description", "format", "pattern"].map(first);
    const [term, reference] = [first("x-vocabulary"), first("x-reference")];
    const allowed = first("enum") ?? (first("const") === undefined ? undefined : [first("const")!]);
    const [notKnown, forbidden] = [first("x-not-known"), first("not")];
    const types = [first("type") ?? []].flat().map(String);
    const isShaped = allSchemas(schemas).some((each) => isObject(each.properties) || isChoice(each));
    return {
      ...(typeof title === "string" ? { title } : { title: titleFromName(name), isUntitled: true as const }),
      ...(typeof help === "string" ? { help } : {}),
      isRequired,
      types,
      ...(Array.isArray(allowed) ? { allowed } : {}),
      bounds: Object.fromEntries(
        BOUNDS.map((bound) => [bound, first(bound)]).filter(([, value]) => value !== undefined),
      ),
      ...(typeof format === "string" ? { format } : {}),
      ...(typeof pattern === "string" ? { pattern } : {}),
      ...(typeof notKnown === "number" ? notKnownOf(notKnown, forbidden, first("minimum"), types) : {}),
      ...(first("x-past") === true ? { isPast: true as const } : {}),
      ...(isObject(term) ? { term: { vocabulary: String(term.name), fields: textsInList(term.fields) } } : {}),
      ...(isObject(reference)
        ? { reference: { to: String(reference.to), fields: textsInList(reference.fields) } }
        : {}),
      ...(isShaped ? { shape: shapeOf(schemas) } : {}),
      ...(Object.values(items).flat().length > 0 ? { items: fieldOf(items, "", true) } : {}),
    };
  };

  const shapeOf = (schemas: Schemas): ObjectShape => {
    const required = new Set(schemas.always.flatMap(({ required: names }) => textsInList(names)));
    const fields = [...propertiesOf(schemas)].map(
      ([name, inner]) => [name, fieldOf(inner, name, required.has(name))] as const,
    );
    const all = allSchemas(schemas);
    const choices = all.filter(isChoice).map((each) => choiceOf(each));
    return { fields: new Map(withChoosers(fields, choices)), choices, isOpen: all.some(isOpenHere) };
  };

  const choiceOf = ({ discriminator, oneOf }: JsonObject): ShapeChoice => {
    const by = String((discriminator as JsonObject).propertyName);
    const alternatives = listOrEmpty(oneOf).map((branch): Alternative => {
      const { fields, ...rest } = shapeOf(schemasOf(root, { surely: [branch], maybe: [] }));
      const others = [...fields].filter(([name]) => name !== by);
      return { values: (fields.get(by)?.allowed ?? []).map(String), shape: { ...rest, fields: new Map(others) } };
    });
    return { by, alternatives };
  };

  return fieldOf({ surely: [root], maybe: [] }, "metadata", true);
}

/**
 * Returns the shapes that apply to an object: the shape itself, and the alternative that each choosing field selects.
 * For a missing or invalid choice, all alternatives apply.
 */
export function applicableShapes(shape: ObjectShape, value: JsonObject): readonly ObjectShape[] {
  const chosen = shape.choices.flatMap(({ by, alternatives }) => {
    const word = own(value, by);
    const fitting = alternatives.filter(({ values }) => values.some((each) => each === word));
    return (fitting.length > 0 ? fitting : alternatives).flatMap((each) => applicableShapes(each.shape, value));
  });
  return [shape, ...chosen];
}

/**
 * Returns the fields along a place in `metadata`, from the root to the place. Ends early if the model does not declare
 * a field.
 * @param place keys and indices below `metadata`
 */
export function fieldsAlong(root: Field, metadata: Json, place: readonly (string | number)[]): readonly Field[] {
  const fields = [root];
  let value: Json | undefined = metadata;
  for (const step of place) {
    const field: Field | undefined = stepInto(fields.at(-1)!, value, step);
    if (field === undefined) return fields;
    fields.push(field);
    value = typeof value === "object" && value !== null ? own(value as JsonObject, String(step)) : undefined;
  }
  return fields;
}

function stepInto(field: Field, value: Json | undefined, step: string | number): Field | undefined {
  if (Array.isArray(value)) return field.items;
  if (field.shape === undefined || !isObject(value)) return undefined;
  return applicableShapes(field.shape, value)
    .map(({ fields }) => fields.get(String(step)))
    .find((each) => each !== undefined);
}

function schemasOf(root: JsonObject, { surely, maybe }: Declared): Schemas {
  const sure = surely.map((schema) => schemasIn(root, schema));
  const unsure = maybe.map((schema) => schemasIn(root, schema));
  return {
    always: sure.flatMap(({ always }) => always),
    sometimes: [...sure.flatMap(({ sometimes }) => sometimes), ...unsure.flatMap(allSchemas)],
  };
}

function schemasIn(root: JsonObject, schema: Json | undefined): Schemas {
  if (!isObject(schema)) return { always: [], sometimes: [] };
  const referred = schema.$ref === undefined ? undefined : resolveDefinition(root, String(schema.$ref));
  const below = schemasOf(root, {
    surely: [referred, ...listOrEmpty(schema.allOf)].filter(isObject),
    maybe: [
      ...listOrEmpty(schema.anyOf),
      ...(isChoice(schema) ? [] : listOrEmpty(schema.oneOf)),
      schema.if,
      schema.then,
      schema.else,
    ].filter(isObject),
  });
  return { always: [schema, ...below.always], sometimes: below.sometimes };
}

/** Returns the schemas of each property by name, in declared order. */
function propertiesOf({ always, sometimes }: Schemas): ReadonlyMap<string, Declared> {
  const properties = new Map<string, Declared>();
  for (const certainty of ["surely", "maybe"] as const) {
    const schemas = certainty === "surely" ? always : sometimes;
    for (const [name, inner] of schemas.flatMap((schema) => Object.entries(objectOrEmpty(schema.properties)))) {
      const declared = properties.get(name) ?? { surely: [], maybe: [] };
      properties.set(name, { ...declared, [certainty]: [...declared[certainty], inner] });
    }
  }
  return properties;
}

const allSchemas = ({ always, sometimes }: Schemas): readonly JsonObject[] => [...always, ...sometimes];

/** Sets the allowed values of choosing fields: those of all alternatives, each of which declares only its own. */
function withChoosers(
  fields: readonly (readonly [string, Field])[],
  choices: readonly ShapeChoice[],
): readonly (readonly [string, Field])[] {
  return fields.map(([name, field]) => {
    const choice = choices.find(({ by }) => by === name);
    if (choice === undefined) return [name, field];
    return [name, { ...field, allowed: choice.alternatives.flatMap(({ values }) => values) }];
  });
}

function isChoice({ discriminator, oneOf }: JsonObject): boolean {
  return isObject(discriminator) && Array.isArray(oneOf);
}

function isOpenHere(schema: JsonObject): boolean {
  const { additionalProperties } = schema;
  const isDeclaredOpen = additionalProperties === true || isObject(additionalProperties);
  return (
    isDeclaredOpen || ["patternProperties", "x-vocabulary", "x-reference"].some((key) => Object.hasOwn(schema, key))
  );
}

/** Returns the number for "not known", and the least known number; for whole numbers the next one. */
function notKnownOf(
  notKnown: number,
  forbidden: Json | undefined,
  minimum: Json | undefined,
  types: readonly string[],
): Pick<Field, "notKnown" | "leastKnown"> {
  const gap = forbiddenRange(forbidden);
  const isWhole = types.length > 0 && types.every((type) => type === "integer");
  if (gap?.above === notKnown) return { notKnown, leastKnown: gap.below };
  return isWhole && minimum === notKnown ? { notKnown, leastKnown: notKnown + 1 } : { notKnown };
}

/** Returns the range that a schema forbids: `{"not": {"exclusiveMinimum": above, "exclusiveMaximum": below}}`. */
export function forbiddenRange(
  forbidden: Json | undefined,
): { readonly above: number; readonly below: number } | undefined {
  if (!isObject(forbidden) || Object.keys(forbidden).length !== 2) return undefined;
  const { exclusiveMinimum: above, exclusiveMaximum: below } = forbidden;
  return typeof above === "number" && typeof below === "number" ? { above, below } : undefined;
}

/** Converts the name of a field to a title: `storage_temperature` to "Storage temperature". */
export function titleFromName(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const objectOrEmpty = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const listOrEmpty = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const textsInList = (value: Json | undefined): readonly string[] =>
  listOrEmpty(value).filter((each) => typeof each === "string");
