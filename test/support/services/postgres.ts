/** PostgreSQL for tests: started once per run, with a database for each that asks. */
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { freePort } from "./free-port.js";
import { runFolder, startOnce } from "./run-once.js";

const run = promisify(execFile);

const PROGRAMS = findPrograms();

/** Folder of the programs of PostgreSQL. */
export const POSTGRES_PROGRAMS = PROGRAMS;

/**
 * Whether there is a PostgreSQL. Without one its tests are skipped; TEST_REQUIRE=postgres or CI=true makes that a
 * failure.
 */
export const HAS_POSTGRES = PROGRAMS !== undefined;

if (!HAS_POSTGRES) {
  const isRequired = process.env.CI === "true" || (process.env.TEST_REQUIRE ?? "").split(",").includes("postgres");
  if (isRequired) throw new Error("PostgreSQL is required, and no initdb was found; set POSTGRES_BIN to its folder.");
  process.stderr.write("Skipped: the tests on PostgreSQL. Install postgresql, or set POSTGRES_BIN to its programs.\n");
}

/** Where distributions put the programs, the newest version first. */
function findPrograms(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [process.env.POSTGRES_BIN, ...versions.map((version) => join(debian, version, "bin")), "/usr/bin"];
  return places.find((place) => place !== undefined && existsSync(join(place, "initdb")));
}

/** The user whose programs these are: PostgreSQL refuses to run as root. */
const OWNER = "postgres";
const isRoot = process.getuid?.() === 0;

/** Runs a program of PostgreSQL. */
export async function postgresProgram(name: string, args: readonly string[]): Promise<void> {
  const program = join(PROGRAMS!, name);
  const [file, ...all] = isRoot ? ["runuser", "-u", OWNER, "--", program, ...args] : [program, ...args];
  // What it starts must not keep our pipes open.
  await run(file!, all, { cwd: "/", timeout: 120_000 });
}

/** A cluster of databases on a free port of loopback. */
export interface Cluster {
  /** `postgres://postgres@127.0.0.1:5433`, without a database. */
  readonly url: string;
  start(): Promise<void>;
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Ends all its processes at once, as a loss of power does but for the disk. */
  kill(): Promise<void>;
}

/**
 * Makes a cluster and starts it.
 * @param folder empty; also where it has its socket
 * @param durable whether it flushes what it commits. Only tests that end the program need it
 */
export async function makeCluster(folder: string, { durable }: { readonly durable: boolean }): Promise<Cluster> {
  if (isRoot) giveToOwner(folder);
  const data = join(folder, "cluster");
  await postgresProgram("initdb", ["-D", data, "-U", OWNER, "--auth=trust", "-E", "UTF8", "--no-locale", "--no-sync"]);
  const port = await freePort();
  const options = [
    `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=300 -c shared_buffers=64MB`,
    durable ? "" : "-c fsync=off -c synchronous_commit=off -c full_page_writes=off",
  ].join(" ");
  const control = (...args: string[]): Promise<void> => postgresProgram("pg_ctl", ["-D", data, "-w", ...args]);
  const cluster: Cluster = {
    url: `postgres://${OWNER}@127.0.0.1:${port}`,
    start: () => control("-o", options, "-l", join(folder, "log"), "start"),
    stop: (mode) => control("-m", mode, "stop"),
    kill: () => killServer(data),
  };
  await cluster.start();
  return cluster;
}

/** The first process is killed; the others end when they see that it is gone, and then it may be started again. */
async function killServer(data: string): Promise<void> {
  const pid = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
  const children = (await run("pgrep", ["-P", String(pid)])).stdout.trim().split("\n").map(Number);
  for (const each of [pid, ...children]) {
    try {
      process.kill(each, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
  while (children.some(isAlive)) await sleep(10);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The user needs the folder, and a way to it. */
function giveToOwner(folder: string): void {
  const ids = ["-u", "-g"].map((which) => spawnSync("id", [which, OWNER], { encoding: "utf8" }));
  if (ids.some(({ status }) => status !== 0)) throw new Error(`There is no user ${OWNER}, as whom PostgreSQL can run.`);
  const [user, group] = ids.map(({ stdout }) => Number(stdout));
  chownSync(folder, user!, group!);
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    const { mode } = statSync(above);
    if ((mode & 0o001) === 0) chmodSync(above, mode | 0o001);
  }
}

const clusterUrl = (): Promise<string> =>
  startOnce("postgres", async (folder) => (await makeCluster(folder, { durable: false })).url);

let databases = 0;

/** The URL of a new, empty database in the cluster of the run. */
export async function newDatabase(): Promise<string> {
  const cluster = await clusterUrl();
  const name = `test_${process.pid}_${++databases}`;
  await administer(cluster, `CREATE DATABASE ${name}`);
  return `${cluster}/${name}`;
}

/** The URL of a copy of a database as it is now, to which nobody is connected. */
export async function copyDatabase(url: string): Promise<string> {
  const { cluster, name } = partsOf(url);
  const copy = `test_${process.pid}_${++databases}`;
  await administer(cluster, `CREATE DATABASE ${copy} TEMPLATE ${name}`);
  return `${cluster}/${copy}`;
}

/** Removes it, whoever is connected. */
export async function dropDatabase(url: string): Promise<void> {
  const { cluster, name } = partsOf(url);
  await administer(cluster, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

function partsOf(url: string): { readonly cluster: string; readonly name: string } {
  const { pathname, origin, protocol, username, host } = new URL(url);
  return { cluster: origin === "null" ? `${protocol}//${username}@${host}` : origin, name: pathname.slice(1) };
}

async function administer(cluster: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: `${cluster}/postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Ends the cluster of the run, if one was started. Whoever calls this knows that the run is over. */
export async function stopSharedCluster(): Promise<void> {
  const data = join(runFolder(), "postgres", "data", "cluster");
  if (!existsSync(join(data, "postmaster.pid"))) return;
  await postgresProgram("pg_ctl", ["-D", data, "-m", "immediate", "-w", "stop"]);
}
