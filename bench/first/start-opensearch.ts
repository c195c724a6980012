/** The whole server of OpenSearch, as it comes from Maven Central, in a process of its own. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../../test/support/bindery.js";

const JAVA_MIN = 21;
const JVMS = "/usr/lib/jvm";

/** The runner takes no other ports from its command line. */
const PORTS = Array.from({ length: 99 }, (_, n) => 9201 + n);

const START_MS = 90_000;
const POLL_MS = 250;

export interface OpenSearch {
  readonly url: string;
  /** @returns the answer. @throws where it is an error */
  send<Body>(method: "GET" | "PUT" | "POST", path: string, body?: string): Promise<Body>;
  stop(): Promise<void>;
}

/** Starts one node with 2 GB of heap on a new data folder. */
export async function startOpenSearch(): Promise<OpenSearch> {
  const [java, jars] = [findJava(), await fetchJars()];
  const folder = mkdtempSync(join(tmpdir(), "bindery-bench-opensearch-"));
  const port = await findPort();
  const memory = ["-Xms2g", "-Xmx2g"];
  const runner = ["org.codelibs.opensearch.runner.OpenSearchRunner", "-numOfNode", "1"];
  const where = ["-basePath", folder, "-baseHttpPort", String(port - 1)];
  const args = [...memory, "-cp", `${jars}/*`, ...runner, ...where];
  const child = spawn(java, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const keep = (text: Buffer): void => {
    output = `${output}${text}`.slice(-4_000);
  };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", keep);
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(url, child);
  } catch (error) {
    await stop();
    throw new Error(`OpenSearch does not start:\n${output}`, { cause: error });
  }
  return {
    url,
    stop,
    async send<Body>(method: string, path: string, body?: string) {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`OpenSearch answers ${answer.status} to ${path}: ${text.slice(0, 2_000)}`);
      return JSON.parse(text) as Body;
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const end = performance.now() + START_MS;
  while (child.exitCode === null && performance.now() < end) {
    const answer = await fetch(`${url}/_cluster/health`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(POLL_MS);
  }
  throw new Error("There was no answer.");
}

/** @throws where there is none that is new enough */
function findJava(): string {
  const homes = existsSync(JVMS) ? readdirSync(JVMS).map((name) => join(JVMS, name)) : [];
  for (const home of [...(process.env.JAVA_HOME === undefined ? [] : [process.env.JAVA_HOME]), ...homes]) {
    const java = join(home, "bin", "java");
    const said = spawnSync(java, ["-version"], { encoding: "utf8" }).stderr ?? "";
    if (Number(/version "(\d+)/.exec(said)?.[1]) >= JAVA_MIN) return java;
  }
  throw new Error(`OpenSearch needs a JDK of ${JAVA_MIN} or newer, in JAVA_HOME or in ${JVMS}.`);
}

/** @returns the folder of the jars, the one that tests have. @throws where Maven is not there, or cannot fetch them */
async function fetchJars(): Promise<string> {
  const script = join(ROOT, "scripts/fetch-opensearch.mjs");
  execFileSync(process.execPath, [script], { stdio: ["ignore", "inherit", "inherit"] });
  const { jarsFolder } = (await import(script)) as { jarsFolder(): string };
  return jarsFolder();
}

async function findPort(): Promise<number> {
  for (const port of PORTS) if (await isFree(port)) return port;
  throw new Error(`No port from ${PORTS[0]} to ${PORTS.at(-1)} is free for OpenSearch.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
