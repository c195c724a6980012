import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RecordSearch } from "../../src/ports/search-index.js";
import type { OnProgress } from "../../src/ports/store-admin.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { contractCatalog, makeClock, putAll, tinyRecord } from "../support/engines/engine-under-test.js";
import { item, putTerms } from "../support/engines/term-fixtures.js";
import { HAS_OPENSEARCH, searchUrl } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

const ALL: RecordSearch = {
  ...{ clause: { kind: "everything" }, scope: { kind: "public", models: ["tiny"] }, facets: [], sort: "oldest" },
  page: { offset: 0, limit: 5_000 },
};
const QUICK = { retireMs: 0, stepMs: 500 };

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("a reindex", () => {
  const under = clusterUnderTest({ shards: 1, stepMs: 50 });
  let engine: ClusterEngine;
  beforeEach(async () => {
    engine = await under.open({ catalog: contractCatalog(), clock: makeClock() });
  }, 120_000);
  afterEach(async () => {
    await engine.close();
    await under.cleanUp();
  });

  const put = (from: number, count: number): Promise<void> =>
    putAll(
      engine,
      Array.from({ length: count }, (_, i) => tinyRecord(`r${from + i}`, { title: `number ${from + i}` })),
    );
  const found = async (): Promise<readonly string[]> =>
    (await engine.index.searchRecords(ALL)).hits.map(({ id }) => id);
  const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `r${i}`);
  const shardsOf = async (name: string): Promise<string> => {
    const answer = await fetch(`${await searchUrl()}/${name}-records/_settings`);
    const [made] = Object.values((await answer.json()) as Record<string, { settings: { index: object } }>);
    return (made!.settings.index as { number_of_shards: string }).number_of_shards;
  };

  it("makes an index of other parts while reads and writes go on, and loses nothing", {
    timeout: 120_000,
  }, async () => {
    await putTerms(engine, [item("sp:1", "Alpha")]);
    await put(0, 150);
    const before = await engine.indexSource.states();
    let written = 150;
    let isOver = false;
    const writer = async (): Promise<void> => {
      for (; !isOver; await sleep(20)) {
        await put(written, 1);
        written += 1;
      }
    };
    const reader = async (): Promise<number> => {
      let searches = 0;
      for (; !isOver; searches++) {
        const acknowledged = written;
        const seen = await found();
        expect(seen.slice(0, acknowledged)).toEqual(ids(acknowledged));
      }
      return searches;
    };
    const done = engine.search
      .reindex({ shards: 3, ...QUICK }, () => undefined)
      .finally(() => {
        isOver = true;
      });
    const [made, searches] = await Promise.all([done, reader(), writer()]);
    expect(searches).toBeGreaterThan(3);
    expect(written).toBeGreaterThan(150);
    expect(await found()).toEqual(ids(written));
    expect(made.wasResumed).toBe(false);
    expect(await shardsOf(made.name)).toBe("3");
    const after = await engine.indexSource.states();
    expect(after.map(({ name, isCurrent }) => [name, isCurrent])).toEqual([[made.name, true]]);
    expect(made.name).not.toBe(before[0]!.name);
    const left = await fetch(`${await searchUrl()}/_cat/indices/${before[0]!.name}-*?format=json`);
    expect(await left.json()).toEqual([]);
  });

  it("goes on where one was interrupted that asked for as many shards", { timeout: 120_000 }, async () => {
    await put(0, 120);
    const ending = new AbortController();
    const interrupted = engine.search.reindex(
      { shards: 2, ...QUICK },
      ({ what, done }) => {
        if (what === "records" && done > 0) ending.abort();
      },
      ending.signal,
    );
    await expect(interrupted).rejects.toThrow();
    const [begun] = (await engine.indexSource.states()).filter(({ isCurrent }) => !isCurrent);
    expect(begun?.scanned).toBeGreaterThan(0);
    await put(120, 5);
    expect(await found()).toEqual(ids(125));

    const counts: number[] = [];
    const made = await engine.search.reindex({ shards: 2, ...QUICK }, ({ what, done }) => {
      if (what === "records") counts.push(done);
    });
    expect(made).toEqual({ name: begun!.name, wasResumed: true });
    expect(counts.at(-1)).toBeLessThan(125);
    expect(await found()).toEqual(ids(125));
    expect(await shardsOf(made.name)).toBe("2");
  });

  it("begins anew where another number of shards is asked for", { timeout: 120_000 }, async () => {
    await put(0, 60);
    const ending = new AbortController();
    const stop: OnProgress = ({ what }) => {
      if (what === "records") ending.abort();
    };
    await expect(engine.search.reindex({ shards: 2, ...QUICK }, stop, ending.signal)).rejects.toThrow();
    expect(await engine.indexSource.states()).toHaveLength(2);
    const made = await engine.search.reindex({ shards: 1, ...QUICK }, () => undefined);
    expect(made.wasResumed).toBe(false);
    expect((await engine.indexSource.states()).map(({ name }) => name)).toEqual([made.name]);
    expect(await found()).toEqual(ids(60));
  });
});
