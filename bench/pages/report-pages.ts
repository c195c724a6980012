/** Pages for people beside the requests of the API that ask the services for the same. */
import type { Bindery } from "../../test/support/bindery.js";
import { count, table } from "../markdown-table.js";
import { measure, median } from "../measure.js";
import type { BenchOptions } from "../options.js";
import { type BenchCase, distinctPaths, get } from "../requests/bench-case.js";
import { newestIds } from "../requests/record-ids.js";
import { openRenderingMeter, type Rendering, type RenderingMeter } from "./measure-rendering.js";
import { type PageRow, pageRows } from "./page-rows.js";
import { processorSeconds, serveRecords } from "./serve-records.js";

/** What a page may take longer than what it shows, and its rendering; milliseconds, at p99. */
const TO_REACH = { p99: 20, rendering: 3 };

/** Records whose pages are asked for, so many that none of them is kept. */
const IDS = 10_000;

const BROWSER = { accept: "text/html, application/json" };

/** Of one kind of request; milliseconds. */
interface Cost {
  readonly p50: number;
  readonly p99: number;
  /** Processor time of all threads of the service. */
  readonly processor: number;
}

export async function reportPages(
  size: number,
  { seconds, rounds, data, only = "" }: Pick<BenchOptions, "seconds" | "rounds" | "data" | "only">,
): Promise<string> {
  return serveRecords(size, data, async (bindery, folder) => {
    const pages = pageRows(await newestIds(bindery.client, IDS)).filter(({ name }) => name.includes(only));
    const meter = await openRenderingMeter(
      folder,
      pages.map(({ page }) => page),
      BROWSER,
    );
    try {
      const rows: string[][] = [];
      for (const row of pages) rows.push(await measureRow({ bindery, meter }, row, { seconds, rounds }));
      return `### Pages for people, ${count(size)} records\n\n${table(COLUMNS, rows)}`;
    } finally {
      await meter.close();
    }
  });
}

interface Measured {
  readonly bindery: Bindery;
  readonly meter: RenderingMeter;
}

const COLUMNS = [
  "Page",
  "Answer",
  "p50 ms",
  "p99 ms",
  "Processor ms",
  "Calls",
  "their p50 ms",
  "p99 ms",
  "Processor ms",
  "Over it: p99 ms",
  "Processor ms",
  "Rendering p50 ms",
  "p99 ms",
];

/** The page and its calls in turn, each made for its request. */
async function measureRow(
  { bindery, meter }: Measured,
  { name, page, calls }: PageRow,
  { seconds, rounds }: Pick<BenchOptions, "seconds" | "rounds">,
): Promise<string[]> {
  const tests = [page, ...calls].map((path) => ({
    ...get(name, path, { nextPath: distinctPaths(path), headers: BROWSER }),
    connections: 1,
  }));
  const taken: Cost[][] = [];
  const rendered: Rendering[] = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const costs: Cost[] = [];
    for (const test of tests) costs.push(await costOf(bindery, test, seconds));
    const rendering = await meter.measure(page, seconds);
    if (round === 0) continue;
    taken.push(costs);
    rendered.push(rendering);
  }
  const [own, ...parts] = tests.map((_, i) => medianCost(taken.map((costs) => costs[i]!)));
  const sum = (key: keyof Cost): number => parts.reduce((total, part) => total + part[key], 0);
  // No more than one call is likely to be slow at once.
  const called = { p50: sum("p50"), p99: Math.max(...parts.map(({ p99 }) => p99)), processor: sum("processor") };
  const [p99, processor] = [own!.p99 - called.p99, own!.processor - called.processor];
  const { headers, text } = await bindery.client.get(page(0));
  if (!headers["content-type"]?.startsWith("text/html")) throw new Error(`${page(0)} is no page: ${text}`);
  return [
    name,
    `${(Buffer.byteLength(text) / 1_000).toFixed(1)} kB`,
    ...cells(own!),
    String(calls.length),
    ...cells(called),
    marked(p99, TO_REACH.p99),
    processor.toFixed(2),
    median(rendered.map(({ p50 }) => p50)).toFixed(2),
    marked(median(rendered.map(({ p99 }) => p99)), TO_REACH.rendering),
  ];
}

async function costOf(bindery: Bindery, test: BenchCase, seconds: number): Promise<Cost> {
  const before = await processorSeconds(bindery);
  const { p50, p99, answers } = await measure(bindery.url, test, seconds);
  return { p50, p99, processor: ((await processorSeconds(bindery)) - before) * (1_000 / answers) };
}

function medianCost(costs: readonly Cost[]): Cost {
  const of = (key: keyof Cost): number => median(costs.map((cost) => cost[key]));
  return { p50: of("p50"), p99: of("p99"), processor: of("processor") };
}

const cells = ({ p50, p99, processor }: Cost): string[] => [p50, p99, processor].map((value) => value.toFixed(2));

const marked = (value: number, limit: number): string =>
  value <= limit ? value.toFixed(2) : `**${value.toFixed(2)}**`;
