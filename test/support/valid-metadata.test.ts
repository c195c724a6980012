import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import { makeValidator } from "../../src/services/rules/validator.js";
import { tinyModel } from "./tiny-catalog.js";
import { validMetadata } from "./valid-metadata.js";

const object = (properties: JsonObject, required: readonly string[] = [], more: JsonObject = {}): JsonObject => ({
  type: "object",
  required,
  properties,
  ...more,
});
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "array", items, ...more });
/** An object literal may not say `then`: it might be taken for a promise. */
const where = (when: JsonObject, holds: JsonObject): JsonObject =>
  JSON.parse(`{"if": ${JSON.stringify(when)}, "then": ${JSON.stringify(holds)}}`) as JsonObject;
const citedFrom = (name: string): JsonObject => object({ id: {} }, ["id"], { "x-vocabulary": { name, fields: [] } });
const leadsTo = (to: string): JsonObject =>
  object({ id: {} }, ["id"], { "x-reference": { to: `metadata.${to}`, fields: ["name"] } });
const part = object({ id: { type: "string", minLength: 1, maxLength: 2 }, name: { type: "string" } }, ["name"]);

/** Says all that a model can say. */
const SCHEMA = object(
  {
    title: { type: "string", minLength: 3, maxLength: 10 },
    code: { type: "string", pattern: "^[A-Z]{2}-[0-9]+$" },
    share: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
    step: { type: "number", multipleOf: 0.25, minimum: -1, maximum: 3 },
    count: { type: "integer", minimum: -1, "x-not-known": -1 },
    yes: { type: ["boolean", "null"] },
    any: {},
    ...Object.fromEntries(
      ["date", "date-time", "time", "email", "uri", "uri-reference", "uuid"].map((format) => [
        format,
        { type: "string", format },
      ]),
    ),
    warmth: object({ value: { type: "number" }, unit: { type: "string", enum: ["K", "°C"] } }, ["value", "unit"], {
      allOf: [
        where({ required: ["unit"], properties: { unit: { const: "K" } } }, { properties: { value: { minimum: 0 } } }),
      ],
    }),
    things: list(
      object({ kind: { type: "string" } }, ["kind"], {
        discriminator: { propertyName: "kind" },
        oneOf: [
          object({ kind: { const: "flat" }, area: { type: "number", minimum: 0 } }, ["kind", "area"]),
          object({ kind: { enum: ["round", "long"] }, radius: { type: "integer", maximum: 5 } }, ["radius"]),
        ],
      }),
      { minItems: 2, maxItems: 3 },
    ),
    place: citedFrom("places"),
    nowhere: citedFrom("nothing"),
    stuck: object({ nowhere: citedFrom("nothing") }, ["nowhere"]),
    parts: list(part, { minItems: 1 }),
    partsUsed: list(leadsTo("parts"), { minItems: 1 }),
    wholes: list(object({ ...(part.properties as JsonObject), of: leadsTo("parts") }, ["id", "of"])),
    last: leadsTo("wholes"),
  },
  ["title", "things", "place"],
);

const references = [
  { path: "metadata.partsUsed", to: "metadata.parts", fields: ["name"] },
  { path: "metadata.wholes.of", to: "metadata.parts", fields: ["name"] },
  { path: "metadata.last", to: "metadata.wholes", fields: ["name"] },
];
const MODEL = tinyModel("tiny", { schema: SCHEMA, references });
const idsOf = (vocabulary: string): readonly string[] => (vocabulary === "places" ? ["pl:1", "pl:2"] : []);
const RECORDS = fc.sample(validMetadata(MODEL, idsOf), { numRuns: 1_000, seed: 7 });

interface Part {
  readonly id?: string;
  readonly name?: string;
}

describe("generated metadata", () => {
  it("fits the schema, whatever this asks for", () => {
    const validate = makeValidator(MODEL);
    for (const made of RECORDS)
      expect([validate(made), made]).toEqual([expect.objectContaining({ issues: [], warnings: [] }), made]);
  });

  it("has what must be there always and the rest sometimes", () => {
    const share = (name: string): number => RECORDS.filter((made) => Object.hasOwn(made, name)).length / RECORDS.length;
    for (const name of ["title", "things", "place"]) expect(share(name)).toBe(1);
    for (const name of ["code", "yes", "uuid", "warmth", "parts"]) {
      expect(share(name)).toBeGreaterThan(0.3);
      expect(share(name)).toBeLessThan(0.7);
    }
  });

  it("stands at the edges of bounds, and says that something is not known", () => {
    const valuesOf = (name: string): Set<unknown> => new Set(RECORDS.map((made) => made[name]));
    expect([...valuesOf("step")]).toEqual(expect.arrayContaining([-1, 0.25, 3]));
    expect([...valuesOf("count")]).toContain(-1);
    const warmths = RECORDS.map((made) => made.warmth as { value: number; unit: string } | undefined);
    expect(warmths.some((warmth) => warmth?.unit === "K" && warmth.value === 0)).toBe(true);
    expect(warmths.some((warmth) => warmth?.unit === "°C" && warmth.value < 0)).toBe(true);
  });

  it("cites what may be cited, and nothing of a vocabulary without items", () => {
    for (const { place, nowhere, stuck } of RECORDS) {
      expect(idsOf("places")).toContain((place as Part).id);
      expect([nowhere, stuck]).toEqual([undefined, undefined]);
    }
  });

  it("refers to parts that the record has, each with an id of its own, with their copied fields", () => {
    const found = { partsUsed: 0, of: 0, last: 0 };
    for (const made of RECORDS) {
      const {
        parts = [],
        partsUsed = [],
        wholes = [],
        last,
      } = made as {
        readonly [Name in "parts" | "partsUsed"]?: readonly Part[];
      } & { readonly wholes?: readonly (Part & { readonly of: Part })[]; readonly last?: Part };
      for (const targets of [parts, wholes]) {
        const ids = targets.flatMap(({ id }) => id ?? []);
        expect(new Set(ids).size).toBe(ids.length);
      }
      const has = (targets: readonly Part[], reference: Part): void => {
        const target = targets.find(({ id }) => id !== undefined && id === reference.id);
        expect(target).toBeDefined();
        expect(reference).toEqual({ id: target?.id, ...(target?.name === undefined ? {} : { name: target.name }) });
      };
      for (const used of partsUsed) has(parts, used);
      for (const whole of wholes) has(parts, whole.of);
      if (last !== undefined) has(wholes, last);
      found.partsUsed += partsUsed.length;
      found.of += wholes.length;
      found.last += last === undefined ? 0 : 1;
    }
    for (const count of Object.values(found)) expect(count).toBeGreaterThan(20);
  });

  it("shrinks to what must be there", () => {
    const property = fc.property(validMetadata(MODEL, idsOf), () => false);
    const { counterexample } = fc.check(property, { seed: 7 });
    expect(counterexample?.[0]).toEqual({
      title: expect.any(String),
      things: [
        { kind: "flat", area: 0 },
        { kind: "flat", area: 0 },
      ],
      place: { id: "pl:1" },
    });
  });

  it("is refused by name where a condition asks for more than bounds of numbers", () => {
    const odd = { ...SCHEMA, ...where({ properties: { title: { const: "odd" } } }, { required: ["code"] }) };
    expect(() => validMetadata(tinyModel("tiny", { schema: odd }), idsOf)).toThrow(/"required":\["code"\]/);
  });
});
