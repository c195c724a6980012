import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import { ROOT } from "../support/bindery.js";

interface Described {
  readonly name: string;
  readonly schema: JsonObject;
}

const { withEqualParts } = (await import(join(ROOT, "scripts/shared-parts.mjs"))) as {
  withEqualParts(models: readonly Described[]): readonly Described[];
};

const part = (...techniques: string[]): JsonObject => ({
  properties: { technique: { type: "string", enum: techniques }, enum: { type: "number" } },
});

it("gives a part that models share the values of all of them, and leaves their own parts alone", () => {
  const models = [
    { name: "a", schema: { $defs: { "general.Method": part("A", "B"), Own: part("A") } } },
    { name: "b", schema: { $defs: { "general.Method": part("A", "B", "C"), Own: part("B") } } },
  ];
  expect(withEqualParts(models).map(({ schema }) => schema.$defs)).toEqual([
    { "general.Method": part("A", "B", "C"), Own: part("A") },
    { "general.Method": part("A", "B", "C"), Own: part("B") },
  ]);
});
