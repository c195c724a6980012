import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tinySetting } from "../differential/differential-setting.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { makeClock } from "../support/engines/engine-under-test.js";
import { makeLanes } from "../support/engines/lanes.js";
import { checkAll, described, type Paced, untilChecked, whileWriting } from "../support/engines/paced.js";
import { SEED } from "../support/seed.js";
import { HAS_OPENSEARCH } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

const IS_LONG = process.env.TEST_LONG === "1";
const SEARCHES = IS_LONG ? 10_000 : 150;
const LANES = 30;
/** How often the index is made anew while others write, and searches that are checked after each time. */
const REINDEXES = IS_LONG ? 40 : 1;
const BETWEEN = 20;

const setting = tinySetting(60, SEED + 3);

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("two nodes of a cluster, while others write at a rate", () => {
  const under = clusterUnderTest({ shards: 3, stepMs: 250 });
  let nodes: readonly ClusterEngine[] = [];
  let paced: Paced;

  beforeAll(async () => {
    const options = { catalog: setting.catalog, clock: makeClock() };
    nodes = [await under.open(options), await under.open(options)];
    paced = { lanes: await makeLanes(LANES, nodes[0]!, setting, SEED), nodes, seed: SEED };
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await under.cleanUp();
  });

  it.each(IS_LONG ? [50, 100] : [50])(
    "of %i writes per second answer each search with all that was acknowledged",
    {
      timeout: IS_LONG ? 6_000_000 : 180_000,
    },
    async (rate) => {
      const report = await whileWriting(paced, rate, untilChecked(SEARCHES));
      if (IS_LONG) process.stdout.write(described(`${rate} writes/s wanted`, report, nodes));
      expect(report.refused).toBe(0);
      expect(report.checked).toBeGreaterThanOrEqual(SEARCHES);
      await checkAll(paced, 3);
    },
  );

  it("answer each search with all that was acknowledged while the index is made anew, beside 50 writes per second", {
    timeout: IS_LONG ? 6_000_000 : 180_000,
  }, async () => {
    const { search, admin, plainStore } = nodes[0]!;
    const report = await whileWriting(paced, 50, async (soFar, signal) => {
      for (let made = 0; made < REINDEXES && !signal.aborted; made++) {
        await search.reindex({ shards: made % 2 === 0 ? 1 : 3, stepMs: 100, retireMs: 1_000 }, () => undefined, signal);
        await untilChecked(soFar.checked + BETWEEN)(soFar, signal);
      }
    });
    if (IS_LONG) process.stdout.write(described(`${REINDEXES} reindexes beside 50 writes/s wanted`, report, nodes));
    expect(report.refused).toBe(0);
    await checkAll(paced, 3);
    const { findings } = await search.adminOf(admin, plainStore).verify(() => undefined);
    expect(findings.filter(({ place }) => place !== "store")).toEqual([]);
  });
});
