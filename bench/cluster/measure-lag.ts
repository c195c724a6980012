/** When the index has what was written, and how long exact searches take beside writers who keep a pace. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../test/support/http-client.js";
import { wordOfRank } from "../../test/support/random.js";
import { makeRecord } from "../../test/support/records.js";
import { table } from "../markdown-table.js";
import { quantile } from "../measure.js";
import { distinctPaths } from "../requests/bench-case.js";
import type { Sides } from "./start-sides.js";
import { type Watch, watchIndex } from "./watch-index.js";

/** Deposits per second. */
const PACES = [0, 10, 50, 100];

/** Enough for a p99 at ten a second. */
const SECONDS = 12;

/** Where writes take longer than the pace allows, no more than so many are under way: the figures are then of fewer. */
const AT_ONCE = 32;

/** Longer than an index is behind. */
const DRAIN_MS = 30_000;

const COLUMNS = [
  "Deposits/s",
  "Embedded, reached",
  "acknowledged p50 ms",
  "p99 ms",
  "search p50 ms",
  "p99 ms",
  "Two nodes, reached",
  "acknowledged p50 ms",
  "p99 ms",
  "in the index after p50 ms",
  "p99 ms",
  "search p50 ms",
  "p99 ms",
];

/** One node writes, the other one searches. */
export async function measureLag({ embedded, nodes, stores }: Sides): Promise<string> {
  const [writer, searcher] = nodes.map(({ client }) => client.as(embedded.token)) as [Client, Client];
  const alone = embedded.bindery.client.as(embedded.token);
  const rows: string[][] = [];
  for (const pace of PACES) {
    const own = await run(alone, embedded.bindery.client, pace);
    const watch = await watchIndex(stores.databaseUrl);
    try {
      const shared = await run(writer, searcher, pace);
      const lags = await lagsOf(shared.written, watch);
      rows.push([`${pace}`, ...cellsOf(own), ...cellsOf(shared, lags)]);
    } finally {
      await watch.end();
    }
    process.stderr.write(`${pace} deposits per second\n`);
  }
  return table(COLUMNS, rows);
}

interface Written {
  readonly id: string;
  /** On the clock of `performance.now()`. */
  readonly acknowledged: number;
  readonly millis: number;
}

interface Run {
  readonly written: readonly Written[];
  /** Milliseconds of each. */
  readonly searches: readonly number[];
}

async function run(writer: Client, searcher: Client, pace: number): Promise<Run> {
  const end = performance.now() + SECONDS * 1_000;
  const [written, searches] = await Promise.all([writeAtPace(writer, pace, end), searchUntil(searcher, end)]);
  return { written, searches };
}

/** Sends each deposit when its time has come, whether or not those before are answered. */
async function writeAtPace(client: Client, pace: number, end: number): Promise<readonly Written[]> {
  if (pace === 0) return [];
  const written: Written[] = [];
  const underWay = new Set<Promise<void>>();
  const send = async (n: number): Promise<void> => {
    const { status, text, body, millis } = await client.post("/api/records/mst/", makeRecord(n, { seed: 5 }));
    if (status !== 201) throw new Error(`A deposit was answered ${status}: ${text}`);
    written.push({ id: (body as { id: string }).id, acknowledged: performance.now(), millis });
  };
  const begun = performance.now();
  for (let n = 0; performance.now() < end; n++) {
    await sleep(Math.max(0, begun + (n * 1_000) / pace - performance.now()));
    while (underWay.size >= AT_ONCE) await Promise.race(underWay);
    const sent: Promise<void> = send(n).finally(() => underWay.delete(sent));
    underWay.add(sent);
  }
  await Promise.all(underWay);
  return written;
}

const word = (n: number): string => wordOfRank(n % 40);

/** Two words of which one is enough, and two in one element; no answer is kept. */
const SEARCHES = [
  (n: number) => `${word(n)} OR ${word(n + 7)}`,
  (n: number) => `metadata.general_parameters.results:(name:${word(n)} AND type:Concentration)`,
];

async function searchUntil(client: Client, end: number): Promise<readonly number[]> {
  const next = distinctPaths((n) => `/api/search?facets=none&q=${encodeURIComponent(SEARCHES[n % 2]!(n))}`);
  const times: number[] = [];
  while (performance.now() < end) {
    const { status, text, millis } = await client.get(next());
    if (status !== 200) throw new Error(`A search was answered ${status}: ${text}`);
    times.push(millis);
  }
  return times;
}

/** From each acknowledgement until a search of the index alone shows the record, in milliseconds. */
async function lagsOf(written: readonly Written[], watch: Watch): Promise<readonly number[]> {
  const changes = await watch.changesOf(written.map(({ id }) => id));
  const last = Math.max(0, ...changes.values());
  const seen = (change: number): number | undefined =>
    watch.sightings.find(({ indexes }) => indexes.some((index) => index.isCurrent && index.applied >= change))?.at;
  for (const end = performance.now() + DRAIN_MS; seen(last) === undefined; await sleep(10)) {
    if (performance.now() > end) throw new Error(`The index has not reached change ${last} after ${DRAIN_MS} ms.`);
  }
  return written.map(({ id, acknowledged }) => Math.max(0, seen(changes.get(id)!)! - acknowledged));
}

/** @param lags absent: searches wait for no index */
function cellsOf({ written, searches }: Run, lags?: readonly number[]): string[] {
  const acknowledged = written.map(({ millis }) => millis);
  const index = lags === undefined ? [] : quantilesOf(lags);
  return [(written.length / SECONDS).toFixed(0), ...quantilesOf(acknowledged), ...index, ...quantilesOf(searches)];
}

function quantilesOf(times: readonly number[]): string[] {
  if (times.length === 0) return ["", ""];
  const ascending = [...times].sort((a, b) => a - b);
  return [quantile(ascending, 0.5).toFixed(1), quantile(ascending, 0.99).toFixed(1)];
}
