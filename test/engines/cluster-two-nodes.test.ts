import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordBody } from "../../src/core/record.js";
import type { CitedTerm } from "../../src/core/term.js";
import { ALL, type AnySearch, arbitrarySearch, bodyOf, searchOf, shown } from "../differential/differential-pair.js";
import { tinySetting } from "../differential/differential-setting.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { makeClock, type RecordEngine } from "../support/engines/engine-under-test.js";
import { makeReferenceEngine } from "../support/engines/reference-engine.js";
import { stream } from "../support/engines/term-fixtures.js";
import { putRecord } from "../support/put-record.js";
import { seeded } from "../support/random.js";
import type { World } from "../support/reference-evaluator.js";
import { SEED } from "../support/seed.js";
import { HAS_OPENSEARCH } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

/** Writers at once, each of its own records, and checked searches of each. */
const WRITERS = 4;
const SEARCHES = process.env.TEST_LONG ? 2_500 : 60;

/** Ids that a writer writes again and again. */
const RECORDS = 20;

const setting = tinySetting(60, SEED + 2);
const { catalog, vocabulary, items, contents } = setting;

type Change = { readonly put: RecordBody } | { readonly delete: Pick<RecordBody, "id" | "state"> };

/** What one writer knows: what it has written, and where it looks for it. */
interface Writer {
  readonly owner: string;
  readonly reference: RecordEngine;
  readonly random: ReturnType<typeof seeded>;
  readonly searches: readonly AnySearch[];
}

// Both have a relay, so that two feed one index at once, which only happens where one of them was taken for dead.
describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("two nodes of a cluster, while others write", () => {
  const under = clusterUnderTest({ shards: 3, stepMs: 20 });
  let nodes: readonly ClusterEngine[] = [];
  let cited: readonly CitedTerm[];
  const parents = new Map(items.map(({ id, parent }) => [id, parent]));
  const world: World = { parentOf: (name, id) => (name === vocabulary ? parents.get(id) : undefined) };

  beforeAll(async () => {
    const first = await under.open({ catalog, clock: makeClock() });
    nodes = [first, await under.open({ catalog, clock: makeClock() })];
    await first.store.loadTerms(vocabulary, stream(items));
    const citations = await first.store.terms.cite(items.map(({ id }) => ({ vocabulary, id })));
    cited = citations.map(({ term }) => term);
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await under.cleanUp();
  });

  const apply = ({ store }: Pick<RecordEngine, "store">, change: Change) =>
    store.transaction(async ({ records }) => {
      if ("put" in change) await putRecord({ store, catalog }, records, change.put, cited);
      else await records.delete(change.delete.id, change.delete.state);
    });

  function changeOf({ owner, random }: Writer): Change {
    const n = random.integer(0, RECORDS - 1);
    const state = random.integer(0, 1) === 0 ? "draft" : "published";
    const id = `w${owner}r${n}`;
    if (random.integer(0, 4) === 0) return { delete: { id, state } };
    const body = bodyOf(n, contents[random.integer(0, contents.length - 1)]!, state);
    return { put: { ...body, id, parent: { id: `w${owner}p${n}`, owner: { user: owner } } } };
  }

  async function writeAndSearch(writer: Writer): Promise<number> {
    const { owner, reference, random, searches } = writer;
    let found = 0;
    for (const [i, asked] of searches.entries()) {
      const [writing, reading] = i % 2 === 0 ? nodes : nodes.toReversed();
      const change = changeOf(writer);
      await apply(writing!, change);
      await apply(reference, change);
      const scope = { kind: "owner", owner, models: [...catalog.models.keys()], allVersions: true } as const;
      const search = searchOf(asked, ALL, { scope });
      const expected = shown(await reference.index.searchRecords(search));
      expect(shown(await reading!.index.searchRecords(search))).toEqual(expected);
      if (expected.total > 0) found += 1;
      await sleep(random.integer(0, 30));
    }
    return found;
  }

  it("answer each search with all that was acknowledged before, on whichever node", {
    timeout: 6_000_000,
  }, async () => {
    const bodies = contents.map((content, n) => bodyOf(n, content, "draft"));
    const arbitrary = arbitrarySearch({ setting, bodies });
    const writers = Array.from({ length: WRITERS }, (_, w): Writer => {
      const searches = fc.sample(arbitrary, { numRuns: SEARCHES, seed: SEED + w });
      return { owner: `${w + 1}`, reference: makeReferenceEngine(catalog, world), random: seeded(SEED + w), searches };
    });
    const found = await Promise.all(writers.map(writeAndSearch));
    expect(found.reduce((sum, n) => sum + n, 0)).toBeGreaterThan((WRITERS * SEARCHES) / 5);
    // The index has moved on meanwhile, and was mostly asked.
    expect((await nodes[0]!.indexSource.states())[0]!.applied).toBeGreaterThan(0);
  });
});
