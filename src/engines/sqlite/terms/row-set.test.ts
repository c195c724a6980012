import { assert, nat, property, uniqueArray } from "fast-check";
import { describe, expect, it } from "vitest";
import { complement, intersect, makeBits, type RowSet, union, unsortedSet } from "./row-set.js";

const UNIVERSE = Array.from({ length: 200 }, (_, id) => id);
const anySet = uniqueArray(nat(199), { maxLength: 120 });
const members = (set: RowSet): number[] => UNIVERSE.filter((id) => set.ids.includes(id) !== set.except);

describe("row sets", () => {
  it("agree with sets, whatever is complemented and however unlike in size", () => {
    assert(
      property(anySet, anySet, nat(3), (a, b, flags) => {
        const x = flags & 1 ? complement(unsortedSet(a)) : unsortedSet(a);
        const y = flags & 2 ? complement(unsortedSet(b)) : unsortedSet(b);
        const inX = new Set(members(x));
        const inY = new Set(members(y));
        expect(members(intersect(x, y))).toEqual(UNIVERSE.filter((id) => inX.has(id) && inY.has(id)));
        expect(members(union(x, y))).toEqual(UNIVERSE.filter((id) => inX.has(id) || inY.has(id)));
        const bits = makeBits(x.ids);
        expect(UNIVERSE.filter(bits)).toEqual([...x.ids]);
      }),
    );
  });
});
