/** The same data in a data folder, and in PostgreSQL and OpenSearch, which two nodes serve. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bindery, type CommandResult, runProgram, settings, startBindery } from "../../test/support/bindery.js";
import { makeCluster } from "../../test/support/services/postgres.js";
import { type OpenSearch, startOpenSearch } from "../first/start-opensearch.js";
import { command, type Loaded, loadService, SERVICE, timed } from "../load.js";

/** PostgreSQL, which flushes each commit, and OpenSearch. */
export interface Stores {
  readonly databaseUrl: string;
  readonly search: OpenSearch;
  /** Settings of a node. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs `bindery ...` on them, where no node need be. */
  program(...args: readonly string[]): Promise<CommandResult>;
  /** Starts one more node on them, and waits until it answers searches. */
  startNode(): Promise<Bindery>;
  /** Ends the nodes too. */
  stop(): Promise<void>;
}

/** What is measured, by turns. */
export interface Sides {
  readonly embedded: Loaded;
  readonly nodes: readonly [Bindery, Bindery];
  readonly stores: Stores;
  readonly records: number;
  /** Seconds that it took to move the store. */
  readonly moved: { readonly dump: number; readonly load: number; readonly firstIndex: number };
  stop(): Promise<void>;
}

const POLL_MS = 50;

export async function startStores(): Promise<Stores> {
  const folder = mkdtempSync(join(tmpdir(), "bindery-bench-cluster-"));
  const cluster = await makeCluster(folder, { durable: true });
  const nodes: Bindery[] = [];
  const stopDatabase = async (): Promise<void> => {
    for (const node of nodes) await node.dispose();
    await cluster.stop("immediate");
    rmSync(folder, { recursive: true, force: true });
  };
  const search = await startOpenSearch().catch(async (error: unknown) => {
    await stopDatabase();
    throw error;
  });
  const databaseUrl = `${cluster.url}/postgres`;
  const env = { ...SERVICE.env, BINDERY_DATABASE_URL: databaseUrl, BINDERY_SEARCH_URL: search.url };
  return {
    databaseUrl,
    search,
    env,
    program: (...args) => runProgram(args, settings(folder, env)),
    async startNode() {
      const node = await startBindery({ ...SERVICE, env });
      nodes.push(node);
      await untilIndexed(node);
      return node;
    },
    async stop() {
      await stopDatabase();
      await search.stop();
    },
  };
}

/** Loads the data folder, and moves a copy of it into the database. */
export async function startSides(items: number, records: number): Promise<Sides> {
  const stores = await startStores();
  try {
    const embedded = await loadService(items, records);
    try {
      const file = join(embedded.bindery.data, "store.ndjson");
      const dump = await timed(() => command(embedded.bindery, "dump", file));
      const load = await timed(() => command(stores, "load", file));
      rmSync(file);
      const begun = performance.now();
      const first = await stores.startNode();
      const firstIndex = (performance.now() - begun) / 1_000;
      const nodes = [first, await stores.startNode()] as const;
      const stop = async (): Promise<void> => {
        await embedded.dispose();
        await stores.stop();
      };
      return { embedded, nodes, stores, records, moved: { dump, load, firstIndex }, stop };
    } catch (error) {
      await embedded.dispose();
      throw error;
    }
  } catch (error) {
    await stores.stop();
    throw error;
  }
}

/** The index is made by the first node. */
async function untilIndexed({ client }: Bindery): Promise<void> {
  for (;;) {
    const { body } = await client.get<{ index?: { being_made?: true } }>("/readyz");
    if (body.index !== undefined && body.index.being_made !== true) return;
    await sleep(POLL_MS);
  }
}
