import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Catalog, Leaf, Model, WeightClass } from "../../src/core/catalog/types.js";
import type { RecordBody } from "../../src/core/record.js";
import type { FacetRequest, RecordPage, RecordSearch, SortKey } from "../../src/ports/search-index.js";
import { degradeTree } from "../../src/query/degrade.js";
import { recordFields } from "../../src/query/fields.js";
import { resolveQuery } from "../../src/query/resolve.js";
import type { QueryNode } from "../../src/query/tree.js";
import { arbitraryMetadata, arbitraryTree, TINY_NAMES, tinyNames } from "../support/query-arbitraries.js";
import {
  contractCatalog,
  makeClock,
  putAll,
  type RecordEngine,
  START_MICROS,
  species,
  tinyDraft,
  tinyRecord,
} from "./engine-under-test.js";
import { makeReferenceEngine } from "./reference-engine.js";
import { sqliteUnderTest } from "./sqlite-under-test.js";

const RECORDS = 160;
const TREES = process.env.TEST_LONG ? 20_000 : 2_000;

const CITED = ["sp:562", "sp:561", "sp:7"].map((id) => species(id, id, tinyNames("species", id)));

/** Values in elements weigh differently, and in each model otherwise. */
const WEIGHTS: Readonly<Record<string, Readonly<Record<string, WeightClass>>>> = {
  other: { "metadata.samples.name": "title", "metadata.samples.steps.name": "heavy" },
  tiny: { "metadata.samples.source.title.en": "heavy", "metadata.samples.steps.tags": "title" },
};

function weighted(model: Model): Model {
  const leaves = [...model.leaves].map(([path, leaf]): [string, Leaf] => {
    const weight = WEIGHTS[model.name]?.[path] ?? leaf.weight;
    return [path, { ...leaf, weight }];
  });
  const facets = [...model.facets, { name: "sample", label: "Sample", path: "metadata.samples.name", kind: "terms" }];
  return { ...model, leaves: new Map(leaves), facets: facets as Model["facets"] };
}

const unweighted = contractCatalog();
const catalog: Catalog = {
  ...unweighted,
  models: new Map([...unweighted.models].map(([name, model]) => [name, weighted(model)])),
};
const fields = recordFields([...catalog.models.values()], catalog.vocabularies.values());

/** Records of all states, some edited, some deleted: what is left must not show what was there before. */
async function fill(engines: readonly RecordEngine[], seed: number): Promise<void> {
  const drawn = fc.sample(
    fc.record({
      metadata: arbitraryMetadata,
      model: fc.constantFrom("tiny", "tiny", "other"),
      owner: fc.constantFrom("1", "2"),
      fate: fc.constantFrom("published", "published", "published", "draft", "both", "old", "edited", "deleted"),
    }),
    { numRuns: RECORDS, seed },
  );
  for (const engine of engines) {
    for (const [i, { metadata, model, owner, fate }] of drawn.entries()) {
      const id = `r${i}`;
      const changes: Partial<RecordBody> = { model, parent: { id: `p${i}`, owner: { user: owner } } };
      const before = drawn[(i * 7) % RECORDS]!.metadata;
      if (fate === "draft" || fate === "both") await putAll(engine, [tinyDraft(id, metadata, changes)], CITED);
      if (fate === "draft") continue;
      if (fate === "edited" || fate === "deleted") await putAll(engine, [tinyRecord(id, before, changes)], CITED);
      if (fate === "deleted") {
        await engine.store.transaction((tx) => tx.records.delete(id, "published"));
        continue;
      }
      const versions = { index: 1, is_latest: fate !== "old", is_latest_draft: true };
      await putAll(engine, [tinyRecord(id, metadata, { ...changes, versions })], CITED);
    }
  }
}

const facet = (name: string, path: string, values: readonly string[]): fc.Arbitrary<FacetRequest> =>
  fc.tuple(fc.constantFrom(0, 1, 3, 20), fc.subarray([...values]), fc.boolean()).map(([size, selected, filters]) => ({
    name,
    buckets: { kind: "terms" as const },
    paths: [path],
    size,
    selected: filters ? selected : [],
  }));

const anySearch = fc.record({
  tree: arbitraryTree(TINY_NAMES),
  scope: fc.constantFrom(
    { kind: "public", models: ["other", "tiny"] } as const,
    { kind: "public", models: ["tiny"] } as const,
    { kind: "owner", owner: "1", models: ["other", "tiny"] } as const,
  ),
  facets: fc.tuple(
    facet("organism", "metadata.organism.id", ["sp:562", "sp:7", "no"]),
    facet("keyword", "metadata.keywords", ["a", "lysozyme", "TNFα"]),
    facet("state", "state", ["draft", "published"]),
  ),
  plain: fc.boolean(),
  limit: fc.integer({ min: 1, max: 40 }),
});

function searchOf(tree: QueryNode, engine: RecordEngine): Pick<RecordSearch, "clause" | "plain"> {
  const degraded = degradeTree(tree, engine.index.supports);
  const { clause, plain } = resolveQuery(degraded.tree, fields, START_MICROS);
  return { clause, ...(plain === undefined ? {} : { plain }) };
}

const shown = ({ hits, total, facets }: RecordPage) => ({
  hits: hits.map(({ id, state, isPublished }) => `${id} ${state} ${isPublished}`),
  total,
  facets,
});

describe("the embedded engine", () => {
  const under = sqliteUnderTest();
  let engine: RecordEngine;
  let reference: RecordEngine;
  beforeAll(async () => {
    engine = await under.open({ catalog, clock: makeClock() });
    reference = makeReferenceEngine(catalog);
    await fill([engine, reference], 20_261_121);
  });
  afterAll(async () => {
    await engine.close();
    await under.cleanUp();
  });

  it("finds what the reference evaluator finds, in the same order, with the same totals and facets", {
    timeout: 600_000,
  }, async () => {
    let nonEmpty = 0;
    await fc.assert(
      fc.asyncProperty(anySearch, async ({ tree, scope, facets }) => {
        // What the engine lacks is read as it reads it; what both have must mean the same.
        const query = searchOf(tree, engine);
        for (const sort of ["newest", "bestmatch"] as const) {
          const search: RecordSearch = { ...query, scope, facets, sort, page: { offset: 0, limit: RECORDS * 2 } };
          const expected = shown(await reference.index.searchRecords(search));
          expect(shown(await engine.index.searchRecords(search))).toEqual(expected);
          if (expected.total > 0) nonEmpty += 1;
        }
      }),
      { numRuns: TREES },
    );
    expect(nonEmpty).toBeGreaterThan(TREES / 2);
  });

  it("gives the same hits page by page as in one", { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, async ({ tree, scope, limit }) => {
        const query = searchOf(tree, engine);
        for (const sort of ["newest", "oldest", "bestmatch"] as const) {
          const search = (page: RecordSearch["page"]) =>
            engine.index.searchRecords({ ...query, scope, facets: [], sort, page });
          const whole = shown(await search({ offset: 0, limit: RECORDS * 2 })).hits;
          const walked: string[] = [];
          let after: SortKey | null | undefined = null;
          while (after !== undefined) {
            const page: RecordPage = await search({ after, limit });
            walked.push(...shown(page).hits);
            after = page.next;
          }
          expect(walked).toEqual(whole);
          const offset = Math.min(limit, whole.length);
          expect(shown(await search({ offset, limit })).hits).toEqual(whole.slice(offset, offset + limit));
        }
      }),
      { numRuns: TREES / 10 },
    );
  });
});
