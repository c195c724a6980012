/** Compares requests and pages of this build with those of a base build, each on its own store of the same data. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bindery } from "../test/support/bindery.js";
import { organismId } from "../test/support/items.js";
import { makeRecord } from "../test/support/records.js";
import { prepareRecords } from "./compare.js";
import { loadService } from "./load.js";
import { count, table } from "./markdown-table.js";
import { type Figures, measure, median } from "./measure.js";
import type { BenchOptions } from "./options.js";
import { pageRows } from "./pages/page-rows.js";
import { type BenchCase, get, VARIANTS } from "./requests/bench-case.js";
import { itemRequests } from "./requests/item-requests.js";
import { type RecordsAsked, recordRequests } from "./requests/record-requests.js";

/** Ratio of requests per second to those of the base below which a row counts as slower. */
const SLOWER = 0.97;

/** Interval between checks whether a service is idle, in milliseconds. */
const CHECK_MS = 5_000;

/** Number of idle intervals in a row to wait for: once a minute the service checks whether words can be removed. */
const IDLE_CHECKS = 13;

/**
 * Processor time in one interval below which a service is idle, in milliseconds. A service without requests uses about
 * 240.
 */
const IDLE_MS = 500;

/** Time for which each build runs before the first measurement. */
const WARM_UP_SECONDS = 0.3;

const BROWSER = { accept: "text/html, application/json" };

/** Starts of both builds: a process can be 5 % faster or slower than another one of the same build. */
const STARTS = 3;

/** One measurement of each build. */
interface Round {
  readonly base: Figures;
  readonly ours: Figures;
}

type Build = keyof Round;

/**
 * Loads a store with each build, and measures both in turn: base, ours, ours, base, ... Both restart between passes. A
 * copy of one store would not be fair: the newer build would index it again, and segments of an index that was written
 * twice are slower to read.
 *
 * @throws Error if `--base` is missing
 */
export async function reportAgainst(size: number, options: BenchOptions): Promise<string> {
  if (options.base === undefined) throw new Error("--only against takes --base FOLDER, a built copy of the sources.");
  const base = await loadService(size, size, resolve(options.base, "dist/main.js"));
  try {
    const ours = await loadService(size, size);
    try {
      const baseCases = casesOf(size, await prepareRecords(base), options);
      const oursCases = casesOf(size, await prepareRecords(ours), options);
      const rounds = new Map<string, Round[]>();
      for (let start = 0; start < STARTS; start++) {
        await Promise.all([base.bindery, ours.bindery].map((bindery) => untilIdle(bindery, start > 0)));
        const urls = { base: base.bindery.url, ours: ours.bindery.url };
        for (const [n, baseCase] of baseCases.entries()) {
          const { name } = baseCase;
          const newRounds = await measureRounds({ base: baseCase, ours: oursCases[n]! }, urls, options);
          rounds.set(name, [...(rounds.get(name) ?? []), ...newRounds]);
          process.stderr.write(`${median(newRounds.map(ratioOf)).toFixed(3)} ${name}\n`);
        }
      }
      return describeRounds(size, rounds);
    } finally {
      await ours.dispose();
    }
  } finally {
    await base.dispose();
  }
}

/**
 * Waits until a service is idle: it merges segments and removes words in the background, which would take the processor
 * from the requests.
 *
 * @param restarts restarts it first
 * @throws Error after twenty minutes
 */
async function untilIdle(bindery: Bindery, restarts: boolean): Promise<void> {
  if (restarts) {
    await bindery.end("SIGTERM");
    await bindery.restart();
  }
  let idleChecks = 0;
  let cpuMs = cpuMillis(bindery.pid);
  for (let tries = 0; tries < 240; tries++) {
    await sleep(CHECK_MS);
    const now = cpuMillis(bindery.pid);
    idleChecks = now - cpuMs < IDLE_MS ? idleChecks + 1 : 0;
    cpuMs = now;
    if (idleChecks === IDLE_CHECKS) return;
  }
  throw new Error("The service is not idle after twenty minutes.");
}

/** Returns the processor time that a process has taken, in milliseconds. Linux counts it in ticks of 10 ms. */
function cpuMillis(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /su, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function casesOf(size: number, records: RecordsAsked, { only = "" }: BenchOptions): readonly BenchCase[] {
  const pages = pageRows(records.ids, (n) => organismId(n % size)).map(({ name, page }) =>
    get(`page, ${name}`, page, { headers: BROWSER }),
  );
  const authorization = `Bearer ${records.token}`;
  const deposits = ["/api/records/mst/?validate=only", "/api/records/mst/"].map((path) => ({
    name: `POST ${path}`,
    method: "POST" as const,
    paths: [path],
    bodies: Array.from({ length: VARIANTS }, (_, n) => JSON.stringify(makeRecord(n, { seed: 3 }))),
    headers: { authorization },
    connections: 4,
  }));
  const all = [...itemRequests(size), ...recordRequests(records), ...pages, ...deposits];
  return all.filter(({ name }) => name.includes(only));
}

/** Measures one request on both builds in turn. @param tests the request for each build, because cursors differ */
async function measureRounds(
  tests: Readonly<Record<Build, BenchCase>>,
  urls: Readonly<Record<Build, string>>,
  { seconds, rounds }: BenchOptions,
): Promise<readonly Round[]> {
  const run = (build: Build, time: number): Promise<Figures> => measure(urls[build], tests[build], time);
  for (const build of ["base", "ours"] as const) await run(build, WARM_UP_SECONDS);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const base = await run("base", seconds);
      measured.push({ base, ours: await run("ours", seconds) });
    } else {
      const ours = await run("ours", seconds);
      measured.push({ base: await run("base", seconds), ours });
    }
  }
  return measured;
}

const ratioOf = ({ base, ours }: Round): number => ours.perSecond / base.perSecond;

/** Returns the report, the slowest rows first. */
function describeRounds(size: number, rounds: ReadonlyMap<string, readonly Round[]>): string {
  const rows = [...rounds].map(([name, ofName]) => ({ name, ofName, ratio: median(ofName.map(ratioOf)) }));
  const slower = rows.filter(({ ratio }) => ratio < SLOWER).length;
  const summary = `${slower} of ${rows.length} rows are slower by more than ${((1 - SLOWER) * 100).toFixed(0)} %.`;
  const cells = rows.toSorted((a, b) => a.ratio - b.ratio).map(({ name, ofName }) => cellsOf(name, ofName));
  return `### This build beside the base, ${count(size)} items and records\n\n${summary}\n\n${table(COLUMNS, cells)}`;
}

const COLUMNS = [
  "Request",
  "Ratio",
  "least",
  "greatest",
  "Requests/s",
  "base",
  "p50 ms",
  "base p50",
  "p99 ms",
  "base p99",
];

function cellsOf(name: string, rounds: readonly Round[]): string[] {
  const middle = (build: Build, key: keyof Figures): number => median(rounds.map((round) => round[build][key]));
  const ratios = rounds.map(ratioOf);
  const ratio = median(ratios);
  return [
    name,
    ratio < SLOWER ? `**${ratio.toFixed(3)}**` : ratio.toFixed(3),
    ...[Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(3)),
    count(middle("ours", "perSecond")),
    count(middle("base", "perSecond")),
    ...(["p50", "p99"] as const).flatMap((key) => [middle("ours", key).toFixed(2), middle("base", key).toFixed(2)]),
  ];
}
