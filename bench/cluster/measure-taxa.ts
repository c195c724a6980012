/**
 * `bindery authority load ncbi`: all taxa at once, into a data folder, and into PostgreSQL and OpenSearch; and what a
 * search below one of them takes afterwards.
 */
import { startBindery } from "../../test/support/bindery.js";
import type { SearchBody } from "../../test/support/http-client.js";
import { command, megabytesOf, SERVICE, timed } from "../load.js";
import { count, table } from "../markdown-table.js";
import { measureCalls } from "../measure.js";
import { startStores } from "./start-sides.js";

/** A taxon with hundreds of thousands below it, one with some thousand, and a word in many names of bacteria. */
const ALL_BACTERIA = "taxid:2";
const A_GENUS = "taxid:561";
const WORD = "strain";

const COLUMNS = [
  "Deployment",
  "Taxa",
  "Seconds",
  "Per second",
  "Memory of the service afterwards, MB",
  "All bacteria",
  "p50 ms",
  "p99 ms",
  `of them by ${WORD}`,
  "p50 ms",
  "p99 ms",
  "A genus",
  "p50 ms",
  "p99 ms",
];

const LOAD = ["authority", "load", "ncbi"];

/** Searches of each kind, one after the other. */
const CALLS = 100;

export async function reportTaxa(taxdump: string | undefined): Promise<string> {
  if (taxdump === undefined) throw new Error("The load of all taxa needs --taxdump.");
  const rows = [await loadEmbedded(taxdump), await loadShared(taxdump)];
  return `### Load of all taxa\n\n${table(COLUMNS, rows)}`;
}

async function loadEmbedded(taxdump: string): Promise<string[]> {
  const bindery = await startBindery(SERVICE);
  try {
    await bindery.end("SIGTERM");
    const seconds = await timed(() => command(bindery, ...LOAD, taxdump));
    await bindery.restart();
    return await rowOf("data folder, without a service", bindery, seconds);
  } finally {
    await bindery.dispose();
  }
}

/** A node runs: it has made the index that the load adds to. */
async function loadShared(taxdump: string): Promise<string[]> {
  const stores = await startStores();
  try {
    const node = await stores.startNode();
    const seconds = await timed(() => command(stores, ...LOAD, taxdump));
    return await rowOf("PostgreSQL and OpenSearch, beside a node", node, seconds);
  } finally {
    await stores.stop();
  }
}

type Asked = Awaited<ReturnType<typeof startBindery>>;

async function rowOf(name: string, { client, pid }: Asked, seconds: number): Promise<string[]> {
  const search = async (asked: string): Promise<number> => {
    const { status, body, text } = await client.get<SearchBody>(`/api/vocabularies/organisms?facets=none${asked}`);
    if (status !== 200) throw new Error(`${name}, ${asked}: ${status} ${text}`);
    return body.hits.total;
  };
  const total = await search("");
  const memory = megabytesOf(pid).toFixed(0);
  const below = [`&ancestor=${ALL_BACTERIA}`, `&ancestor=${ALL_BACTERIA}&q=${WORD}`, `&ancestor=${A_GENUS}`];
  const figures: string[] = [];
  for (const asked of below) {
    const found = await search(asked);
    const { p50, p99 } = await measureCalls(1, { calls: CALLS }, (n) =>
      // Another page each time: no whole answer is kept.
      timed(async () => void (await search(`${asked}&page=${n + 2}`))).then((took) => took * 1_000),
    );
    figures.push(count(found), p50.toFixed(1), p99.toFixed(1));
  }
  return [name, count(total), seconds.toFixed(0), count(total / seconds), memory, ...figures];
}
