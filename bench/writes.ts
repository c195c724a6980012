/** How long light deposits take beside a stream of bodies of 10 MB: the writer must not be held by one caller. */
import { request } from "node:http";
import { type Bindery, startBindery } from "../test/support/bindery.js";
import { makeRecord } from "../test/support/records.js";
import { type Figures, measure } from "./measure.js";
import type { BenchOptions } from "./options.js";

/** What the p99 of a light deposit may be beside the stream, in milliseconds. */
const TO_REACH_MS = 200;

const UNLIMITED = { BINDERY_RATE_LIMITS: "reads=1000000,searches=1000000,writes=1000000" };

/** Words of a large body, all of them different: near the most that a record may have. */
const LARGE_WORDS = 25_000;
const LARGE_BYTES = 10_000_000;

export async function reportWrites({ seconds, rounds }: Pick<BenchOptions, "seconds" | "rounds">): Promise<string> {
  const bindery = await startBindery({ env: UNLIMITED });
  try {
    const { token } = await bindery.user("bench");
    const light = {
      name: "deposit",
      method: "POST" as const,
      paths: ["/api/records/mst/"],
      connections: 1,
      headers: { authorization: `Bearer ${token}` },
      bodies: Array.from({ length: 64 }, (_, n) => JSON.stringify(makeRecord(n, { seed: 3 }))),
    };
    const length = Math.max(seconds * rounds, 1);
    const alone = await measure(bindery.url, light, length);
    const stream = startStream(bindery, token);
    const beside = await measure(bindery.url, light, length);
    const large = await stream.end();
    return describe(alone, beside, large);
  } finally {
    await bindery.dispose();
  }
}

interface Stream {
  /** @returns times of the large deposits, in milliseconds */
  end(): Promise<readonly number[]>;
}

/** Sends one large body after the other. */
function startStream({ url }: Bindery, token: string): Stream {
  const text = Array.from({ length: LARGE_WORDS }, (_, i) => `word${i}`).join(" ");
  const { metadata } = makeRecord(1) as { metadata: object };
  const padding = "-".repeat(LARGE_BYTES - text.length);
  const body = Buffer.from(JSON.stringify({ metadata: { ...metadata, text, padding } }));
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const send = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}/api/records/mst/`, { method: "POST", headers }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      });
      sent.on("error", reject).end(body);
    });
  let isOver = false;
  const run = async (): Promise<readonly number[]> => {
    const times: number[] = [];
    while (!isOver) {
      const start = performance.now();
      const status = await send();
      if (status !== 201) throw new Error(`A body of 10 MB was answered ${status}.`);
      times.push(performance.now() - start);
    }
    return times;
  };
  const running = run();
  return {
    end: () => {
      isOver = true;
      return running;
    },
  };
}

function describe(alone: Figures, beside: Figures, large: readonly number[]): string {
  const line = (name: string, { perSecond, p50, p99 }: Figures): string =>
    `| ${name} | ${perSecond.toFixed(0)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} |`;
  const mean = large.reduce((sum, each) => sum + each, 0) / Math.max(large.length, 1);
  return [
    "| Light deposits | per second | p50 in ms | p99 in ms |",
    "| --- | --- | --- | --- |",
    line("alone", alone),
    line(`beside a stream of 10 MB deposits (p99 to reach: ${TO_REACH_MS})`, beside),
    "",
    `${large.length} deposits of 10 MB with ${LARGE_WORDS} different words were answered meanwhile, one after the ` +
      `other, in ${mean.toFixed(0)} ms each on average.`,
    "",
  ].join("\n");
}
