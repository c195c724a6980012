import fc from "fast-check";
import { expect, it } from "vitest";
import { wordsFor } from "./bit-words.js";
import {
  cardinality,
  type DocIdSet,
  type MatchSet,
  makeBitmapSet,
  makeDocIdSet,
  makeSortedSet,
  toIds,
} from "./doc-id-set.js";
import { ParentJoin } from "./parent-join.js";

/** Owners of ordinals: runs of up to 80, so that some go on over several words, and some owners come again. */
const anyOwners: fc.Arbitrary<readonly number[]> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 80 }))), {
    maxLength: 40,
  })
  .map((runs) => runs.flatMap(([owner, length]) => new Array<number>(length).fill(owner)));

/** Ordinals of 3,200: none, few, most or any. */
const anyOrdinals: fc.Arbitrary<ReadonlySet<number>> = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 1000 }))
  .map(
    ([of, up, start]) => new Set(Array.from({ length: 3200 }, (_, n) => n).filter((n) => (n * 7 + start) % of < up)),
  );

/** As far as they go, or as far as the ordinals do. */
const bitsOf = (ordinals: Iterable<number>, end = 3200): Uint32Array => {
  const bits = new Uint32Array(wordsFor(end));
  for (const ordinal of ordinals) bits[ordinal >>> 5]! |= 1 << (ordinal & 31);
  return bits;
};

function liftOf(owners: readonly number[], lift = new ParentJoin()): ParentJoin {
  lift.reserve(owners.length);
  for (const owner of owners) lift.append(owner);
  return lift;
}

it("says whose the living of a set are, however the set is kept", () => {
  fc.assert(
    fc.property(
      fc.record({
        early: anyOwners,
        late: anyOwners,
        some: anyOrdinals,
        end: fc.oneof(fc.constant(3200), fc.integer({ min: 0, max: 3200 })),
        alive: anyOrdinals,
        except: fc.boolean(),
      }),
      ({ early, late, some, end, alive, except }) => {
        const owners = [...early, ...late];
        const lift = liftOf(late, liftOf(early));
        const ids = [...some].filter((ordinal) => ordinal < end).sort((a, b) => a - b);
        const set = new Set(ids);
        const kinds: DocIdSet[] = [
          { kind: "ids", ids: Uint32Array.from(ids) },
          { kind: "bits", bits: bitsOf(ids), count: ids.length },
          { kind: "bits", bits: bitsOf(ids, (ids.at(-1) ?? -1) + 1), count: ids.length },
          makeSortedSet(Uint32Array.from(ids)),
        ];
        const living = bitsOf([...alive].filter((ordinal) => ordinal < owners.length));
        const expected = owners.filter((owner, n) => owner < 290 && alive.has(n) && set.has(n) !== except);
        for (const rows of kinds) {
          const found = lift.ownersOf({ rows, isComplement: except }, living, 290);
          expect(Array.from(toIds(found))).toEqual([...new Set(expected)].sort((a, b) => a - b));
          expect(cardinality(found)).toBe(new Set(expected).size);
        }
      },
    ),
    { numRuns: 300 },
  );
});

it("leaves the set and the living as they were", () => {
  const lift = liftOf(Array.from({ length: 320 }, (_, n) => n >>> 2));
  const alive = bitsOf(Array.from({ length: 320 }, (_, n) => n));
  for (const rows of [makeDocIdSet([3, 4]), makeBitmapSet(bitsOf(Array.from({ length: 200 }, (_, n) => n)))]) {
    const before = Array.from(toIds(rows));
    const set: MatchSet = { rows, isComplement: true };
    expect(cardinality(lift.ownersOf(set, alive, 100))).toBe(rows.kind === "ids" ? 80 : 30);
    expect(Array.from(toIds(rows))).toEqual(before);
  }
  expect(cardinality(makeBitmapSet(alive))).toBe(320);
});
