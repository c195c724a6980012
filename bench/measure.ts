import autocannon from "autocannon";
import type { BenchCase } from "./requests.js";

/** What one measurement, or the median of several, says. */
export interface Figures {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** The longest time in which nothing is answered. */
const SECONDS_MAX = 30;

/**
 * Sends requests for some seconds, on each connection one when the last was answered. On a busy machine large answers
 * may need longer than that: then once more for four times as long.
 * @throws where one failed, or none was answered
 */
export async function measure(
  url: string,
  test: Omit<BenchCase, "hello">,
  seconds: number,
  token: string,
): Promise<Figures> {
  const { name, method, paths, anew, bodies, headers: own, connections } = test;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const requests = (bodies ?? paths).map((_, n) => ({
    path: paths[n % paths.length]!,
    method,
    ...(anew === undefined ? {} : { setupRequest: (sent: autocannon.Request) => again(sent, anew, paths[n]!) }),
    ...(own === undefined ? {} : { headers: own }),
    ...(bodies === undefined ? {} : { body: bodies[n]!, headers }),
  }));
  const times: number[] = [];
  const begun = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon({ url, requests, connections, duration: seconds }, (error, done) =>
      error ? reject(error) : resolve(done),
    );
    run.on("response", (_client, _status, _bytes, millis) => times.push(millis));
  });
  const elapsed = (performance.now() - begun) / 1000;
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed === 0 && times.length === 0 && seconds < SECONDS_MAX) return measure(url, test, 4 * seconds, token);
  if (failed > 0 || times.length === 0) {
    throw new Error(`${name}: of ${times.length} answers and ${result.errors} errors, ${failed} failed (${url}).`);
  }
  times.sort((a, b) => a - b);
  return { perSecond: times.length / elapsed, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

function again(sent: autocannon.Request, anew: (path: string) => string, path: string): autocannon.Request {
  return { ...sent, path: anew(path) };
}

/** @param ascending at least one value */
export function quantile(ascending: readonly number[], q: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * q))]!;
}

/** Each figure's own median. */
export function medianFigures(rounds: readonly Figures[]): Figures {
  const of = (key: keyof Figures): number => median(rounds.map((figures) => figures[key]));
  return { perSecond: of("perSecond"), p50: of("p50"), p99: of("p99") };
}

export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}
