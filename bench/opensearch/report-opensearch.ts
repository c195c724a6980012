/** The same requests over the same data, to the service and to OpenSearch, in turn. */
import { type Loaded, loadService } from "../load.js";
import { count, table } from "../markdown-table.js";
import { type Figures, measure, median, medianFigures } from "../measure.js";
import type { BenchOptions } from "../options.js";
import { type BenchCase, get, unlike } from "../requests/bench-case.js";
import { startBare } from "../start-bare.js";
import { fillIndexes } from "./fill-index.js";
import { openSearchRows } from "./opensearch-rows.js";
import { type OpenSearch, startOpenSearch } from "./start-opensearch.js";
import { casesOfTheirs, checkAnswers } from "./their-requests.js";

/** Before a measurement counts: the JVM compiles what it runs often. */
const WARM_UP_SECONDS = 2;

export async function reportOpenSearch(size: number, options: BenchOptions): Promise<string> {
  const server = await startOpenSearch();
  try {
    const loaded = await loadService(size);
    try {
      await fillIndexes(server, loaded.bindery.url);
      const rows = await measureRows(loaded, server, size, options);
      const title = `### Beside OpenSearch 3.8, ${count(size)} items and records`;
      return `${title}\n\n${table(COLUMNS, rows)}`;
    } finally {
      await loaded.dispose();
    }
  } finally {
    await server.stop();
  }
}

const COLUMNS = [
  "Request",
  "Repeated/s",
  "Varied/s",
  "p50 ms",
  "p99 ms",
  "Answer",
  "OpenSearch/s",
  "p50 ms",
  "p99 ms",
  "Answer",
  "Times OpenSearch",
  "of hello",
  "OpenSearch, of hello",
];

async function measureRows(
  loaded: Loaded,
  server: OpenSearch,
  size: number,
  { rounds, seconds, only = "" }: BenchOptions,
): Promise<string[][]> {
  const { bindery } = loaded;
  const bare = await startBare({ sizes: [] });
  const hello = get("hello", () => "/hello");
  try {
    const measured: string[][] = [];
    const rows = await openSearchRows(bindery.client, size);
    for (const row of rows.filter(({ name }) => name.includes(only))) {
      await checkAnswers(bindery.client, server, row);
      const repeated = get(row.name, row.ours);
      const varied = { ...repeated, anew: unlike(row.ours) };
      const theirs = casesOfTheirs(row);
      await measure(bindery.url, varied, WARM_UP_SECONDS);
      await measure(server.url, theirs, WARM_UP_SECONDS);
      const taken: { readonly [who in "repeated" | "varied" | "theirs" | "hello"]: Figures }[] = [];
      for (let round = 0; round < rounds; round++) {
        taken.push({
          repeated: await measure(bindery.url, repeated, seconds),
          varied: await measure(bindery.url, varied, seconds),
          theirs: await measure(server.url, theirs, seconds),
          hello: await measure(bare.url, hello, seconds),
        });
      }
      measured.push(cellsOf(row.name, taken, await bytesOf(bindery.url, repeated), await bytesOf(server.url, theirs)));
    }
    return measured;
  } finally {
    await bare.stop();
  }
}

type Taken = Readonly<Record<"repeated" | "varied" | "theirs" | "hello", Figures>>;

function cellsOf(name: string, taken: readonly Taken[], ourBytes: string, theirBytes: string): string[] {
  const of = (who: keyof Taken): Figures => medianFigures(taken.map((round) => round[who]));
  const times = ({ p50, p99 }: Figures): string[] => [p50.toFixed(2), p99.toFixed(2)];
  const ratio = (who: keyof Taken, to: keyof Taken): number =>
    median(taken.map((round) => round[who].perSecond / round[to].perSecond));
  const [varied, theirs, ahead] = [of("varied"), of("theirs"), ratio("varied", "theirs")];
  return [
    name,
    count(of("repeated").perSecond),
    count(varied.perSecond),
    ...times(varied),
    ourBytes,
    count(theirs.perSecond),
    ...times(theirs),
    theirBytes,
    ahead >= 1 ? ahead.toFixed(2) : `**${ahead.toFixed(2)}**`,
    ratio("varied", "hello").toFixed(3),
    ratio("theirs", "hello").toFixed(3),
  ];
}

/** Of an answer, on average. */
async function bytesOf(url: string, { method, paths, bodies }: BenchCase): Promise<string> {
  const sent = (bodies ?? paths).map((_, n) => n);
  let sum = 0;
  for (const n of sent) {
    const headers = { "content-type": "application/json" };
    const body = bodies === undefined ? {} : { body: bodies[n]!, headers };
    const answer = await fetch(url + paths[n % paths.length]!, { method, ...body });
    sum += (await answer.arrayBuffer()).byteLength;
  }
  return `${(sum / sent.length / 1_000).toFixed(1)} kB`;
}
