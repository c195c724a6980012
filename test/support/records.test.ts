import { expect, it } from "vitest";
import { isObject, type Json } from "../../src/core/json.js";
import { makeValidator } from "../../src/services/rules/validator.js";
import { builtInCatalog } from "./catalog.js";
import { wordOfRank } from "./random.js";
import { makeRecord } from "./records.js";

function leavesOf(value: Json): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + leavesOf(each), 0);
  if (isObject(value)) return Object.values(value).reduce<number>((sum, each) => sum + leavesOf(each), 0);
  return 1;
}

it("makes records that are valid, without a word", () => {
  const validate = makeValidator(builtInCatalog().models.get("mst")!);
  for (let n = 0; n < 200; n++) {
    expect(validate(makeRecord(n, { seed: n }).metadata)).toMatchObject({ issues: [], warnings: [] });
  }
});

it("makes records of the size of real ones, and the same ones every time", () => {
  for (let n = 0; n < 20; n++) {
    const record = makeRecord(n);
    const text = JSON.stringify(record);
    expect(JSON.stringify(makeRecord(n))).toBe(text);
    // The terms that the service fills in add some 2 kB and 60 leaves.
    expect(text.length).toBeGreaterThan(5_000);
    expect(text.length).toBeLessThan(8_000);
    expect(leavesOf(record.metadata)).toBeGreaterThan(130);
  }
  expect(JSON.stringify(makeRecord(1))).not.toBe(JSON.stringify(makeRecord(2)));
});

it("makes a different word of each rank", () => {
  const words = Array.from({ length: 20_000 }, (_, rank) => wordOfRank(rank));
  // Syllables may run together to the same word; so rarely that the frequencies stay as they are meant.
  expect(new Set(words).size).toBeGreaterThan(19_000);
});
