/** First answers: every request is sent once, to the service and to OpenSearch, in turn. */
import { command, type Loaded, loadService } from "../load.js";
import { count, table } from "../markdown-table.js";
import { type Figures, measure, median, medianFigures } from "../measure.js";
import type { BenchOptions } from "../options.js";
import { type BenchCase, get, unlike } from "../requests/bench-case.js";
import { fillIndexes, type SampledItem } from "./fill-index.js";
import { measureInProcess } from "./in-process.js";
import { openSearchRows, type Row } from "./item-rows.js";
import { type OpenSearch, startOpenSearch } from "./start-opensearch.js";
import { caseOfTheirs, checkAnswers } from "./their-requests.js";

/** Before a measurement counts: both compile what they run often, most of it at the first row. */
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
      const rows = await measureRows(loaded, server, items, options);
      const inProcess = "in process".includes(options.only ?? "") ? await measureInProcess(loaded, items) : "";
      const many = taxdump === undefined ? `${count(size)} items` : "all taxa";
      const title = `### First answers beside OpenSearch 3.8, ${many}, ${count(records)} records`;
      return `${title}\n\n${table(COLUMNS, rows)}\n${inProcess}`;
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
): Promise<string[][]> {
  const measured: string[][] = [];
  const rows = (await openSearchRows(bindery.client, items)).filter(({ name }) => name.includes(only));
  for (const row of rows) {
    await checkAnswers(bindery.client, server, row);
    const ours: BenchCase = { ...get(row.name, row.ours, { variants: 1 }), anew: unlike(row.ours, Infinity) };
    const theirs = caseOfTheirs(row);
    const warmUp = measured.length === 0 ? FIRST_WARM_UP_SECONDS : WARM_UP_SECONDS;
    await measure(bindery.url, ours, warmUp);
    await measure(server.url, theirs, warmUp);
    const taken: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      taken.push({
        ours: await measure(bindery.url, ours, seconds),
        theirs: await measure(server.url, theirs, seconds),
        oursAlone: await measure(bindery.url, { ...ours, connections: 1 }, seconds),
        theirsAlone: await measure(server.url, { ...theirs, connections: 1 }, seconds),
      });
    }
    measured.push(cellsOf(row, taken));
    process.stderr.write(`${measured.length} of ${rows.length}: ${measured.at(-1)!.join("  ")}\n`);
  }
  return measured;
}

/** One round: both with eight callers, and both with one. */
type Round = Readonly<Record<"ours" | "theirs" | "oursAlone" | "theirsAlone", Figures>>;

function cellsOf({ name }: Row, taken: readonly Round[]): string[] {
  const of = (who: keyof Round): Figures => medianFigures(taken.map((round) => round[who]));
  const ratio = (who: keyof Round, to: keyof Round): string => {
    const times = median(taken.map((round) => round[who].perSecond / round[to].perSecond));
    return times >= 1 ? times.toFixed(2) : `**${times.toFixed(2)}**`;
  };
  const times = ({ p50, p95, p99, max }: Figures): string =>
    `${p50.toFixed(2)}/${p95.toFixed(1)}/${p99.toFixed(1)}/${max.toFixed(0)}`;
  const alone = ({ p50, p99 }: Figures): string => `${p50.toFixed(2)}/${p99.toFixed(1)}`;
  const [ours, theirs] = [of("ours"), of("theirs")];
  return [
    name,
    count(ours.perSecond),
    times(ours),
    count(theirs.perSecond),
    times(theirs),
    ratio("ours", "theirs"),
    alone(of("oursAlone")),
    alone(of("theirsAlone")),
    ratio("oursAlone", "theirsAlone"),
  ];
}
