import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSearchClient, type SearchClient } from "../../src/engines/opensearch/connection/search-client.js";
import { makeSearchEngine } from "../../src/engines/opensearch/index.js";
import type { Sql } from "../../src/engines/postgres/connection/sql.js";
import { makeTermReader } from "../../src/engines/postgres/terms/term-reader.js";
import { openSeparateIndex } from "../../src/engines/separate-index/index.js";
import type { RecordSearch, SearchIndex, TermSearch } from "../../src/ports/search-index.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { contractCatalog, makeClock, putAll, tinyRecord } from "../support/engines/engine-under-test.js";
import { BACTERIA, putTerms, textClause } from "../support/engines/term-fixtures.js";
import { HAS_OPENSEARCH, searchUrl } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

interface SentSearch {
  readonly size: number;
}

const COUNT_ONLY = { offset: 0, limit: 0 } as const;

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("the requests of a node", () => {
  const under = clusterUnderTest({ shards: 1, stepMs: 0 });
  const catalog = contractCatalog();
  let engine: ClusterEngine;
  let client: SearchClient;
  let index: SearchIndex;
  /** The searches of each request. */
  let requests: SentSearch[][] = [];

  beforeAll(async () => {
    engine = await under.open({ catalog, clock: makeClock() });
    await putTerms(engine, BACTERIA);
    await putAll(engine, [tinyRecord("a", { title: "Serum" }), tinyRecord("b", { title: "Serum albumin" })]);
    client = openSearchClient({ urls: [await searchUrl()] });
    const counting: SearchClient = {
      ...client,
      send: (request) => {
        if (request.path === "/_msearch") requests.push(readSearches(String(request.body)));
        return client.send(request);
      },
    };
    index = openSeparateIndex(makeSearchEngine(counting, { catalog, visitedMax: 3 }), {
      source: engine.indexSource,
      catalog,
      prefix: "unused",
      overlayMax: 1_000,
      searchTimeoutMs: 600_000,
      shards: 1,
    }).index;
    while (await engine.indexSource.isBehind()) await new Promise((resolve) => setTimeout(resolve, 10));
  }, 120_000);
  afterAll(async () => {
    await client.close();
    await engine.close();
    await under.cleanUp();
  });

  /** Returns the searches of each request that some searches send. */
  const requestsOf = async (search: () => Promise<unknown>): Promise<SentSearch[][]> => {
    requests = [];
    await search();
    return requests;
  };

  const countTerms = (word: string): TermSearch => ({
    vocabulary: "species",
    clause: textClause(word),
    facets: [],
    sort: "title",
    lang: "en",
    page: COUNT_ONLY,
  });
  const countRecords = (word: string): RecordSearch => ({
    clause: textClause(word),
    scope: { kind: "public", models: ["tiny"] },
    facets: [],
    sort: "newest",
    page: COUNT_ONLY,
  });

  it("ask for no hits if a search only counts", async () => {
    const sent = await requestsOf(async () => {
      expect((await index.searchTerms(countTerms("coli"))).total).toBe(5);
      expect((await index.searchRecords(countRecords("serum"))).total).toBe(2);
    });
    expect(sent.map((searches) => searches.map(({ size }) => size))).toEqual([[0], [0]]);
  });

  it("are one search request for several counts", async () => {
    const sent = await requestsOf(async () => {
      const terms = await index.together!.searchTerms(["coli", "escherichia", "human"].map(countTerms));
      const records = await index.together!.searchRecords(["serum", "albumin"].map(countRecords));
      expect([...terms, ...records].map(({ total }) => total)).toEqual([5, 4, 2, 2, 1]);
    });
    expect(sent.map(({ length }) => length)).toEqual([3, 2]);
  });

  it.each(["bestmatch", "title"] as const)(
    "are at most two search requests for a page by %s, however many terms match",
    async (sort) => {
      const search: TermSearch = {
        vocabulary: "species",
        clause: textClause("coli"),
        plain: ["coli"],
        facets: [{ name: "rank", size: 5, selected: [] }],
        sort,
        lang: "en",
        page: { offset: 0, limit: 10 },
      };
      const sent = await requestsOf(async () => {
        const page = await index.searchTerms(search);
        expect(page).toEqual(await engine.index.searchTerms(search));
        expect(page.total).toBe(5);
      });
      expect(sent).toHaveLength(sort === "bestmatch" ? 2 : 1);
    },
  );

  it("are one search request for a negation or a field, however many terms match", async () => {
    const coli = textClause("coli");
    const place = { in: "paths", paths: ["title.en"] } as const;
    for (const [clause, ids] of [
      [{ kind: "not", of: coli }, ["sp:561", "sp:4932", "sp:9606", "sp:9607", "sp:4933"]],
      [{ kind: "words", place, words: ["coli"] }, ["sp:562", "sp:1000", "sp:83333", "sp:83334", "sp:1001"]],
    ] as const) {
      const search: TermSearch = { ...countTerms(""), clause, sort: "bestmatch", page: { offset: 0, limit: 10 } };
      const sent = await requestsOf(async () => {
        const { hits, total } = await index.searchTerms(search);
        expect([new Set(hits.map(({ id }) => id)), total]).toEqual([new Set(ids), ids.length]);
      });
      expect(sent).toHaveLength(1);
    }
  });

  it("are none for a term, which is one statement of PostgreSQL", async () => {
    const statements: string[] = [];
    const counting: Sql = {
      ...engine.pool,
      rows: (text, values) => {
        statements.push(text);
        return engine.pool.rows(text, values);
      },
    };
    const sent = await requestsOf(async () => {
      const lookup = await makeTermReader(counting, catalog).get("species", "sp:83333");
      expect(lookup).toMatchObject({ kind: "found", ancestors: [{ id: "sp:561" }, { id: "sp:562" }] });
    });
    expect([sent.length, statements.length]).toEqual([0, 1]);
  });
});

/** Reads the body of a `_msearch`, without the header of each search. */
function readSearches(body: string): SentSearch[] {
  const lines = body.trimEnd().split("\n");
  return lines.filter((_, i) => i % 2 === 1).map((line) => JSON.parse(line) as SentSearch);
}
