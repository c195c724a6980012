import { describe, expect, it } from "vitest";
import { combineSearches } from "./combine-searches.js";
import type { IndexAnswer } from "./multi-search.js";

const WORD = { term: { title: "escherichia" } };
const STEPS = { dis_max: { queries: [] } };
const page = { query: WORD, ranking: STEPS, visitsAll: true, size: 11, track_total_hits: false };
const count = { query: WORD, size: 0, track_total_hits: true };
const facet = { query: WORD, size: 0, aggs: { keys: { terms: { field: "facet.rank" } } } };

const answer = (total: number, aggregations = {}): IndexAnswer => ({
  hits: { total: { value: total }, hits: [{ sort: [1] }] },
  aggregations,
});

describe("searches of one request", () => {
  it("are one search if a ranked one visits the documents that others count", () => {
    const { sent, answersOf } = combineSearches([count, page, facet]);
    expect(sent).toEqual([
      {
        size: 11,
        track_total_hits: true,
        query: { bool: { filter: WORD, must: STEPS } },
        aggs: { "2_keys": facet.aggs.keys },
      },
    ]);
    const keys = { doc_count: 0, buckets: [{ key: "species", doc_count: 7 }] };
    const [counted, found, grouped] = answersOf([answer(7, { "2_keys": keys })]);
    expect(counted).toMatchObject({ hits: { total: { value: 7 }, hits: [] }, aggregations: {} });
    expect(found?.hits.hits).toHaveLength(1);
    expect(grouped?.aggregations).toEqual({ keys });
  });

  it("stay apart if two of them have many buckets", () => {
    const { sent } = combineSearches([page, facet, facet]);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(facet);
  });

  it("are sent alone if the one that was to count for them ended early", () => {
    const { answersOf } = combineSearches([count, page, facet]);
    const early = { ...answer(7), terminated_early: true };
    expect(answersOf([early])).toEqual([undefined, early, undefined]);
  });

  it("stay apart if their documents differ", () => {
    const other = { ...count, query: { term: { title: "coli" } } };
    const { sent, answersOf } = combineSearches([other, page]);
    expect(sent).toHaveLength(2);
    expect(answersOf([answer(1), answer(2)]).map((each) => each?.hits.total?.value)).toEqual([1, 2]);
  });

  it("stay apart if the page may end after its first hits", () => {
    expect(combineSearches([count, { ...page, visitsAll: false }]).sent).toHaveLength(2);
  });
});
