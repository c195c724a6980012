import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSearchClient } from "../../src/engines/opensearch/connection/search-client.js";
import { makeSearchEngine } from "../../src/engines/opensearch/index.js";
import type { IndexDriver } from "../../src/engines/separate-index/driver/index-driver.js";
import { beginWriting } from "../../src/engines/separate-index/relay/index-set.js";
import { ExactSearch, type SearchedState } from "../../src/engines/separate-index/search/exact-search.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { contractCatalog, makeClock, putAll, tinyRecord } from "../support/engines/engine-under-test.js";
import { HAS_OPENSEARCH, searchUrl } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("a search that finds the index to be wrong", () => {
  const under = clusterUnderTest({ shards: 1 });
  let engine: ClusterEngine;
  let driver: IndexDriver;
  let exact: ExactSearch;
  beforeEach(async () => {
    const catalog = contractCatalog();
    engine = await under.open({ catalog, clock: makeClock() });
    driver = makeSearchEngine(openSearchClient({ urls: [await searchUrl()] }), { catalog }).driver;
    exact = new ExactSearch({ source: engine.indexSource, driver, overlayMax: 100, isUsable: async () => true });
    await putAll(engine, [tinyRecord("r1", { title: "one" })]);
  }, 120_000);
  afterEach(async () => {
    await driver.close();
    await engine.close();
    await under.cleanUp();
  });

  const wrong = new Error("A hit has no body.");

  it("is begun again where the index has moved on, as it does whenever records are written", async () => {
    let attempts = 0;
    const search = async ({ index, view }: SearchedState): Promise<string> => {
      if (++attempts > 1) return "answer";
      await beginWriting({ source: engine.indexSource, driver }, index.name, view.head + 1);
      throw wrong;
    };
    expect(await exact.run(() => [], search)).toBe("answer");
    expect(exact.repeats).toBe(1);
  });

  it("is begun again where the index has moved on by the time that all was asked", async () => {
    const titles: (string | undefined)[] = [];
    const search = async ({ index, view, askedAll }: SearchedState): Promise<string> => {
      if (titles.length === 0) await beginWriting({ source: engine.indexSource, driver }, index.name, view.head + 1);
      const asked = view.readBodies([{ id: "r1", state: "published" }]);
      askedAll();
      titles.push((await asked)[0]?.id);
      return "answer";
    };
    expect(await exact.run(() => [], search)).toBe("answer");
    expect([titles, exact.repeats]).toEqual([["r1", "r1"], 1]);
  });

  it("says what it fails with also where all was asked", async () => {
    const search = async ({ askedAll }: SearchedState): Promise<string> => {
      askedAll();
      throw wrong;
    };
    await expect(exact.run(() => [], search)).rejects.toThrow(wrong);
    expect(exact.repeats).toBe(0);
  });

  it("fails where it has not", async () => {
    const search = async (): Promise<string> => {
      throw wrong;
    };
    await expect(exact.run(() => [], search)).rejects.toThrow(wrong);
    expect(exact.repeats).toBe(0);
  });
});
