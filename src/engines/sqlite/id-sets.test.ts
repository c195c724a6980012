import fc from "fast-check";
import { expect, it } from "vitest";
import { complementOf, type IdSet, intersect, lowerBound, unite } from "./id-sets.js";

const UNIVERSE = Array.from({ length: 12 }, (_, i) => i + 1);

const anyIds = fc.subarray(UNIVERSE);
const anySet = fc.record({ ids: anyIds, complement: fc.boolean() });
const membersOf = ({ ids, complement }: IdSet): number[] => UNIVERSE.filter((id) => ids.includes(id) !== complement);

it("intersects, unites and complements as sets do, and keeps the order", () => {
  fc.assert(
    fc.property(anySet, anySet, (a, b) => {
      const [inA, inB] = [membersOf(a), membersOf(b)];
      expect(membersOf(intersect(a, b))).toEqual(inA.filter((id) => inB.includes(id)));
      expect(membersOf(unite(a, b))).toEqual(UNIVERSE.filter((id) => inA.includes(id) || inB.includes(id)));
      expect(membersOf(complementOf(a))).toEqual(UNIVERSE.filter((id) => !inA.includes(id)));
      for (const { ids } of [intersect(a, b), unite(a, b)]) {
        expect(ids).toEqual([...new Set(ids)].sort((x, y) => x - y));
      }
    }),
  );
});

it("finds where an id stands", () => {
  fc.assert(
    fc.property(anyIds, fc.integer({ min: 0, max: 14 }), (ids, id) => {
      expect(lowerBound(ids, id)).toBe(ids.filter((other) => other < id).length);
    }),
  );
});
