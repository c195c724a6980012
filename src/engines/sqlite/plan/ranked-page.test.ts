import fc from "fast-check";
import { expect, it } from "vitest";
import { type DocIdSet, intersectSets, makeDocIdSet, toIds } from "../bitmaps/doc-id-set.js";
import { type RankingStep, rankedPage } from "./ranked-page.js";

const ROWS = 40;
const MATCHED = makeDocIdSet(Array.from({ length: ROWS }, (_, i) => i));

interface Key {
  readonly step: number;
  readonly id: number;
}

/** Yields the rows in ascending order, after a key if there is one. */
function* walk(rows: DocIdSet, after: Key | undefined): Generator<{ id: number }> {
  for (const id of toIds(rows)) if (after === undefined || id > after.id) yield { id };
}

function makeSteps(sets: readonly DocIdSet[], isTried: readonly boolean[]): readonly RankingStep[] {
  const steps = sets.map((rows, i): RankingStep => {
    const test = (id: number): boolean => toIds(rows).includes(id);
    const take = (among: DocIdSet): DocIdSet => intersectSets(among, rows);
    return { number: i + 1, take, try: isTried[i] ? (among) => ({ rows: among, test }) : undefined };
  });
  return [...steps, { number: sets.length + 1, take: (among) => among }];
}

it("has the same pages whether the rows of a step are tested one by one or taken at once", () => {
  const row = fc.nat(ROWS - 1);
  const stepRows = fc.array(row, { maxLength: 30 }).map((ids) => makeDocIdSet(ids));
  const window = fc.record({
    skip: fc.nat(12),
    limit: fc.integer({ min: 0, max: 12 }),
    after: fc.option(fc.record({ step: fc.integer({ min: 1, max: 4 }), id: row }), { nil: undefined }),
  });
  fc.assert(
    fc.property(
      fc.tuple(stepRows, stepRows, stepRows),
      fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
      window,
      (sets, isTried, page) => {
        const tried = rankedPage(MATCHED, makeSteps(sets, isTried), page, walk);
        expect(tried).toEqual(rankedPage(MATCHED, makeSteps(sets, [false, false, false]), page, walk));
      },
    ),
    { numRuns: 1_000 },
  );
});
