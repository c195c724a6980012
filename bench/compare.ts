import type { Client, SearchBody } from "../test/support/http-client.js";
import { openBareInsert } from "./bare-insert.js";
import type { Loaded } from "./load.js";
import { type Figures, measure, median, medianFigures } from "./measure.js";
import type { BenchOptions } from "./options.js";
import { type BenchCase, benchCases } from "./requests.js";
import { type BareServer, startBare } from "./start-bare.js";

/** One kind of request beside what it is compared with. Ratios are of requests per second, the median of the rounds. */
export interface Comparison {
  readonly name: string;
  /** Bytes of an answer, on average. */
  readonly bytes: number;
  readonly ours: Figures;
  readonly bare: Figures;
  readonly ratio: number;
  readonly helloRatio?: number;
  readonly insertRatio?: number;
}

/** Before a measurement counts, both sides have run this long. */
const WARM_UP_SECONDS = 0.5;

/** Measures all requests on a loaded service. */
export async function compareAll(loaded: Loaded, size: number, options: BenchOptions): Promise<readonly Comparison[]> {
  const { client } = loaded.bindery;
  const all = benchCases(size, await publishedIds(client));
  const cases = all.filter(({ name }) => name.includes(options.only ?? ""));
  const bytes = new Map<BenchCase, number>();
  for (const each of cases) bytes.set(each, await meanBytes(client.as(loaded.token), each));
  const bare = await startBare({ sizes: [...new Set(bytes.values())] });
  try {
    const made: Comparison[] = [];
    for (const each of cases) made.push(await compareOne(loaded, bare, each, bytes.get(each)!, options));
    return made;
  } finally {
    await bare.stop();
  }
}

async function compareOne(
  { bindery, token }: Loaded,
  bare: BareServer,
  test: BenchCase,
  bytes: number,
  { seconds, rounds }: BenchOptions,
): Promise<Comparison> {
  const insert = test.bodies && openBareInsert(bindery.data, test.bodies);
  const ours = (time: number): Promise<Figures> => measure(bindery.url, test, time, token);
  const same = (time: number): Promise<Figures> =>
    measure(bare.url, { ...test, anew: undefined, paths: [`/bytes/${bytes}`] }, time, token);
  await ours(WARM_UP_SECONDS);
  await same(WARM_UP_SECONDS);
  const taken: { ours: Figures; bare: Figures; hello?: Figures; insert?: Figures }[] = [];
  for (let round = 0; round < rounds; round++) {
    taken.push({
      ours: await ours(seconds),
      bare: await same(seconds),
      ...(test.hello
        ? { hello: await measure(bare.url, { ...test, anew: undefined, paths: ["/hello"] }, seconds, token) }
        : {}),
      ...(insert === undefined ? {} : { insert: insert.measure(seconds) }),
    });
  }
  const ratioTo = (other: "bare" | "hello" | "insert"): number =>
    median(taken.map((round) => round.ours.perSecond / (round[other]?.perSecond ?? Number.NaN)));
  return {
    name: test.name,
    bytes,
    ours: medianFigures(taken.map((round) => round.ours)),
    bare: medianFigures(taken.map((round) => round.bare)),
    ratio: ratioTo("bare"),
    ...(test.hello ? { helloRatio: ratioTo("hello") } : {}),
    ...(insert === undefined ? {} : { insertRatio: ratioTo("insert") }),
  };
}

async function publishedIds(client: Client): Promise<string[]> {
  const { body } = await client.get<SearchBody<{ id: string }>>("/api/records/mst/?s=200&facets=none");
  return body.hits.hits.map(({ id }) => id);
}

/** @throws where an answer is an error */
async function meanBytes(client: Client, { name, method, paths, bodies }: BenchCase): Promise<number> {
  let sum = 0;
  for (const path of paths) {
    const answer = await client.send(method, path, bodies === undefined ? {} : { text: bodies[0]! });
    if (answer.status >= 300) throw new Error(`${name}: ${path} answers ${answer.status}: ${answer.text}`);
    sum += Buffer.byteLength(answer.text);
  }
  return Math.round(sum / paths.length);
}
