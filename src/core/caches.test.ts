import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeCache, makeCaches } from "./caches.js";

describe("makeCache", () => {
  it("never keeps more than its budget, whatever is kept in whatever order", () => {
    const step = fc.record({ key: fc.constantFrom("a", "b", "c", "d"), bytes: fc.integer({ min: 0, max: 3000 }) });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4000 }), fc.array(step), (budget, steps) => {
        const cache = makeCache(budget);
        for (const { key, bytes } of steps) {
          cache.set(key, bytes, bytes);
          expect(cache.bytes).toBeLessThanOrEqual(budget);
          const kept = cache.get<number>(key);
          expect(kept === undefined ? bytes + 202 > budget : kept === bytes).toBe(true);
        }
      }),
    );
  });

  it("evicts first what was not used for the longest time", () => {
    const cache = makeCache(1000);
    cache.set("a", 1, 200);
    cache.set("b", 2, 200);
    expect(cache.get("a")).toBe(1);
    cache.set("c", 3, 200);
    expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
  });

  it("removes an entry by its key", () => {
    const cache = makeCache(10_000);
    for (const key of ["x", "y"]) cache.set(key, key, 10);
    cache.remove("x");
    expect([cache.get("x"), cache.get("y")]).toEqual([undefined, "y"]);
  });

  it("removes an entry after its lifetime", async () => {
    const cache = makeCache(1_000);
    cache.set("a", 1, 10, 30);
    expect(cache.get("a")).toBe(1);
    await expect.poll(() => cache.get("a")).toBeUndefined();
  });
});

describe("makeCaches", () => {
  it("opens one cache for a name, with its budget, and reports what is used", () => {
    const caches = makeCaches((name) => (name === "hits" ? 1_000 : 0));
    expect(caches.usage()).toEqual([]);
    const hits = caches.open("hits");
    hits.set("a", "view", 100);
    expect(caches.open("hits").get("a")).toBe("view");
    caches.open("lookups").set("a", "answer", 1);
    expect(caches.open("lookups").get("a")).toBeUndefined();
    expect(caches.usage()).toEqual([{ name: "hits", bytes: 302, budget: 1_000 }]);
  });
});
