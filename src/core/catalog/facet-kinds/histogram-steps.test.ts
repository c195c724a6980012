import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listSteps, stepEdges } from "./histogram.js";

const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 });

describe("equal steps", () => {
  it("are equal in difference or in factor, and round enough to be read", () => {
    expect(stepEdges({ count: 4, scale: "linear" }, { smallest: 293.15, largest: 313.15 })).toEqual([
      293.15, 298.15, 303.15, 308.15, 313.16,
    ]);
    expect(stepEdges({ count: 3, scale: "log" }, { smallest: 1e-9, largest: 1e-6 })).toEqual([
      1e-9, 1e-8, 1e-7, 1.01e-6,
    ]);
    expect(stepEdges({ count: 2, scale: "linear" }, { smallest: -40, largest: -20 })).toEqual([-40, -30, -19.99]);
  });

  it("are one where there is one number", () => {
    expect(stepEdges({ count: 24, scale: "linear" }, { smallest: 5, largest: 5 })).toHaveLength(2);
    expect(stepEdges({ count: 24, scale: "log" }, { smallest: 5, largest: 5 })).toHaveLength(2);
    expect(stepEdges({ count: 24, scale: "linear" }, { smallest: 0, largest: 0 })).toHaveLength(2);
  });

  it("are linear where there is nothing above zero", () => {
    const edges = stepEdges({ count: 2, scale: "log" }, { smallest: -4, largest: -2 });
    expect(edges).toEqual(stepEdges({ count: 2, scale: "linear" }, { smallest: -4, largest: -2 }));
  });

  it("hold the smallest and the largest number, ascend, and are as many as asked for or fewer", () => {
    const asked = fc.tuple(number, number, fc.integer({ min: 1, max: 200 }), fc.constantFrom("linear", "log"));
    fc.assert(
      fc.property(asked, ([a, b, count, scale]) => {
        const [smallest, largest] = [Math.min(a, b), Math.max(a, b)];
        const edges = stepEdges({ count, scale: scale as "linear" | "log" }, { smallest, largest });
        expect(edges[0]).toBeLessThanOrEqual(smallest);
        expect(edges.at(-1)).toBeGreaterThan(largest);
        expect(edges.length).toBeLessThanOrEqual(count + 1);
        for (const [i, edge] of edges.entries()) if (i > 0) expect(edge).toBeGreaterThan(edges[i - 1]!);
      }),
      { examples: [[[999_999_999_999.999, 999_999_999_999.9985, 190, "linear"]]] },
    );
  });

  it("are off by less than a hundredth of a step", () => {
    const count = 10;
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (smallest, width) => {
        const edges = stepEdges({ count, scale: "linear" }, { smallest, largest: smallest + width });
        expect(edges).toHaveLength(count + 1);
        for (const [i, edge] of edges.entries()) {
          expect(Math.abs(edge - smallest - (width * i) / count)).toBeLessThan(width / count / 100);
        }
      }),
      {
        examples: [
          [0, 1_000_000],
          [0, 10],
          [-1_000, 1_000],
          [9_900, 100],
        ],
      },
    );
  });

  it("are all listed, in their order, and what a log scale leaves out before them", () => {
    const steps = [
      { key: "1..10", count: 0 },
      { key: "10..100", count: 3 },
    ];
    expect(listSteps([1, 10, 100], [0, 3], 0)).toEqual({ buckets: steps, other: 0 });
    expect(listSteps([1, 10, 100], [0, 3], 2)).toEqual({ buckets: [{ key: "..1", count: 2 }, ...steps], other: 0 });
  });
});
