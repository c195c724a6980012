/** Measures first answers: every request is sent once, to the service and to OpenSearch in turn. */
import { command, type Loaded, loadService } from "../load.js";
import { count, table } from "../markdown-table.js";
import { type Figures, measure, median, medianFigures } from "../measure.js";
import type { BenchOptions } from "../options.js";
import { type BenchCase, distinctPaths, get } from "../requests/bench-case.js";
import { fillIndexes, type SampledItem } from "./fill-index.js";
import { measureInProcess } from "./in-process.js";
import { openSearchRows, type Row } from "./item-rows.js";
import { findDifference, openSearchCase } from "./opensearch-requests.js";
import { type OpenSearch, startOpenSearch } from "./start-opensearch.js";

/** Seconds of requests before a measurement, in which both compile what they run often; more before the first row. */
const WARM_UP_SECONDS = 2;
const FIRST_WARM_UP_SECONDS = 15;

/** Number of generated items that records cite, where all others are taxa. */
const CITED = 1_000;

const LOAD_TAXA = ["authority", "load", "ncbi"] as const;

/** Measures a vocabulary of `size` items, or of all taxa, and as many records as the option says. */
export async function reportFirst(size: number, options: BenchOptions): Promise<string> {
  const records = options.records[options.sizes.indexOf(size)] ?? options.records.at(-1)!;
  const server = await startOpenSearch();
  try {
    const { taxdump } = options;
    const loaded = await loadService(taxdump === undefined ? size : CITED, records);
    try {
      if (taxdump !== undefined) {
        await loaded.bindery.end("SIGTERM");
        await command(loaded.bindery, ...LOAD_TAXA, taxdump);
        await loaded.bindery.restart();
      }
      const items = await fillIndexes(server, loaded.bindery.url);
      const { rows, differences } = await measureRows(loaded, server, items, options);
      const inProcess = "in process".includes(options.only ?? "") ? await measureInProcess(loaded, items) : "";
      const many = taxdump === undefined ? `${count(size)} items` : "all taxa";
      const title = `### First answers beside OpenSearch 3.8, ${many}, ${count(records)} records`;
      return `${title}\n\n${table(COLUMNS, rows)}\n${differences.map((each) => `\n- ${each}`).join("")}\n${inProcess}`;
    } finally {
      await loaded.dispose();
    }
  } finally {
    await server.stop();
  }
}

const COLUMNS = [
  "Request, each once",
  "8 callers/s",
  "p50/p95/p99/max ms",
  "OpenSearch/s",
  "p50/p95/p99/max ms",
  "Ratio",
  "Alone p50/p99 ms",
  "OpenSearch",
  "Ratio alone",
];

async function measureRows(
  { bindery }: Loaded,
  server: OpenSearch,
  items: readonly SampledItem[],
  { rounds, seconds, only = "" }: BenchOptions,
): Promise<{ readonly rows: string[][]; readonly differences: readonly string[] }> {
  const measured: string[][] = [];
  const differences: string[] = [];
  const rows = (await openSearchRows(bindery.client, items)).filter(({ name }) => name.includes(only));
  for (const row of rows) {
    const difference = await findDifference(bindery.client, server, row);
    if (difference !== undefined) {
      differences.push(difference);
      process.exitCode = 1;
    }
    const service: BenchCase = {
      ...get(row.name, row.path, { variants: 1 }),
      nextPath: distinctPaths(row.path, Infinity),
    };
    const openSearch = openSearchCase(row);
    const warmUp = measured.length === 0 ? FIRST_WARM_UP_SECONDS : WARM_UP_SECONDS;
    await measure(bindery.url, service, warmUp);
    await measure(server.url, openSearch, warmUp);
    const taken: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      taken.push({
        service: await measure(bindery.url, service, seconds),
        openSearch: await measure(server.url, openSearch, seconds),
        serviceAlone: await measure(bindery.url, { ...service, connections: 1 }, seconds),
        openSearchAlone: await measure(server.url, { ...openSearch, connections: 1 }, seconds),
      });
    }
    measured.push(cellsOf(row, taken));
    process.stderr.write(`${measured.length} of ${rows.length}: ${measured.at(-1)!.join("  ")}\n`);
  }
  return { rows: measured, differences };
}

/** Figures of one round, with eight callers and with one. */
type Round = Readonly<Record<"service" | "openSearch" | "serviceAlone" | "openSearchAlone", Figures>>;

function cellsOf({ name }: Row, taken: readonly Round[]): string[] {
  const of = (who: keyof Round): Figures => medianFigures(taken.map((round) => round[who]));
  const ratio = (who: keyof Round, to: keyof Round): string => {
    const times = median(taken.map((round) => round[who].perSecond / round[to].perSecond));
    return times >= 1 ? times.toFixed(2) : `**${times.toFixed(2)}**`;
  };
  const times = ({ p50, p95, p99, max }: Figures): string =>
    `${p50.toFixed(2)}/${p95.toFixed(1)}/${p99.toFixed(1)}/${max.toFixed(0)}`;
  const alone = ({ p50, p99 }: Figures): string => `${p50.toFixed(2)}/${p99.toFixed(1)}`;
  const [service, openSearch] = [of("service"), of("openSearch")];
  return [
    name,
    count(service.perSecond),
    times(service),
    count(openSearch.perSecond),
    times(openSearch),
    ratio("service", "openSearch"),
    alone(of("serviceAlone")),
    alone(of("openSearchAlone")),
    ratio("serviceAlone", "openSearchAlone"),
  ];
}
