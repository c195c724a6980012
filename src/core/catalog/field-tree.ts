import { isObject, type Json, type JsonObject, own } from "../json.js";
import { definition, itemsOf } from "./walk-schema.js";

/** What an object may hold. */
export interface ObjectShape {
  /** By name, in declared order. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Further fields, which depend on the text of one of `fields`. */
  readonly choices: readonly Choice[];
  /** May any other field stand here, too? */
  readonly isOpen: boolean;
}

/** Alternatives of which the field `by` of the same object chooses one (schema keyword `discriminator`). */
export interface Choice {
  readonly by: string;
  readonly alternatives: readonly Alternative[];
}

export interface Alternative {
  /** Texts of the choosing field that mean this alternative. */
  readonly values: readonly string[];
  /** What it adds to the object; the choosing field stands in the object's own fields. */
  readonly shape: ObjectShape;
}

/** The bounds that a schema sets; each as JSON Schema defines the keyword of the name. */
export type Bounds = { readonly [Name in (typeof BOUNDS)[number]]?: number };

/** One field of a model: what forms, documents, types and messages need to know of it. */
export interface Field {
  /** Of items of a list: what the list says of them, else "". */
  readonly title: string;
  /** Does the schema not say it, so that it is made of the field's name? */
  readonly isUntitled?: true;
  /** One line that says what belongs here. */
  readonly help?: string;
  readonly isRequired: boolean;
  /** Types of JSON Schema; empty where any will do. */
  readonly types: readonly string[];
  /** The values that it takes, where these are a list. */
  readonly allowed?: readonly Json[];
  readonly bounds: Bounds;
  readonly format?: string;
  readonly pattern?: string;
  /** The number that stands for "not known". */
  readonly notKnown?: number;
  /** With `notKnown`: the least number that is a value, which nothing between the two may be. */
  readonly leastKnown?: number;
  /** A date that lies in the past. */
  readonly isPast?: true;
  /** A term of this vocabulary is cited here, and these props of it are copied. */
  readonly term?: { readonly vocabulary: string; readonly fields: readonly string[] };
  /** An object of the list at path `to` of the same record is referred to, and these fields of it are copied. */
  readonly reference?: { readonly to: string; readonly fields: readonly string[] };
  /** Of an object. */
  readonly shape?: ObjectShape;
  /** Of a list. */
  readonly items?: Field;
}

const BOUNDS = [
  ...(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const),
  ...(["minLength", "maxLength", "minItems", "maxItems"] as const),
] as const;

/** All schemas that speak of one value. */
interface Said {
  /** Those that hold whatever the value is, outer before inner. */
  readonly always: readonly JsonObject[];
  /** Those that hold for some values only: alternatives without a choosing field, and conditions. */
  readonly sometimes: readonly JsonObject[];
}

/** The schemas of a property: those of every object, and those of some objects only. */
interface Declared {
  readonly surely: readonly Json[];
  readonly maybe: readonly Json[];
}

/** What a bundled schema (`bundleSchema`) says of `metadata`, as a tree of fields. */
export function fieldTree(root: JsonObject): Field {
  const fieldOf = (declared: Declared, name: string, isRequired: boolean): Field => {
    const isCertain = declared.surely.length > 0;
    const said = saidOf(root, isCertain ? declared : { surely: declared.maybe, maybe: [] });
    const first = (keyword: string): Json | undefined =>
      said.always.find((each) => each[keyword] !== undefined)?.[keyword];
    const items = { surely: said.always.flatMap(itemsOf), maybe: said.sometimes.flatMap(itemsOf) };
    const [title, help, format, pattern] = ["title", "description", "format", "pattern"].map(first);
    const [term, reference] = [first("x-vocabulary"), first("x-reference")];
    const allowed = first("enum") ?? (first("const") === undefined ? undefined : [first("const")!]);
    const [notKnown, forbidden] = [first("x-not-known"), first("not")];
    const types = [first("type") ?? []].flat().map(String);
    const isShaped = allOf(said).some((each) => isObject(each.properties) || isChoice(each));
    return {
      ...(typeof title === "string" ? { title } : { title: inWords(name), isUntitled: true as const }),
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
      ...(isObject(term) ? { term: { vocabulary: String(term.name), fields: textsOf(term.fields) } } : {}),
      ...(isObject(reference) ? { reference: { to: String(reference.to), fields: textsOf(reference.fields) } } : {}),
      ...(isShaped ? { shape: shapeOf(said) } : {}),
      ...(Object.values(items).flat().length > 0 ? { items: fieldOf(items, "", true) } : {}),
    };
  };

  const shapeOf = (said: Said): ObjectShape => {
    const required = new Set(said.always.flatMap(({ required: names }) => textsOf(names)));
    const fields = [...propertiesOf(said)].map(
      ([name, inner]) => [name, fieldOf(inner, name, required.has(name))] as const,
    );
    const all = allOf(said);
    const choices = all.filter(isChoice).map((each) => choiceOf(each));
    return { fields: new Map(withChoosers(fields, choices)), choices, isOpen: all.some(isOpenHere) };
  };

  const choiceOf = ({ discriminator, oneOf }: JsonObject): Choice => {
    const by = String((discriminator as JsonObject).propertyName);
    const alternatives = listOf(oneOf).map((branch): Alternative => {
      const { fields, ...rest } = shapeOf(saidOf(root, { surely: [branch], maybe: [] }));
      const others = [...fields].filter(([name]) => name !== by);
      return { values: (fields.get(by)?.allowed ?? []).map(String), shape: { ...rest, fields: new Map(others) } };
    });
    return { by, alternatives };
  };

  return fieldOf({ surely: [root], maybe: [] }, "metadata", true);
}

