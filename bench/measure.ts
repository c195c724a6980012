import autocannon from "autocannon";
import type { BenchCase } from "./requests/bench-case.js";

/** What measurements say. */
export interface Figures {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** What one measurement says. */
export interface Measured extends Figures {
  readonly answers: number;
}

/** The longest time in which nothing is answered. */
const SECONDS_MAX = 30;

/**
 * Sends requests for some seconds, on each connection one when the last was answered. On a busy machine large answers
 * may need longer than that: then once more for four times as long.
 * @param url of several each gets as many of the connections
 * @throws where one failed, or none was answered
 */
export async function measure(url: string | readonly string[], test: BenchCase, seconds: number): Promise<Measured> {
  const { name, method, paths, nextPath, bodies, nextBody, headers = {}, connections } = test;
  const requests = (bodies ?? paths).map((_, n) => ({
    path: paths[n % paths.length]!,
    method,
    ...(nextPath === undefined ? {} : { setupRequest: (sent: autocannon.Request) => ({ ...sent, path: nextPath() }) }),
    ...(nextBody === undefined ? {} : { setupRequest: (sent: autocannon.Request) => ({ ...sent, body: nextBody() }) }),
    headers: bodies === undefined ? headers : { "content-type": "application/json", ...headers },
    ...(bodies === undefined ? {} : { body: bodies[n]! }),
  }));
  const times: number[] = [];
  const begun = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    // It takes several; its types know of one.
    const run = autocannon({ url: url as string, requests, connections, duration: seconds }, (error, done) =>
      error ? reject(error) : resolve(done),
    );
    run.on("response", (_client, _status, _bytes, millis) => times.push(millis));
  });
  const elapsed = (performance.now() - begun) / 1000;
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed === 0 && times.length === 0 && seconds < SECONDS_MAX) return measure(url, test, 4 * seconds);
  if (failed > 0 || times.length === 0) {
    throw new Error(`${name}: of ${times.length} answers and ${result.errors} errors, ${failed} failed (${url}).`);
  }
  return { answers: times.length, ...figuresOf(times, elapsed) };
}

/** @param ascending at least one value */
export function quantile(ascending: readonly number[], q: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * q))]!;
}

/**
 * Calls again and again, each caller as soon as its last call has ended.
 * @param task seconds in which calls begin, or how many calls there are
 * @param call returns the milliseconds that it took
 */
export async function measureCalls(
  callers: number,
  task: { readonly seconds: number } | { readonly calls: number },
  call: (n: number) => Promise<number>,
): Promise<Figures> {
  const times: number[] = [];
  const begun = performance.now();
  let next = 0;
  const goesOn = (n: number): boolean =>
    "calls" in task ? n < task.calls : performance.now() - begun < task.seconds * 1000;
  const callAgain = async (): Promise<void> => {
    for (let n = next++; goesOn(n); n = next++) times.push(await call(n));
  };
  await Promise.all(Array.from({ length: callers }, callAgain));
  return figuresOf(times, (performance.now() - begun) / 1000);
}

/** @param times milliseconds of each answer, at least one */
export function figuresOf(times: number[], elapsedSeconds: number): Figures {
  times.sort((a, b) => a - b);
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((q) => quantile(times, q)) as [number, number, number];
  return { perSecond: times.length / elapsedSeconds, p50, p95, p99, max: times.at(-1)! };
}

/** Each figure's own median. */
export function medianFigures(rounds: readonly Figures[]): Figures {
  const of = (key: keyof Figures): number => median(rounds.map((figures) => figures[key]));
  return { perSecond: of("perSecond"), p50: of("p50"), p95: of("p95"), p99: of("p99"), max: of("max") };
}

export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}
