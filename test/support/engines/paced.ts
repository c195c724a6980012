import { setTimeout as sleep } from "node:timers/promises";
import { BinderyError } from "../../../src/core/errors.js";
import { seeded } from "../random.js";
import type { ClusterEngine } from "./cluster-under-test.js";
import type { Lane } from "./lanes.js";

/** Writes under way at most; a machine that needs more does not reach the rate. */
const WRITES_AT_ONCE = 20;
/** A machine that searches all the time has none left to write. */
const SEARCHES_AT_ONCE = 2;

export interface Paced {
  readonly lanes: readonly Lane[];
  /** Each writes, and is asked what another one has written. */
  readonly nodes: readonly ClusterEngine[];
  readonly seed: number;
}

/** What went on, in milliseconds and numbers. */
export interface Report {
  writes: number;
  /** Searches that were answered, and compared. */
  checked: number;
  /** Of these, found something. */
  found: number;
  /** Searches that were refused because OpenSearch was away. */
  refused: number;
  readonly acknowledgedMs: number[];
  readonly answeredMs: number[];
  /** Records that were judged beside the index. */
  readonly overlays: number[];
  seconds: number;
}

const newReport = (): Report => ({
  ...{ writes: 0, checked: 0, found: 0, refused: 0, seconds: 0 },
  ...{ acknowledgedMs: [], answeredMs: [], overlays: [] },
});

/**
 * Writes at a rate, as long as `work` takes, and checks what it finds beside: what is acknowledged by one node the next
 * search on another one shows. A write that fails, and an answer that is wrong, fail.
 */
export async function whileWriting(
  paced: Paced,
  writesPerSecond: number,
  work: (report: Report, signal: AbortSignal) => Promise<void>,
): Promise<Report> {
  const report = newReport();
  const ending = new AbortController();
  const errors: unknown[] = [];
  const noteError = (error: unknown): void => {
    errors.push(error);
    ending.abort();
  };
  const run: Run = { ...paced, report, signal: ending.signal, noteError };
  const began = performance.now();
  const asking = Array.from({ length: SEARCHES_AT_ONCE }, () => ask(run));
  const beside = Promise.all([write(run, writesPerSecond), ...asking].map((done) => done.catch(noteError)));
  await work(report, ending.signal).catch(noteError);
  ending.abort();
  report.seconds = (performance.now() - began) / 1_000;
  await beside;
  if (errors.length > 0) throw errors[0];
  return report;
}

interface Run extends Paced {
  readonly report: Report;
  readonly signal: AbortSignal;
  noteError(error: unknown): void;
}

/** One in so many searches at least finds something: writers begin with nothing. */
const FOUND_PART = 1 / 5;

/** Waits until so many searches were checked, and enough of them found something. */
export const untilChecked =
  (count: number) =>
  async (report: Report, signal: AbortSignal): Promise<void> => {
    const isDone = (): boolean => report.checked >= count && report.found >= count * FOUND_PART;
    while (!isDone() && !signal.aborted) await sleep(20);
  };

/** Checks every lane so often, with nobody writing. */
export async function checkAll({ lanes, nodes }: Paced, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const [n, lane] of lanes.entries()) await lane.check(nodes[n % nodes.length]!);
  }
}

/** The rate is kept over all: a write that is late is followed by the next one at once. */
async function write({ lanes, nodes, seed, report, signal, noteError }: Run, rate: number): Promise<void> {
  const random = seeded(seed);
  const began = performance.now();
  const under = new Set<Promise<void>>();
  const writeOne = async (lane: Lane): Promise<void> => {
    const asked = performance.now();
    await lane.write(random.pick(nodes));
    report.acknowledgedMs.push(performance.now() - asked);
    report.writes += 1;
  };
  for (let due = 0; !signal.aborted; ) {
    const wait = began + (due * 1_000) / rate - performance.now();
    if (wait > 0) await sleep(wait);
    if (under.size >= WRITES_AT_ONCE) await Promise.race(under);
    const free = lanes.filter(({ isBusy }) => !isBusy);
    if (free.length === 0) {
      await sleep(1);
      continue;
    }
    due += 1;
    const lane = random.pick(free);
    const done: Promise<void> = alone(lane, () => writeOne(lane))
      .catch(noteError)
      .finally(() => under.delete(done));
    under.add(done);
  }
  await Promise.all(under);
}

/** Asks of the lane that has changed most since it was asked last, and a node that did not write it. */
async function ask({ lanes, nodes, report, signal }: Run): Promise<void> {
  for (let n = 0; !signal.aborted; n++) {
    const free = lanes.filter(({ isBusy }) => !isBusy);
    const lane = free.sort((a, b) => b.unseen - a.unseen)[0];
    if (lane !== undefined) {
      const others = nodes.length === 1 ? nodes : nodes.filter((node) => node !== lane.writtenBy);
      await alone(lane, () => askOne(lane, others[n % others.length]!, report));
    }
    await sleep(1);
  }
}

async function askOne(lane: Lane, node: ClusterEngine, report: Report): Promise<void> {
  const asked = performance.now();
  try {
    if ((await lane.check(node)) > 0) report.found += 1;
    report.checked += 1;
    report.answeredMs.push(performance.now() - asked);
    report.overlays.push(node.search.stats().overlay.records);
  } catch (error) {
    if (!(error instanceof BinderyError && error.code === "SEARCH_UNAVAILABLE")) throw error;
    report.refused += 1;
    await sleep(20);
  }
}

async function alone(lane: Lane, work: () => Promise<void>): Promise<void> {
  lane.isBusy = true;
  try {
    await work();
  } finally {
    lane.isBusy = false;
  }
}

/** The figures of a run, in one line. */
export function described(what: string, report: Report, nodes: readonly ClusterEngine[]): string {
  const { writes, checked, found, refused, seconds } = report;
  const repeats = nodes.reduce((sum, { search }) => sum + search.stats().repeats, 0);
  const [ack, answered, overlay] = [report.acknowledgedMs, report.answeredMs, report.overlays].map(middleAndHigh);
  return (
    `${what}: ${(writes / seconds).toFixed(1)} writes/s (acknowledged after ${ack} ms), ${checked} searches checked ` +
    `(${found} found something, ${refused} refused, ${answered} ms), overlay ${overlay}, ${repeats} begun again, ` +
    `${seconds.toFixed(0)} s\n`
  );
}

/** p50/p99 */
function middleAndHigh(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(0);
  return `${at(0.5)}/${at(0.99)}`;
}