/**
 * What an object of this shape may hold, given what it holds: the shape itself, and the one that each choosing field
 * chooses. Of a choice that is not made yet, or badly, all alternatives.
 */
export function shapesFor(shape: ObjectShape, value: JsonObject): readonly ObjectShape[] {
  const chosen = shape.choices.flatMap(({ by, alternatives }) => {
    const word = own(value, by);
    const fitting = alternatives.filter(({ values }) => values.some((each) => each === word));
    return (fitting.length > 0 ? fitting : alternatives).flatMap((each) => shapesFor(each.shape, value));
  });
  return [shape, ...chosen];
}

/**
 * The fields on the way to a place of `metadata`, from the root to the place itself; ends early where the model
 * knows no more.
 *
 * @param place keys and indices below `metadata`
 */
export function fieldsTo(root: Field, metadata: Json, place: readonly (string | number)[]): readonly Field[] {
  const found = [root];
  let value: Json | undefined = metadata;
  for (const step of place) {
    const field: Field | undefined = stepInto(found.at(-1)!, value, step);
    if (field === undefined) return found;
    found.push(field);
    value = typeof value === "object" && value !== null ? own(value as JsonObject, String(step)) : undefined;
  }
  return found;
}

function stepInto(field: Field, value: Json | undefined, step: string | number): Field | undefined {
  if (Array.isArray(value)) return field.items;
  if (field.shape === undefined || !isObject(value)) return undefined;
  return shapesFor(field.shape, value)
    .map(({ fields }) => fields.get(String(step)))
    .find((each) => each !== undefined);
}

function saidOf(root: JsonObject, { surely, maybe }: Declared): Said {
  const sure = surely.map((schema) => saidBy(root, schema));
  const unsure = maybe.map((schema) => saidBy(root, schema));
  return {
    always: sure.flatMap(({ always }) => always),
    sometimes: [...sure.flatMap(({ sometimes }) => sometimes), ...unsure.flatMap(allOf)],
  };
}

function saidBy(root: JsonObject, schema: Json | undefined): Said {
  if (!isObject(schema)) return { always: [], sometimes: [] };
  const referred = schema.$ref === undefined ? undefined : definition(root, String(schema.$ref));
  const below = saidOf(root, {
    surely: [referred, ...listOf(schema.allOf)].filter(isObject),
    maybe: [
      ...listOf(schema.anyOf),
      ...(isChoice(schema) ? [] : listOf(schema.oneOf)),
      ...[schema.if, schema.then, schema.else],
    ].filter(isObject),
  });
  return { always: [schema, ...below.always], sometimes: below.sometimes };
}

/** The schemas of each property by its name, in declared order. */
function propertiesOf(said: Said): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared>();
  for (const how of ["surely", "maybe"] as const) {
    const schemas = how === "surely" ? said.always : said.sometimes;
    for (const [name, inner] of schemas.flatMap(({ properties }) => Object.entries(objectOf(properties)))) {
      const known = found.get(name) ?? { surely: [], maybe: [] };
      found.set(name, { ...known, [how]: [...known[how], inner] });
    }
  }
  return found;
}

const allOf = ({ always, sometimes }: Said): readonly JsonObject[] => [...always, ...sometimes];

/** A choosing field takes what its alternatives stand for; each of them names only its own. */
function withChoosers(
  fields: readonly (readonly [string, Field])[],
  choices: readonly Choice[],
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

/** Of whole numbers from the one that is not known on, the next one is a value. */
function notKnownOf(
  notKnown: number,
  forbidden: Json | undefined,
  minimum: Json | undefined,
  types: readonly string[],
): Pick<Field, "notKnown" | "leastKnown"> {
  const gap = gapOf(forbidden);
  const isWhole = types.length > 0 && types.every((type) => type === "integer");
  if (gap?.above === notKnown) return { notKnown, leastKnown: gap.below };
  return isWhole && minimum === notKnown ? { notKnown, leastKnown: notKnown + 1 } : { notKnown };
}

/** The numbers that a schema forbids: `{"not": {"exclusiveMinimum": above, "exclusiveMaximum": below}}`. */
export function gapOf(forbidden: Json | undefined): { readonly above: number; readonly below: number } | undefined {
  if (!isObject(forbidden) || Object.keys(forbidden).length !== 2) return undefined;
  const { exclusiveMinimum: above, exclusiveMaximum: below } = forbidden;
  return typeof above === "number" && typeof below === "number" ? { above, below } : undefined;
}

/** `excitation_led_power` as "Excitation led power". */
function inWords(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const textsOf = (value: Json | undefined): readonly string[] =>
  listOf(value).filter((each) => typeof each === "string");
