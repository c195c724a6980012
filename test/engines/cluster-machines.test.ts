import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WARNING_REPORTER } from "../../src/core/background.js";
import { openSearchClient, type SearchClient } from "../../src/engines/opensearch/connection/search-client.js";
import { recordsIndexOf } from "../../src/engines/separate-index/driver/index-driver.js";
import { tinySetting } from "../differential/differential-setting.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { makeClock } from "../support/engines/engine-under-test.js";
import { makeLanes } from "../support/engines/lanes.js";
import { checkAll, described, type Paced, untilChecked, whileWriting } from "../support/engines/paced.js";
import { SEED } from "../support/seed.js";
import { HAS_OPENSEARCH, type SearchNode, startSearchCluster } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

const RATE = 20;
const LANES = 20;
/** Searches between two things that happen. */
const BETWEEN = 150;

const setting = tinySetting(60, SEED + 5);

interface Shard {
  readonly shard: string;
  readonly prirep: "p" | "r";
  readonly state: string;
  readonly node: string | null;
}

// Three machines' worth of memory.
describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH || process.env.TEST_LONG !== "1")(
  "an OpenSearch of three machines",
  () => {
    const background = { ...WARNING_REPORTER, onBackgroundError: () => undefined };
    let folder: string;
    let machines: readonly SearchNode[] = [];
    let client: SearchClient;
    const urls = async (): Promise<readonly string[]> => machines.map(({ url }) => url);
    const under = clusterUnderTest({ shards: 3, stepMs: 100, urls, background });
    let nodes: readonly ClusterEngine[] = [];
    let paced: Paced;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "bindery-machines-"));
      machines = await startSearchCluster(folder, 3);
      client = openSearchClient({ urls: await urls() });
      const options = { catalog: setting.catalog, clock: makeClock() };
      nodes = [await under.open(options), await under.open(options)];
      paced = { lanes: await makeLanes(LANES, nodes[0]!, setting, SEED), nodes, seed: SEED };
    }, 600_000);
    afterAll(async () => {
      for (const node of nodes) await node.close();
      await under.cleanUp();
      await client?.close();
      for (const machine of machines) await machine.kill();
      rmSync(folder, { recursive: true, force: true });
    });

    const indexName = async (): Promise<string> => recordsIndexOf((await nodes[0]!.indexSource.states())[0]!.name);
    const shards = async (): Promise<readonly Shard[]> => {
      const query = { format: "json", h: "shard,prirep,state,node" };
      return client.send({ method: "GET", path: `/_cat/shards/${await indexName()}`, query });
    };
    const settled = async (): Promise<void> => {
      const query = { wait_for_status: "green", wait_for_no_relocating_shards: true, timeout: "50s" };
      while (
        !(await client.send<{ timed_out: boolean }>({ method: "GET", path: "/_cluster/health", query }).then(
          ({ timed_out: isLate }) => !isLate,
          () => false,
        ))
      );
    };
    /** Moves every copy of shard 0 to where there is none, again and again the other way. */
    const moveOne = async (): Promise<void> => {
      const all = await shards();
      const from = all.find(({ shard, prirep }) => shard === "0" && prirep === "p")!.node!;
      const taken = new Set(all.filter(({ shard }) => shard === "0").map(({ node }) => node));
      const to = ["node-1", "node-2", "node-3"].find((name) => !taken.has(name))!;
      const move = { index: await indexName(), shard: 0, from_node: from, to_node: to };
      await client.send({ method: "POST", path: "/_cluster/reroute", body: { commands: [{ move }] } });
      await settled();
    };
    const exclude = (name: string | null): Promise<unknown> =>
      client.send({
        ...{ method: "PUT", path: "/_cluster/settings" },
        body: { persistent: { "cluster.routing.allocation.exclude._name": name } },
      });

    it("answers exactly while shards move, and while one machine is emptied, is killed and comes back", {
      timeout: 3_000_000,
    }, async () => {
      const refused: Record<string, number> = {};
      const report = await whileWriting(paced, RATE, async (soFar, signal) => {
        const during = async (what: string, work: () => Promise<void>): Promise<void> => {
          const before = soFar.refused;
          await work();
          await untilChecked(soFar.checked + BETWEEN)(soFar, signal);
          refused[what] = soFar.refused - before;
        };
        await during("nothing", settled);
        for (let move = 1; move <= 6; move++) await during(`move ${move}`, moveOne);
        await during("emptied", async () => {
          await exclude("node-2");
          await settled();
        });
        await during("filled", async () => {
          await exclude(null);
          await settled();
        });
        await during("killed", async () => {
          await machines[2]!.kill();
          await sleep(5_000, undefined, { signal });
        });
        await during("back", async () => {
          await machines[2]!.start();
          await settled();
        });
      });
      process.stdout.write(described(`three machines (refused: ${JSON.stringify(refused)})`, report, nodes));
      while (await nodes[0]!.indexSource.isBehind()) await sleep(10);
      await checkAll(paced, 5);
      const [first] = nodes;
      const { findings } = await first!.search.adminOf(first!.admin, first!.plainStore).verify(() => undefined);
      expect(findings.filter(({ place }) => place !== "store")).toEqual([]);
    });
  },
);
