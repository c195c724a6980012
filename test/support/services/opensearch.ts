/** OpenSearch for tests: one node per run, with a prefix of index names for each that asks; and clusters to break. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.js";
import { runFolder, startOnce } from "./run-once.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const { jarsFolder } = (await import(join(ROOT, "scripts/fetch-opensearch.mjs"))) as { jarsFolder(): string };

/** What OpenSearch 3 needs. */
const JAVA_MIN = 21;
const JAVA = findJava();
const MISSING = [
  ...(JAVA === undefined ? [`no Java ${JAVA_MIN} or newer was found (JAVA_HOME, /usr/lib/jvm)`] : []),
  ...(existsSync(jarsFolder()) ? [] : ["its libraries are missing: run node scripts/fetch-opensearch.mjs"]),
];

/**
 * Whether there is an OpenSearch. Without one its tests are skipped; TEST_REQUIRE=opensearch or CI=true: that is a
 * failure.
 */
export const HAS_OPENSEARCH = MISSING.length === 0;

if (!HAS_OPENSEARCH) {
  const isRequired = process.env.CI === "true" || (process.env.TEST_REQUIRE ?? "").split(",").includes("opensearch");
  if (isRequired) throw new Error(`OpenSearch is required, and ${MISSING.join("; ")}.`);
  process.stderr.write(`Skipped: the tests on OpenSearch: ${MISSING.join("; ")}.\n`);
}

/** The newest Java there is, if it is new enough: each has a file that names its version. */
function findJava(): string | undefined {
  const folder = "/usr/lib/jvm";
  const homes = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const found = [process.env.JAVA_HOME, ...homes].flatMap((home) => {
    const version = home === undefined ? 0 : javaVersion(home);
    return home !== undefined && version >= JAVA_MIN ? [{ program: join(home, "bin/java"), version }] : [];
  });
  return found.sort((a, b) => b.version - a.version)[0]?.program;
}

function javaVersion(home: string): number {
  const file = join(home, "release");
  // Without its compiler a Java cannot run sources.
  if (!existsSync(file) || !existsSync(join(home, "bin/javac"))) return 0;
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(file, "utf8"))?.[1] ?? 0);
}

/** A node that is a process of its own. */
export interface SearchNode {
  /** `http://127.0.0.1:9301` */
  readonly url: string;
  readonly pid: number;
  /** Starts it again, on the same port and data. */
  start(): Promise<void>;
  /** Ends it at once. */
  kill(): Promise<void>;
  /** Stops it where it is, so that it accepts connections and answers nothing. */
  pause(): void;
  resume(): void;
}

interface NodeOptions {
  readonly folder: string;
  readonly httpPort: number;
  readonly settings: Readonly<Record<string, string>>;
  /** The process with which it ends, whatever ends that. */
  readonly owner?: number;
  readonly heapMb?: number;
}

/**
 * What every node of a test has: disks of test machines are as full as they are, and the serial collector leaves what
 * is garbage until there is no room, so that the room it takes says nothing.
 */
const SETTINGS = {
  "cluster.routing.allocation.disk.threshold_enabled": "false",
  "indices.breaker.total.use_real_memory": "false",
  "network.host": "127.0.0.1",
};

const START_MS = 120_000;

async function startNode({
  folder,
  httpPort,
  settings,
  owner = process.pid,
  heapMb = 768,
}: NodeOptions): Promise<SearchNode> {
  mkdirSync(folder, { recursive: true });
  const named = Object.entries({ ...SETTINGS, ...settings, "http.port": `${httpPort}` });
  const source = join(ROOT, "test/support/services/OpenSearchNode.java");
  const args = [
    ...[`-Xms${heapMb}m`, `-Xmx${heapMb}m`, "-XX:+UseSerialGC", "-cp", join(jarsFolder(), "*")],
    ...[source, folder, `${owner}`],
    ...named.map(([name, value]) => `${name}=${value}`),
  ];
  const launch = (): number => {
    const log = openSync(join(folder, "log"), "a");
    const child = spawn(JAVA!, args, { cwd: folder, detached: true, stdio: ["ignore", log, log] });
    child.unref();
    return child.pid!;
  };
  let pid = launch();
  const signal = (name: NodeJS.Signals): boolean => process.kill(pid, name);
  return {
    url: `http://127.0.0.1:${httpPort}`,
    get pid() {
      return pid;
    },
    start: async () => {
      pid = launch();
      await answers(`http://127.0.0.1:${httpPort}`, 1);
    },
    kill: async () => {
      signal("SIGKILL");
      while (isAlive(pid)) await sleep(10);
    },
    pause: () => void signal("SIGSTOP"),
    resume: () => void signal("SIGCONT"),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A child that ended is there until somebody asks.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Waits until so many nodes, at least, are one cluster. */
async function answers(url: string, nodes: number): Promise<void> {
  const health = `${url}/_cluster/health?wait_for_status=yellow&wait_for_nodes=ge(${nodes})&timeout=5s`;
  for (const until = Date.now() + START_MS; ; await sleep(100)) {
    try {
      if ((await fetch(health)).ok) return;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    if (Date.now() > until) throw new Error(`OpenSearch at ${url} does not answer.`);
  }
}

/**
 * A cluster of nodes that can be ended one by one. Whoever starts it ends its nodes.
 * @param folder empty
 */
export async function startSearchCluster(folder: string, count: number): Promise<readonly SearchNode[]> {
  const ports = await Promise.all(Array.from({ length: count * 2 }, freePort));
  const names = Array.from({ length: count }, (_, i) => `node-${i + 1}`);
  const together = {
    "discovery.type": "zen",
    "discovery.seed_hosts": ports
      .slice(count)
      .map((port) => `127.0.0.1:${port}`)
      .join(","),
    "cluster.initial_cluster_manager_nodes": names.join(","),
  };
  const nodes = await Promise.all(
    names.map((name, i) => {
      const own = { "node.name": name, "transport.port": `${ports[count + i]}` };
      const settings = count === 1 ? { ...own, "discovery.type": "single-node" } : { ...own, ...together };
      const heap = count === 1 ? {} : { heapMb: 448 };
      return startNode({ folder: join(folder, name), httpPort: ports[i]!, settings, ...heap });
    }),
  );
  await Promise.all(nodes.map(({ url }) => answers(url, count)));
  return nodes;
}

const SHARED = "opensearch";

/** The URL of the node of the run. */
export const searchUrl = (): Promise<string> =>
  startOnce(SHARED, async (folder) => {
    const settings = { "discovery.type": "single-node", "transport.port": `${await freePort()}` };
    // The worker that happens to start it may end long before the run, which is its parent.
    const node = await startNode({ folder, httpPort: await freePort(), settings, owner: process.ppid });
    writeFileSync(join(folder, "pid"), `${node.pid}`);
    await answers(node.url, 1);
    return node.url;
  });

let prefixes = 0;

/** Begins the names of the indexes of one service, and of no other one. */
export const newPrefix = (): string => `test-p${process.pid}-n${++prefixes}`;

/** Removes the indexes of a service. */
export async function dropIndexes(url: string, prefix: string): Promise<void> {
  const answer = await fetch(`${url}/${prefix}-*?ignore_unavailable=true`, { method: "DELETE" });
  if (!answer.ok) throw new Error(`${prefix}-* could not be deleted: ${await answer.text()}`);
}

/** Ends the node of the run, if one was started. Whoever calls this knows that the run is over. */
export function stopSharedSearch(): void {
  const file = join(runFolder(), SHARED, "data", "pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8"));
  if (isAlive(pid)) process.kill(pid, "SIGKILL");
}
