import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Client, makeClient } from "../support/http-client.js";

/** What a process holds, from /proc. */
export interface Usage {
  readonly memoryMb: number;
  readonly threads: number;
  readonly files: number;
}

/** @throws where the process has ended */
export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const numberAfter = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  return {
    memoryMb: Math.round(numberAfter("VmRSS") / 1024),
    threads: numberAfter("Threads"),
    files: numberAfter("FDSize"),
  };
}

/** Calls that wait for a thread, by thread, from the metrics. */
export async function callsWaiting(client: Client): Promise<Readonly<Record<string, number>>> {
  const { text } = await client.get("/metrics");
  const lines = text.matchAll(/^bindery_(?:calls|turns)\w*\{([^}]*)\} (\d+)$/gm);
  return Object.fromEntries(
    [...lines].filter(([line]) => !line.includes("_total")).map(([, of, n]) => [of!, Number(n)]),
  );
}

/** Light requests of somebody else, beside an attack. */
export interface Watch {
  /** Durations of all answers, in milliseconds. */
  readonly millis: number[];
  /** Answers other than 200, and requests without an answer. */
  readonly failures: string[];
  /** Largest memory seen, in MB. */
  memoryMb: number;
  /** While true, requests may fail: the service is being ended. */
  isPaused: boolean;
  stop(): Promise<void>;
}

const PAUSE_MS = 50;
/** A light request that takes longer counts as a hang. */
const HANG_MS = 20_000;

/**
 * Sends light requests one after another from an address of its own until it is stopped.
 * @param address one of 127.0.0.0/8
 */
export function watchService(
  service: { readonly url: string; readonly pid: number },
  address: string,
  paths: (n: number) => readonly string[],
): Watch {
  const agent = new Agent({ keepAlive: true, localAddress: address, maxSockets: 4 });
  const client = makeClient(() => service.url, agent);
  let isOver = false;
  const watch = { millis: [], failures: [], memoryMb: 0, isPaused: false } as unknown as Watch;
  const ask = async (path: string): Promise<void> => {
    const answer = await withDeadline(client.get(path), HANG_MS).catch((error: Error) => error);
    if (watch.isPaused || isOver) return;
    if (answer instanceof Error) watch.failures.push(`${path}: ${answer.message}`);
    else {
      watch.millis.push(answer.millis);
      if (answer.status !== 200) watch.failures.push(`${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
    }
  };
  const running = (async () => {
    for (let n = 0; !isOver; n++) {
      await sleep(PAUSE_MS);
      if (watch.isPaused) continue;
      const all = paths(n);
      await ask(all[n % all.length]!);
      if (n % 20 === 0 && !watch.isPaused) watch.memoryMb = Math.max(watch.memoryMb, usageOf(service.pid).memoryMb);
    }
  })();
  return Object.assign(watch, {
    async stop() {
      isOver = true;
      await running;
      agent.destroy();
    },
  });
}

/** @throws if the answer takes longer */
export async function withDeadline<T = Answer>(answer: Promise<T>, millis: number): Promise<T> {
  const ended = new AbortController();
  const late = sleep(millis, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`no answer within ${millis} ms`);
  });
  late.catch(() => undefined);
  return Promise.race([answer, late]).finally(() => ended.abort());
}

/** The value below which a share of all values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
