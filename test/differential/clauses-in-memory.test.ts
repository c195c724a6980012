import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileClause, makeBestStep } from "../../src/query/evaluate/compile-clause.js";
import { makeDescendantTest, RecordInMemory } from "../../src/query/evaluate/record-in-memory.js";
import { recordLeaves } from "../../src/query/index-model/record-leaves.js";
import { arbitraryClause } from "../support/clause-arbitraries.js";
import { bestmatchStep, matches, type World } from "../support/reference-evaluator.js";
import { SEED } from "../support/seed.js";
import { bodyOf } from "./differential-pair.js";
import { realSetting, type Setting, tinySetting } from "./differential-setting.js";

const CLAUSES = process.env.TEST_LONG ? 100_000 : 1_500;

const SETTINGS = [tinySetting(60, SEED), realSetting(60, SEED)];

/** Every term is known by its title and a synonym; one in three was replaced by the item above it. */
function leavesOf({ catalog, contents, items }: Setting) {
  const titles = new Map(items.map(({ id, title, parent }) => [id, { title, parent }]));
  return contents.map((content, n) => {
    const body = bodyOf(n, content, n % 4 === 0 ? "draft" : "published");
    return recordLeaves(body, catalog.models.get(body.model)!, (_, id) => {
      const found = titles.get(id);
      const successors = found?.parent !== undefined && n % 3 === 0 ? [found.parent] : [];
      return found && { id: successors[0] ?? id, successors, titles: [found.title], names: [`${id} too`] };
    });
  });
}

/** Where no text is asked for all that match are in one step, whatever its number is. */
function placesOf(steps: readonly number[]): readonly number[] {
  const numbers = [...new Set(steps)].sort();
  return steps.map((step) => numbers.indexOf(step));
}

describe.each(SETTINGS)("what holds of records in memory, of $name", (setting) => {
  const { vocabulary, items, catalog } = setting;
  const records = leavesOf(setting);
  const held = records.map((leaves) => new RecordInMemory(leaves));
  const parents = new Map(items.map(({ id, parent }) => [id, parent]));
  const world: World = { parentOf: (name, id) => (name === vocabulary ? parents.get(id) : undefined) };
  const isDescendant = makeDescendantTest(world.parentOf);
  const ancestorsOf = (_: string, id: string): string[] => {
    const parent = world.parentOf(vocabulary, id);
    return parent === undefined ? [] : [parent];
  };
  const dates = new Set(
    [...catalog.models.values()].flatMap(({ leaves }) =>
      [...leaves.values()].filter(({ type }) => type === "date").map(({ path }) => path),
    ),
  );
  const clause = arbitraryClause(records, { isDate: (path) => dates.has(path), ancestorsOf });

  it("is what the reference evaluator says of each record", { timeout: 600_000 }, () => {
    let found = 0;
    const same = fc.property(clause, (asked) => {
      const holds = compileClause(asked, isDescendant);
      const expected = records.map((record) => matches(asked, record, world));
      expect(held.map((record) => holds(record, 0))).toEqual(expected);
      if (expected.includes(true)) found += 1;
    });
    fc.assert(same, { numRuns: CLAUSES, seed: SEED });
    expect(found).toBeGreaterThan(CLAUSES / 3);
  });

  it("ranks what fulfils a clause in the order of the steps of the reference evaluator", { timeout: 600_000 }, () => {
    const plains = records.flatMap(({ leaves }) => leaves.map(({ words }) => words.slice(0, 3)));
    const plain = fc.option(fc.constantFrom(...plains.filter((words) => words.length > 0)), { nil: undefined });
    const steps = new Set<number>();
    const same = fc.property(clause, plain, (asked, words) => {
      const search = { clause: asked, ...(words === undefined ? {} : { plain: words }) };
      const stepOf = makeBestStep(search, isDescendant);
      const hits = records.flatMap((record, i) => (matches(asked, record, world) ? [i] : []));
      const expected = hits.map((i) => bestmatchStep(asked, words, records[i]!, world));
      for (const step of expected) steps.add(step);
      expect(placesOf(hits.map((i) => stepOf(held[i]!)))).toEqual(placesOf(expected));
    });
    fc.assert(same, { numRuns: CLAUSES / 5, seed: SEED });
    expect([...steps].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
