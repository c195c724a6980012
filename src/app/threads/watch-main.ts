/**
 * Watches the main thread of a process, which answers requests or supervises the other processes. Nothing else detects
 * that it is blocked. The main thread itself watches the other threads, see `supervise.ts`.
 */
import { Worker } from "node:worker_threads";
import { Counter, type Registry } from "prom-client";
import type { Config } from "../../config/schema.js";
import type { Setup } from "./start-threads.js";

/** Interval at which the main thread shows that it runs, and at which this is checked. */
const BEAT_MS = 1_000;

/** Number of missing beats after which a block is reported. */
const REPORT_AFTER = 10;

/** Indexes in the shared memory. */
const BEATS = 0;
const LONGEST_BLOCK = 1;

/** Data with which the watching thread starts. */
export interface WatchData {
  readonly memory: SharedArrayBuffer;
  readonly beatMs: number;
  readonly reportAfter: number;
  /** Number of missing beats after which the process is ended; 0: never. */
  readonly endAfter: number;
}

/**
 * Starts the watch. If the main thread is blocked, the watching thread reports it on standard error, and ends the
 * process after BINDERY_BLOCKED_SECONDS, so that its supervisor starts it again. A shorter block is logged and counted.
 * The watch counts beats and not time, because a process that was stopped as a whole was not blocked.
 */
export function watchMain({ config, logger, closers }: Setup, registry: Registry): void {
  const blocks = new Counter({
    name: "bindery_main_thread_blocks_total",
    help: `Times that the main thread did not run for ${REPORT_AFTER} s or longer.`,
    registers: [registry],
  });
  const memory = new SharedArrayBuffer(8);
  const cells = new Int32Array(memory);
  const worker = new Worker(new URL("./watchdog-thread.js", import.meta.url), {
    workerData: watchData(config, memory),
  });
  worker.on("error", (error) => logger.error({ err: error }, "The watch of the main thread failed."));
  worker.unref();
  const beat = setInterval(() => {
    Atomics.add(cells, BEATS, 1);
    const missed = Atomics.exchange(cells, LONGEST_BLOCK, 0);
    if (missed < REPORT_AFTER) return;
    blocks.inc();
    logger.error({ seconds: missed }, `The main thread did not run for ${missed} s: no request was answered.`);
  }, BEAT_MS).unref();
  closers.push(async () => {
    clearInterval(beat);
    await worker.terminate();
  });
}

const watchData = ({ blockedSeconds }: Config, memory: SharedArrayBuffer): WatchData => ({
  memory,
  beatMs: BEAT_MS,
  reportAfter: REPORT_AFTER,
  endAfter: blockedSeconds,
});

/** Checks the beats of the main thread until this thread ends. @param print writes without the main thread */
export function watchBeats({ memory, beatMs, reportAfter, endAfter }: WatchData, print: (line: string) => void): void {
  const cells = new Int32Array(memory);
  let last = Atomics.load(cells, BEATS);
  let missed = 0;
  setInterval(() => {
    const beats = Atomics.load(cells, BEATS);
    missed = beats === last ? missed + 1 : 0;
    last = beats;
    if (missed >= reportAfter) Atomics.store(cells, LONGEST_BLOCK, missed);
    if (missed === reportAfter) print(`The main thread has not run for ${missed} s: no request is answered.`);
    if (endAfter === 0 || missed < Math.max(endAfter, reportAfter)) return;
    print(`The main thread has not run for ${missed} s: the process is ended (BINDERY_BLOCKED_SECONDS).`);
    process.kill(process.pid, "SIGKILL");
  }, beatMs);
}
