import { describe, expect, it } from "vitest";
import { type Field, fieldTree, type ObjectShape } from "../../src/core/catalog/field-tree.js";
import { isObject, type Json, type JsonObject } from "../../src/core/json.js";
import { builtInCatalog } from "../support/catalog.js";
import { modelsWithFacts, type Places, readFacts, type Said } from "./facts.js";

const { models } = builtInCatalog();

/** Places of numbers that cannot be negative, which the facts do not say. Energies and a Hill coefficient can be. */
const POSITIVE = [
  ...[
    "Concentration",
    "Constant of association KA",
    "Constant of dissociation KD",
    "Half maximal effective concentration EC50",
    "Association rate kOn",
    "Dissociation rate kOff",
    "Molecular weight",
  ].map((kind) => `general_parameters.results[](type: ${kind}).value`),
  "method_specific_parameters.injection_mode(type: Titration).injection_parameters[].n_injections",
];

describe("the schemas say what the facts of the data model say", () => {
  it.each(modelsWithFacts())("%s, path by path and alternative by alternative", (name) => {
    const facts = readFacts(name);
    expect(facts.size).toBeGreaterThan(1200);
    const places = placesOf(name);
    for (const place of POSITIVE) if (places.has(place)) places.set(place, withoutMinimum(places.get(place)!));
    expect(inOrder(places)).toEqual(inOrder(facts));
  });

  it("of lists of lists, too: the path of a flow over a chip is one", () => {
    const deep = modelsWithFacts().flatMap((name) =>
      [...readFacts(name)].filter(([place]) => place.includes("[][]")).map(([place]) => `${name} ${place}`),
    );
    expect(deep).toEqual(["spr method_specific_parameters.measurement_protocol[].flow.path[][]"]);
  });

  it("of 535 leaves over the four models", () => {
    const leaves = modelsWithFacts().flatMap((name) => leavesOf(readFacts(name)));
    expect(new Set(leaves).size).toBe(535);
  });
});

/** A required text is not empty, and what cannot be below zero is not: the facts leave both to common sense. */
describe("the schemas say more than the facts", () => {
  it.each([...models.keys()])("%s: of constants, rates, masses and counts, that they are not below 0", (name) => {
    const places = placesOf(name);
    for (const place of POSITIVE) expect(places.get(place)?.minimum ?? 0).toBe(0);
    const results = [...places].filter(([place]) => /results\[\]\(.*\)\.value$/.test(place));
    const signed = results.filter(([, { minimum }]) => minimum === undefined).map(([place]) => place);
    expect(signed.map((place) => /type: (.*)\)/.exec(place)?.[1]).sort()).toEqual([
      "Change in Gibbs free energy deltaG",
      "Change in enthalpy deltaH",
      "Change in entropy deltaS",
      "Hill coefficient",
    ]);
  });

  it.each([...models.keys()])(
    "%s: of what may be -1 if it is not known, that nothing lies between that and 0",
    (name) => {
      const maybe = fieldsOf(name).filter(({ notKnown }) => notKnown !== undefined);
      expect(maybe.length).toBeGreaterThan(5);
      expect(maybe.filter(({ notKnown, leastKnown }) => notKnown !== -1 || leastKnown !== 0)).toEqual([]);
    },
  );

  it.each([...models.keys()])("%s: of required texts, that they are not empty", (name) => {
    const texts = fieldsOf(name).filter(({ types, allowed, format }) => `${types}` === "string" && !allowed && !format);
    const lacking = texts.filter(({ isRequired, bounds }) => (bounds.minLength ?? 0) !== (isRequired ? 1 : 0));
    expect(texts.length).toBeGreaterThan(100);
    expect(lacking).toEqual([]);
  });

  it.each([...models.keys()])("%s: of temperatures, the least of each unit, and no other condition", (name) => {
    const conditions = schemasIn(models.get(name)!.schema).filter((schema) => schema.if !== undefined);
    expect(conditions.map((each) => [each.if, each.then])).toEqual(
      [["K", 0] as const, ["°C", -273.15] as const, ["°F", -459.67] as const].map(([unit, minimum]) => [
        { required: ["unit"], properties: { unit: { const: unit } } },
        { properties: { value: { minimum } } },
      ]),
    );
  });
});

function withoutMinimum({ minimum: _, ...others }: Said): Said {
  return others;
}

/** What the schema of a model says of each place. */
function placesOf(name: string): Map<string, Said> {
  const places = new Map<string, Said>();
  const addField = (field: Field, path: string): void => {
    places.set(path, saidOf(field));
    if (field.term !== undefined || field.reference !== undefined) return;
    if (field.items !== undefined) addField(field.items, `${path}[]`);
    if (field.shape === undefined) return;
    for (const [label, fields] of variantsOf(field.shape)) {
      for (const [key, inner] of fields) addField(inner, `${path}${label}.${key}`);
    }
  };
  for (const [key, field] of fieldTree(models.get(name)!.schema).shape!.fields) addField(field, key);
  return places;
}

function saidOf({ types, isRequired, allowed, bounds, format, term, reference }: Field): Said {
  if (term !== undefined) return { type: "term", isRequired, term: [term.vocabulary, ...[...term.fields].sort()] };
  if (reference !== undefined) {
    return { type: "reference", isRequired, reference: [reference.to, ...reference.fields] };
  }
  const { minLength: _, ...others } = bounds;
  return {
    type: `${types.join(" or ")}${format === undefined ? "" : ` (${format})`}`,
    isRequired,
    ...(allowed === undefined ? {} : { allowed: allowed.map(String).sort() }),
    ...others,
  };
}

/** All that an object may hold, for each way to choose; a shape has one choice at most. */
function variantsOf({ fields, choices }: ObjectShape): readonly (readonly [string, ReadonlyMap<string, Field>])[] {
  const [choice, ...others] = choices;
  expect(others).toEqual([]);
  if (choice === undefined) return [["", fields]];
  return choice.alternatives.flatMap(({ values, shape }) =>
    values.flatMap((value) =>
      variantsOf(shape).map(
        ([label, inner]) => [`(${choice.by}: ${value})${label}`, new Map([...fields, ...inner])] as const,
      ),
    ),
  );
}

/** Paths as the query language has them, without alternatives; of a term and a reference, all that is stored. */
function leavesOf(places: Places): string[] {
  const leaves = [...places].filter(([, { type }]) => type !== "object" && type !== "array");
  return leaves.flatMap(([place, { term, reference }]) => {
    const path = place.replaceAll(/\[\]|\([^)]*\)/g, "");
    if (term !== undefined) return ["id", "title", ...term.slice(1)].map((name) => `${path}.${name}`);
    return reference === undefined ? [path] : ["id", ...reference.slice(1)].map((name) => `${path}.${name}`);
  });
}

/** Every field that has a name, in all alternatives. */
function fieldsOf(name: string): readonly Field[] {
  const below = ({ fields, choices }: ObjectShape): Field[] => [
    ...[...fields.values()].flatMap((field) => [field, ...within(field)]),
    ...choices.flatMap(({ alternatives }) => alternatives.flatMap(({ shape }) => below(shape))),
  ];
  const within = ({ shape, items }: Field): Field[] => [
    ...(shape === undefined ? [] : below(shape)),
    ...(items === undefined ? [] : within(items)),
  ];
  return within(fieldTree(models.get(name)!.schema));
}

function schemasIn(value: Json): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(schemasIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(schemasIn)] : [];
}

const inOrder = (places: Places): Readonly<Record<string, Said>> =>
  Object.fromEntries([...places].sort(([a], [b]) => (a < b ? -1 : 1)));
