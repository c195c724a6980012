/** Requests and pages of this build beside those of another one, on copies of one store. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startBindery } from "../test/support/bindery.js";
import { makeRecord } from "../test/support/records.js";
import { prepareRecords } from "./compare.js";
import { loadService, SERVICE } from "./load.js";
import { count, table } from "./markdown-table.js";
import { type Figures, measure, median } from "./measure.js";
import type { BenchOptions } from "./options.js";
import { pageRows } from "./pages/page-rows.js";
import { type BenchCase, get, VARIANTS } from "./requests/bench-case.js";
import { itemRequests } from "./requests/item-requests.js";
import { type RecordsAsked, recordRequests } from "./requests/record-requests.js";

/** A share of the requests per second of the base below which a row is slower. */
const SLOWER = 0.97;

/** Before a measurement counts, both have run this long. */
const WARM_UP_SECONDS = 0.3;

const BROWSER = { accept: "text/html, application/json" };

/** One kind of request of both builds. */
interface Pair {
  readonly name: string;
  /** Requests per second of this build, as a share of those of the base: the median, and all rounds. */
  readonly ratio: number;
  readonly ratios: readonly number[];
  readonly ours: readonly Figures[];
  readonly base: readonly Figures[];
}

/**
 * Loads a store with the base, copies it, and measures both builds in turn: base, ours, ours, base, ...
 *
 * @throws Error if no base is named
 */
export async function reportAgainst(size: number, options: BenchOptions): Promise<string> {
  if (options.base === undefined) throw new Error("--only against takes --base FOLDER, a built copy of the sources.");
  const loaded = await loadService(size, size, resolve(options.base, "dist/main.js"));
  const folder = mkdtempSync(join(tmpdir(), "bindery-bench-against-"));
  try {
    const records = await prepareRecords(loaded);
    await loaded.bindery.end("SIGTERM");
    cpSync(loaded.bindery.data, folder, { recursive: true });
    await loaded.bindery.restart();
    const ours = await startBindery({ ...SERVICE, data: folder });
    try {
      const pairs: Pair[] = [];
      for (const each of casesOf(size, records, options)) {
        pairs.push(await measurePair(each, { base: loaded.bindery.url, ours: ours.url }, options));
        process.stderr.write(`${pairs.at(-1)!.ratio.toFixed(3)} ${each.name}\n`);
      }
      return describePairs(size, pairs);
    } finally {
      await ours.dispose();
    }
  } finally {
    await loaded.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

function casesOf(size: number, records: RecordsAsked, { only = "" }: BenchOptions): readonly BenchCase[] {
  const pages = pageRows(records.ids).map(({ name, page }) => get(`page, ${name}`, page, { headers: BROWSER }));
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

async function measurePair(
  test: BenchCase,
  urls: { readonly base: string; readonly ours: string },
  { seconds, rounds }: BenchOptions,
): Promise<Pair> {
  for (const url of [urls.base, urls.ours]) await measure(url, test, WARM_UP_SECONDS);
  const taken: { readonly base: Figures; readonly ours: Figures }[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const base = await measure(urls.base, test, seconds);
      taken.push({ base, ours: await measure(urls.ours, test, seconds) });
    } else {
      const ours = await measure(urls.ours, test, seconds);
      taken.push({ base: await measure(urls.base, test, seconds), ours });
    }
  }
  const ratios = taken.map((round) => round.ours.perSecond / round.base.perSecond);
  const [base, ours] = [taken.map((round) => round.base), taken.map((round) => round.ours)];
  return { name: test.name, ratio: median(ratios), ratios, base, ours };
}

/** The slowest rows come first. */
function describePairs(size: number, pairs: readonly Pair[]): string {
  const rows = pairs.toSorted((a, b) => a.ratio - b.ratio).map(cellsOf);
  const slower = pairs.filter(({ ratio }) => ratio < SLOWER).length;
  const summary = `${slower} of ${pairs.length} rows are slower by more than ${((1 - SLOWER) * 100).toFixed(0)} %.`;
  return `### This build beside the base, ${count(size)} items and records\n\n${summary}\n\n${table(COLUMNS, rows)}`;
}

const COLUMNS = ["Request", "Ratio", "least", "greatest", "Requests/s", "base", "p50 ms", "base", "p99 ms", "base"];

function cellsOf({ name, ratio, ratios, ours, base }: Pair): string[] {
  const cell = (figures: readonly Figures[], key: keyof Figures): number => median(figures.map((each) => each[key]));
  return [
    name,
    ratio < SLOWER ? `**${ratio.toFixed(3)}**` : ratio.toFixed(3),
    ...[Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(3)),
    ...[count(cell(ours, "perSecond")), count(cell(base, "perSecond"))],
    ...[cell(ours, "p50"), cell(base, "p50"), cell(ours, "p99"), cell(base, "p99")].map((value) => value.toFixed(2)),
  ];
}
