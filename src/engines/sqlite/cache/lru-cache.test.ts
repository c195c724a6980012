import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeLruCache } from "./lru-cache.js";

describe("the memory of an engine", () => {
  it("never keeps more than its budget, whatever is kept in whatever order", () => {
    const step = fc.record({ key: fc.constantFrom("a", "b", "c", "d"), bytes: fc.integer({ min: 0, max: 3000 }) });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4000 }), fc.array(step), (budget, steps) => {
        const memory = makeLruCache(budget);
        for (const { key, bytes } of steps) {
          memory.set(key, bytes, bytes);
          expect(memory.bytes).toBeLessThanOrEqual(budget);
          const kept = memory.get<number>(key);
          expect(kept === undefined ? bytes + 202 > budget : kept === bytes).toBe(true);
        }
      }),
    );
  });

  it("forgets first what was not used for the longest time", () => {
    const memory = makeLruCache(1000);
    memory.set("a", 1, 200);
    memory.set("b", 2, 200);
    expect(memory.get("a")).toBe(1);
    memory.set("c", 3, 200);
    expect([memory.get("a"), memory.get("b"), memory.get("c")]).toEqual([1, undefined, 3]);
  });

  it("drops by key and by the beginning of keys", () => {
    const memory = makeLruCache(10_000);
    for (const key of ["x 1", "x 2", "y 1"]) memory.set(key, key, 10);
    memory.remove("x 1");
    expect([memory.get("x 1"), memory.get("x 2")]).toEqual([undefined, "x 2"]);
    memory.removePrefix("x");
    expect([memory.get("x 2"), memory.get("y 1")]).toEqual([undefined, "y 1"]);
    memory.removePrefix("");
    expect(memory.bytes).toBe(0);
  });
});
