import { describe, expect, it } from "vitest";
import { nest } from "./pre-order.js";

describe("nest", () => {
  it("gives each node the interval of its subtree", () => {
    //  1 ─ 2 ─ 4
    //    └ 3        5 (a second root)
    const { lo, hi, isForest } = nest(Uint32Array.from([0, 0, 1, 1, 2, 0]));
    expect([...lo].slice(1)).toEqual([1, 2, 4, 3, 5]);
    expect([...hi].slice(1)).toEqual([4, 3, 4, 3, 5]);
    expect(isForest).toBe(true);
  });

  it("walks a chain of a million nodes without a stack", () => {
    const { lo, hi } = nest(Uint32Array.from({ length: 1_000_001 }, (_, node) => (node === 0 ? 0 : node - 1)));
    expect([lo[1_000_000], hi[1]]).toEqual([1_000_000, 1_000_000]);
  });

  it("tells that parents lead in circles", () => {
    expect(nest(Uint32Array.from([0, 2, 1, 0])).isForest).toBe(false);
    expect(nest(Uint32Array.from([0, 1])).isForest).toBe(false);
  });

  it("takes an empty forest", () => {
    expect(nest(new Uint32Array(1))).toMatchObject({ isForest: true });
  });
});
