import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BackgroundReporter, WARNING_REPORTER } from "../../src/core/background.js";
import { refreshIndexes } from "../../src/engines/opensearch/connection/indexes.js";
import { openSearchClient, type SearchClient } from "../../src/engines/opensearch/connection/search-client.js";
import { makeSearchEngine } from "../../src/engines/opensearch/index.js";
import { recordsIndexOf } from "../../src/engines/separate-index/driver/index-driver.js";
import { makeDocumentWriter } from "../../src/engines/separate-index/relay/document-writer.js";
import { feedIndex } from "../../src/engines/separate-index/relay/feed-index.js";
import { ExactSearch } from "../../src/engines/separate-index/search/exact-search.js";
import { tinySetting } from "../differential/differential-setting.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { contractCatalog, makeClock, putAll, tinyRecord } from "../support/engines/engine-under-test.js";
import { makeLanes } from "../support/engines/lanes.js";
import { checkAll, described, untilChecked, whileWriting } from "../support/engines/paced.js";
import { SEED } from "../support/seed.js";
import { HAS_OPENSEARCH, type SearchNode, startSearchCluster } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

const IS_LONG = process.env.TEST_LONG === "1";
/** How long OpenSearch is away, and how much is written beside. */
const AWAY_MS = IS_LONG ? 60_000 : 500;
const RATE = 25;
const LANES = 15;
const setting = tinySetting(60, SEED + 4);

