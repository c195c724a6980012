import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fail } from "../../src/core/errors.js";
import { countShards, listIndexes } from "../../src/engines/opensearch/connection/indexes.js";
import { openSearchClient } from "../../src/engines/opensearch/connection/search-client.js";
import { makeSearchEngine } from "../../src/engines/opensearch/index.js";
import { termsIndexOf } from "../../src/engines/separate-index/driver/index-driver.js";
import { makeGenerationBuilder } from "../../src/engines/separate-index/relay/build-index.js";
import { makeDocumentWriter } from "../../src/engines/separate-index/relay/document-writer.js";
import { feedIndex } from "../../src/engines/separate-index/relay/feed-index.js";
import { OldGenerations } from "../../src/engines/separate-index/relay/old-indexes.js";
import type { IndexState } from "../../src/ports/index-source.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { contractCatalog, makeClock, putAll, species, tinyRecord } from "../support/engines/engine-under-test.js";
import { item, loadAll, putTerms, searchAll } from "../support/engines/term-fixtures.js";
import { HAS_OPENSEARCH, searchUrl } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

/** A load of so many items makes a generation. */
const ITEMS_MIN = 50;
const COUNT = 1_500;

/** A generation has as many as the index. */
const SHARDS = 2;

const items = (title: string) => Array.from({ length: COUNT }, (_, n) => item(n, `${title} number ${n}`));

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("large loads in a cluster", () => {
  const under = clusterUnderTest({ shards: SHARDS, stepMs: 20, overlayMax: ITEMS_MIN });
  let engine: ClusterEngine;
  beforeEach(async () => {
    engine = await under.open({ catalog: contractCatalog(), clock: makeClock() });
  });
  afterEach(async () => {
    await engine.close();
    await under.cleanUp();
  });

  const generation = async (): Promise<number> => {
    const view = await engine.indexSource.openView();
    const of = view.trees.generationOf(view.index!.name, "species");
    await view.close();
    return of;
  };

  it("show all of their items at once, to searches as in the store", { timeout: 120_000 }, async () => {
    await loadAll(engine, items("Old"));
    expect(await generation()).toBe(1);
    let isLoading = true;
    const loading = loadAll(engine, items("New")).finally(() => {
      isLoading = false;
    });
    const seen = new Set<string>();
    while (isLoading) {
      const { hits, total } = await engine.index.searchTerms({
        ...{ vocabulary: "species", clause: { kind: "everything" }, facets: [], sort: "oldest", lang: "en" },
        page: { offset: 0, limit: COUNT },
      });
      const titles = new Set(hits.map(({ json }) => /"en":"(\w+) /.exec(json)?.[1]));
      expect([total, hits.length, titles.size]).toEqual([COUNT, COUNT, 1]);
      const counts = await Promise.all([searchAll(engine, "old number"), searchAll(engine, "new number")]);
      for (const { total: found } of counts) expect([0, COUNT]).toContain(found);
      for (const title of titles) seen.add(title!);
    }
    await loading;
    expect((await searchAll(engine, "new number")).total).toBe(COUNT);
    expect((await searchAll(engine, "old")).total).toBe(0);
    expect([await generation(), seen.has("Old")]).toEqual([2, true]);
  });

  it("know who was cited while they were indexed", async () => {
    await loadAll(engine, items("Old"));
    const client = openSearchClient({ urls: [await searchUrl()] });
    const builder = makeGenerationBuilder({
      ...makeSearchEngine(client, { catalog: contractCatalog() }),
      catalog: contractCatalog(),
      itemsMin: ITEMS_MIN,
      largeAbove: ITEMS_MIN,
    });
    engine.indexSource.onLoads({
      ...builder,
      build: async (...asked) => {
        const built = await builder.build(...asked);
        const cited = species("sp:1234", "Cited");
        await putAll({ store: engine.plainStore }, [tinyRecord("a", { organism: { id: cited.id } })], [cited]);
        // The relay has brought it to what searches ask now, and will not come back to it.
        await caughtUp();
        return built;
      },
    });
    await loadAll(engine, items("New"));
    for (const wait of [async () => undefined, caughtUp]) {
      await wait();
      expect((await searchAll(engine, "new number")).ids[0]).toBe("sp:1234");
    }
    await client.close();
  });

  const caughtUp = async (): Promise<void> => {
    while (await engine.indexSource.isBehind()) await sleep(10);
  };

  it("are followed by single writes and by small loads", async () => {
    await loadAll(engine, items("Old"));
    await putTerms(engine, [item(1, "Single")]);
    await loadAll(engine, [item(2, "Small"), item(COUNT, "Small too")]);
    for (const wait of [async () => undefined, caughtUp]) {
      await wait();
      expect((await searchAll(engine, "single")).ids).toEqual(["sp:1"]);
      expect(new Set((await searchAll(engine, "small")).ids)).toEqual(new Set(["sp:2", `sp:${COUNT}`]));
      expect((await searchAll(engine, "old")).total).toBe(COUNT - 2);
    }
    expect(await generation()).toBe(1);
  });

  it("change nothing where the index cannot be made", async () => {
    await loadAll(engine, items("Old"));
    engine.indexSource.onLoads({
      ...{ itemsMin: ITEMS_MIN, largeAbove: ITEMS_MIN, takes: () => true },
      build: async () => {
        throw fail("SEARCH_UNAVAILABLE", { reason: "it is away" });
      },
    });
    await expect(loadAll(engine, items("New"))).rejects.toMatchObject({ code: "SEARCH_UNAVAILABLE" });
    expect((await searchAll(engine, "old number")).total).toBe(COUNT);
    expect((await engine.store.terms.titles("species", ["sp:7"], "en")).get("sp:7")?.text).toBe("Old number 7");
  });

  it("leave what they replaced to searches that still ask it, and then it goes", async () => {
    const client = openSearchClient({ urls: [await searchUrl()] });
    await loadAll(engine, items("Old"));
    await loadAll(engine, items("New"));
    const { name } = (await engine.indexSource.states())[0]!;
    const there = async () => [...(await listIndexes(client, `${name}-terms-species`))].sort();
    const all = ["", "-1", "-2"].map((end) => `${name}-terms-species${end}`);
    expect(await there()).toEqual(all);
    expect(await countShards(client, all[2]!)).toBe(SHARDS);
    const old = new OldGenerations(
      makeSearchEngine(client, { catalog: contractCatalog() }).driver,
      contractCatalog(),
      50,
    );
    await old.drop(engine.indexSource);
    expect(await there()).toEqual(all);
    await sleep(60);
    await old.drop(engine.indexSource);
    expect(await there()).toEqual(all.slice(2));
    await client.close();
  });

  it("are made for the index too that searches ask by the time they end", async () => {
    await loadAll(engine, items("Old"));
    const client = openSearchClient({ urls: [await searchUrl()] });
    const ending = new AbortController();
    const reindexing = engine.search.reindex(
      { shards: 1 },
      ({ what, done }) => {
        if (what === "species" && done > 0) ending.abort();
      },
      ending.signal,
    );
    await expect(reindexing).rejects.toThrow();
    const [before, next] = (await engine.indexSource.states()).map(({ name }) => name);
    const builder = makeGenerationBuilder({
      ...makeSearchEngine(client, { catalog: contractCatalog() }),
      catalog: contractCatalog(),
      itemsMin: ITEMS_MIN,
      largeAbove: ITEMS_MIN,
    });
    const built: string[] = [];
    engine.indexSource.onLoads({
      ...builder,
      build: async (index, ...asked) => {
        built.push(index);
        // As a reindex does at its end.
        await engine.indexSource.makeCurrent(next!);
        return builder.build(index, ...asked);
      },
    });
    await loadAll(engine, items("New"));
    expect(built).toEqual([before, next]);
    expect([(await searchAll(engine, "new number")).total, await generation()]).toEqual([COUNT, 1]);
    await client.close();
  });
});

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("an import of many terms that makes no generation", () => {
  const MANY = 10_500;
  const under = clusterUnderTest({ shards: 1, overlayMax: 2 * MANY });
  let engine: ClusterEngine;
  beforeEach(async () => {
    engine = await under.open({ catalog: contractCatalog(), clock: makeClock() });
  });
  afterEach(async () => {
    await engine.close();
    await under.cleanUp();
  });

  it("is written in parts, and shown as a whole", { timeout: 300_000 }, async () => {
    const { indexSource: source } = engine;
    await loadAll(
      engine,
      Array.from({ length: MANY }, (_, n) => item(n, `Many number ${n}`)),
    );
    const catalog = contractCatalog();
    const client = openSearchClient({ urls: [await searchUrl()] });
    const [first] = (await source.states()) as [IndexState];
    const { driver, format } = makeSearchEngine(client, { catalog });
    const writer = makeDocumentWriter({ driver, format, catalog }, first);
    const imports = new Map();
    const step = async () => {
      const [state] = (await source.states()) as [IndexState];
      const hasFed = await feedIndex({ source, driver, imports }, state, writer, new AbortController().signal);
      const path = `/${termsIndexOf(first.name, "species", 0)}/_count`;
      const { count } = await client.send<{ readonly count: number }>({ method: "GET", path });
      expect((await searchAll(engine, "many")).total).toBe(MANY);
      return [hasFed, count, await source.isBehind()];
    };
    expect([await step(), await step(), await step()]).toEqual([
      [true, 10_000, true],
      [true, MANY, false],
      [false, MANY, false],
    ]);
    await client.close();
  });
});

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("a large load, and items that the index did not have yet", () => {
  it("shows these as the load has them, at once", async () => {
    const under = clusterUnderTest({ shards: 1, overlayMax: ITEMS_MIN });
    const engine = await under.open({ catalog: contractCatalog(), clock: makeClock() });
    await putTerms(engine, [item(7, "Single"), item(COUNT, "Other")]);
    expect((await searchAll(engine, "single")).ids).toEqual(["sp:7"]);
    await loadAll(engine, items("New"));
    expect((await searchAll(engine, "single")).ids).toEqual([]);
    expect((await searchAll(engine, "new number 7")).ids[0]).toBe("sp:7");
    expect((await searchAll(engine, "other")).ids).toEqual([`sp:${COUNT}`]);
    await engine.close();
    await under.cleanUp();
  });
});
