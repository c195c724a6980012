import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.js";
import { inlineReferences } from "./bundle-schema.js";

const $defs = {
  Name: { title: "Name", type: "string", minLength: 1 },
  Person: { type: "object", properties: { name: { $ref: "#/$defs/Name" } } },
} satisfies JsonObject;
const NAME = { title: "Name", type: "string", minLength: 1 };
const PERSON = { type: "object", properties: { name: NAME } };

describe("inlineReferences", () => {
  it("puts each definition where it is referred to, within definitions too", () => {
    const schema = { $defs, properties: { owner: { $ref: "#/$defs/Person" } }, items: { $ref: "#/$defs/Name" } };
    expect(inlineReferences(schema)).toEqual({ properties: { owner: PERSON }, items: NAME });
  });

  it("lets the place have its own title and help", () => {
    const schema = { $defs, properties: { owner: { title: "Owner", $ref: "#/$defs/Name", description: "Who." } } };
    expect(inlineReferences(schema)).toEqual({
      properties: { owner: { ...NAME, title: "Owner", description: "Who." } },
    });
  });

  it("keeps what restricts the place beside the definition", () => {
    const beside = { required: ["name"], allOf: [{ $ref: "#/$defs/Person" }, { minProperties: 1 }] };
    const schema = { $defs, $ref: "#/$defs/Person", ...beside };
    expect(inlineReferences(schema)).toEqual({ required: ["name"], allOf: [PERSON, PERSON, { minProperties: 1 }] });
  });

  it("goes into alternatives and conditions, and leaves values as they are", () => {
    const value = { $ref: "#/$defs/Name" };
    const schema = { $defs, oneOf: [value], if: value, const: value, enum: [value], properties: { default: value } };
    expect(inlineReferences(schema)).toEqual({
      oneOf: [NAME],
      if: NAME,
      const: value,
      enum: [value],
      properties: { default: NAME },
    });
  });
});