/** A node of its own, which is broken here. */
describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("a cluster, and what may happen to it", () => {
  let folder: string;
  let node: SearchNode;
  let client: SearchClient;
  let errors = 0;
  const background: BackgroundReporter = {
    ...WARNING_REPORTER,
    onBackgroundError: () => {
      errors += 1;
    },
  };
  const urls = async (): Promise<readonly string[]> => [node.url];
  const stopped = clusterUnderTest({ shards: 1, urls });
  const fed = clusterUnderTest({ shards: 1, stepMs: 20, urls, background });
  let under = stopped;
  let engine: ClusterEngine;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "bindery-search-"));
    [node] = (await startSearchCluster(folder, 1)) as [SearchNode];
    client = openSearchClient({ urls: [node.url] });
  }, 180_000);
  afterAll(async () => {
    await client?.close();
    await node?.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    errors = 0;
  });
  afterEach(async () => {
    await engine.close();
    await under.cleanUp();
  });

  const open = async (place: typeof under, catalog = contractCatalog()): Promise<void> => {
    under = place;
    engine = await under.open({ catalog, clock: makeClock() });
  };
  const put = (id: string, revision = 1) =>
    putAll(engine, [tinyRecord(id, { title: `number ${id} ${revision}` }, { revision_id: revision })]);
  const find = async (word: string): Promise<readonly string[]> => {
    const { hits, total } = await engine.index.searchRecords({
      clause: { kind: "words", place: { in: "text" }, words: [word] },
      scope: { kind: "public", models: ["tiny"] },
      ...{ facets: [], sort: "oldest", page: { offset: 0, limit: 1_000 } },
    });
    expect(hits.length).toBe(total);
    return hits.map(({ id }) => id);
  };
  const currentState = async () => (await engine.indexSource.states())[0]!;
  const isLevel = async (): Promise<void> => {
    while (await engine.indexSource.isBehind()) await sleep(10);
  };
  /** One step of a relay, as far as the signal lets it. */
  const feed = async (signal: AbortSignal): Promise<boolean> => {
    const catalog = contractCatalog();
    const state = await currentState();
    const { driver, format } = makeSearchEngine(client, { catalog });
    const writer = makeDocumentWriter({ driver, format, catalog }, state);
    return feedIndex({ source: engine.indexSource, driver, imports: new Map() }, state, writer, signal);
  };
  const openExact = (): ExactSearch => {
    const { driver } = makeSearchEngine(client, { catalog: contractCatalog() });
    return new ExactSearch({ source: engine.indexSource, driver, overlayMax: 100, isUsable: async () => true });
  };
  const shownByIndex = async (): Promise<number> => {
    const path = `/${recordsIndexOf((await currentState()).name)}/_count`;
    return (await client.send<{ readonly count: number }>({ method: "GET", path })).count;
  };

  it("begins a search again that the index has overtaken", async () => {
    await open(stopped);
    const exact = openExact();
    await put("a");
    const heads: number[] = [];
    const count = await exact.run(
      ({ name }) => [recordsIndexOf(name)],
      async ({ view, getOverlay }) => {
        heads.push(view.head);
        if (heads.length === 1) {
          await put("b");
          await feed(new AbortController().signal);
        }
        const { records } = await getOverlay({ kind: "record" });
        return (await shownByIndex()) + records.length;
      },
    );
    expect([heads, exact.repeats]).toEqual([[1, 2], 1]);
    expect(count).toBe(2);
  });

  it("answers more searches at once than it has connections", async () => {
    await open(fed);
    await put("a");
    await isLevel();
    const found = await Promise.all(Array.from({ length: 100 }, () => find("number")));
    expect(found).toEqual(found.map(() => ["a"]));
    const snapshots = await Promise.all(Array.from({ length: 8 }, () => engine.index.openSnapshot()));
    expect(await find("number")).toEqual(["a"]);
    for (const snapshot of snapshots) await snapshot.close();
  });

  it("is exact after a relay that was stopped between writing documents and saying so", async () => {
    await open(stopped);
    await put("a");
    await feed(new AbortController().signal);
    await put("a", 2);
    await put("b");
    await expect(feed(AbortSignal.abort(new Error("lost the lead")))).rejects.toThrow("lost the lead");
    expect(await currentState()).toMatchObject({ begun: 3, applied: 1 });
    expect([await find("number"), await find("1"), await shownByIndex()]).toEqual([["a", "b"], ["b"], 1]);
    await put("a", 3);
    expect(await feed(new AbortController().signal)).toBe(true);
    // Each put has a later time of creation.
    expect([await find("number"), await find("3"), await shownByIndex()]).toEqual([["b", "a"], ["a"], 2]);
    expect((await currentState()).applied).toBe(4);
  });

  it("begins a search again where somebody else refreshes what the relay has only sent", async () => {
    await open(stopped);
    await put("a");
    await feed(new AbortController().signal);
    const exact = openExact();
    const counts: number[] = [];
    await exact.run(
      ({ name }) => [recordsIndexOf(name)],
      async ({ index, getOverlay }) => {
        if (counts.length === 0) {
          await put("b");
          await expect(feed(AbortSignal.abort(new Error("lost the lead")))).rejects.toThrow("lost the lead");
          await refreshIndexes(client, [recordsIndexOf(index.name)]);
        }
        const { records } = await getOverlay({ kind: "record" });
        counts.push((await shownByIndex()) - records.length);
      },
    );
    // The first answer had a record that its view of the store had not.
    expect([counts, exact.repeats]).toEqual([[2, 1], 1]);
  });

  it("refuses searches while OpenSearch is away, goes on writing, and finds all when it is back", async () => {
    await open(fed, setting.catalog);
    const paced = { lanes: await makeLanes(LANES, engine, setting, SEED), nodes: [engine], seed: SEED };
    const refusedAt: number[] = [];
    const report = await whileWriting(paced, RATE, async (soFar, signal) => {
      await untilChecked(20)(soFar, signal);
      await node.kill();
      await sleep(AWAY_MS, undefined, { signal });
      refusedAt.push(soFar.refused);
      await node.start();
      await untilChecked(soFar.checked + 50)(soFar, signal);
    });
    if (IS_LONG) process.stdout.write(described(`OpenSearch away for ${AWAY_MS / 1_000} s`, report, [engine]));
    expect(refusedAt[0]).toBeGreaterThan(0);
    expect(errors).toBeGreaterThan(0);
    await isLevel();
    await checkAll(paced, 3);
    const { findings } = await engine.search.adminOf(engine.admin, engine.plainStore).verify(() => undefined);
    expect(findings.filter(({ place }) => place !== "store")).toEqual([]);
  }, 600_000);

  it("answers on while an index takes no documents, and catches up when it does again", async () => {
    await open(fed);
    await put("a");
    await isLevel();
    const path = `/${(await currentState()).name}-*/_settings`;
    const block = (value: boolean | null) =>
      client.send({ method: "PUT", path, body: { "index.blocks.read_only_allow_delete": value } });
    await block(true);
    await put("b");
    expect(await find("number")).toEqual(["a", "b"]);
    await expect.poll(() => errors).toBeGreaterThan(0);
    expect((await engine.admin.indexes())[0]).toMatchObject({ isCurrent: true, behindChanges: 1 });
    expect(await find("number")).toEqual(["a", "b"]);
    await block(null);
    await isLevel();
    expect([await find("number"), await shownByIndex()]).toEqual([["a", "b"], 2]);
  }, 120_000);
});
