import type { Client } from "../test/support/http-client.js";
import { makeRecord } from "../test/support/records.js";
import { addDepositor, type Loaded } from "./load.js";
import { type Figures, measure, median, medianFigures } from "./measure.js";
import type { BenchOptions } from "./options.js";
import type { BenchCase } from "./requests/bench-case.js";
import { itemRequests } from "./requests/item-requests.js";
import { newestIds, newestPages } from "./requests/record-ids.js";
import { type RecordsAsked, recordRequests } from "./requests/record-requests.js";
import { type BareServer, startBare } from "./start-bare.js";

/** One kind of request beside what it is compared with. Ratios are of requests per second, the median of the rounds. */
export interface Comparison {
  readonly test: BenchCase;
  /** Bytes of an answer, on average. */
  readonly bytes: number;
  readonly ours: Figures;
  readonly bare: Figures;
  readonly ratio: number;
  readonly helloRatio: number;
  /** The median of one request after the other, where that has a figure to reach. */
  readonly aloneMillis?: number;
}

/** Before a measurement counts, both sides have run this long. */
const WARM_UP_SECONDS = 0.5;

/** Measures all requests on a loaded service. */
export async function compareAll(loaded: Loaded, size: number, options: BenchOptions): Promise<readonly Comparison[]> {
  const { client } = loaded.bindery;
  const all = [...itemRequests(size), ...recordRequests(await prepareRecords(loaded))];
  const cases = all.filter(({ name }) => name.includes(options.only ?? ""));
  const bytes = new Map<BenchCase, number>();
  for (const each of cases) bytes.set(each, await meanBytes(client, each));
  const bare = await startBare({ sizes: [...new Set(bytes.values())] });
  try {
    const made: Comparison[] = [];
    for (const each of cases) {
      made.push(await compareOne(loaded, bare, each, bytes.get(each)!, options));
      process.stderr.write(`${made.length} of ${cases.length}: ${each.name}\n`);
    }
    return made;
  } finally {
    await bare.stop();
  }
}

async function compareOne(
  { bindery }: Loaded,
  bare: BareServer,
  test: BenchCase,
  bytes: number,
  { seconds, rounds }: BenchOptions,
): Promise<Comparison> {
  const ours = (time: number, connections = test.connections): Promise<Figures> =>
    measure(bindery.url, { ...test, connections }, time);
  const constant = (path: string, time: number): Promise<Figures> =>
    measure(bare.url, { ...test, nextPath: undefined, paths: [path] }, time);
  await ours(WARM_UP_SECONDS);
  await constant(`/bytes/${bytes}`, WARM_UP_SECONDS);
  const taken: { ours: Figures; bare: Figures; hello: Figures; alone?: Figures }[] = [];
  for (let round = 0; round < rounds; round++) {
    taken.push({
      ours: await ours(seconds),
      bare: await constant(`/bytes/${bytes}`, seconds),
      hello: await constant("/hello", seconds),
      ...(test.reachAlone === undefined ? {} : { alone: await ours(seconds, 1) }),
    });
  }
  const ratioTo = (other: "bare" | "hello"): number =>
    median(taken.map((round) => round.ours.perSecond / round[other].perSecond));
  const alone = taken.flatMap((round) => round.alone?.p50 ?? []);
  return {
    test,
    bytes,
    ours: medianFigures(taken.map((round) => round.ours)),
    bare: medianFigures(taken.map((round) => round.bare)),
    ratio: ratioTo("bare"),
    helloRatio: ratioTo("hello"),
    ...(alone.length === 0 ? {} : { aloneMillis: median(alone) }),
  };
}

/** Records that are read by turns. */
const IDS = 3_000;

/** Drafts of the user, and as many that another one shares with the user. */
const DRAFTS = 20;

/** Returns what requests for records ask for, and makes drafts, since a load has none. */
export async function prepareRecords({ bindery, token }: Loaded): Promise<RecordsAsked> {
  const { client } = bindery;
  const other = client.as(await addDepositor(bindery, "other"));
  for (let n = 0; n < DRAFTS; n++) {
    await deposit(client.as(token), n);
    const id = await deposit(other, n);
    await other.post(`/api/records/mst/${id}/draft/access/grants`, { user: "bench", permission: "read" });
  }
  const cursors = (await newestPages(client)).map(({ cursor }) => cursor);
  return { ids: await newestIds(client, IDS), cursors, token };
}

async function deposit(client: Client, n: number): Promise<string> {
  const { status, body, text } = await client.post("/api/records/mst/", makeRecord(n, { seed: 2 }));
  if (status >= 300) throw new Error(`A deposit was answered ${status}: ${text}`);
  return (body as { id: string }).id;
}

/** @throws where an answer is an error, or a parameter has no effect */
async function meanBytes(client: Client, { name, paths, headers = {} }: BenchCase): Promise<number> {
  let sum = 0;
  for (const path of paths) {
    const { status, text } = await client.send("GET", path, { headers });
    if (status >= 300 || text.includes("UNKNOWN_PARAMETER")) {
      throw new Error(`${name}: ${path} answers ${status}: ${text.slice(0, 2_000)}`);
    }
    sum += Buffer.byteLength(text);
  }
  return Math.round(sum / paths.length);
}
