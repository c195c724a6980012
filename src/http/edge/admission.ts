import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { type BinderyError, fail } from "../../core/errors.js";
import type { Effort, RateLimits } from "../../core/rate-limits.js";
import { callerOf, effortOf } from "./request-context.js";

/**
 * Counts a request after its caller is authenticated, and adds headers with the number of requests that remain.
 *
 * @returns RATE_LIMITED if the request exceeds the limit
 */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => BinderyError | undefined;

interface Admission {
  readonly admit: Admit;
  /** Counts a large answer as several requests. @param length length of the body before compression */
  charge(request: FastifyRequest, length: number): void;
}

/**
 * Time and size of an answer that count as one more request. The default limits of an address are half a minute of a
 * thread, and 2 GB.
 */
const COSTS: Readonly<Record<Effort, { readonly ms: number; readonly bytes: number }>> = {
  reads: { ms: 1, bytes: 64 * 1024 },
  searches: { ms: 5, bytes: 320 * 1024 },
  writes: { ms: 10, bytes: 640 * 1024 },
};

const WINDOW_MS = 60_000;

/** Maximum number of counted callers by effort; the least recently used ones are dropped. */
const CALLERS_MAX = 50_000;

/** Requests of a caller since their first request of the last minute. */
interface Window {
  count: number;
  /** Number of them that were counted for the size of large answers. */
  large: number;
  /** End of the minute, in milliseconds of the monotonic clock. */
  readonly end: number;
}

/** Creates the counter of requests by user, and by address for requests without a valid token. */
export function makeAdmission(limits: RateLimits | undefined): Admission {
  if (limits === undefined) return { admit: () => undefined, charge: () => undefined };
  const windows = new LRUCache<string, Window>({ max: CALLERS_MAX });
  const admit: Admit = (request, reply) => {
    if (request.routeOptions.config.effort === "none") return undefined;
    const effort = effortOf(request);
    const max = limits[request.actor.kind === "user" ? "users" : "anonymous"][effort];
    const now = Math.floor(performance.now());
    const key = `${effort} ${callerOf(request)}`;
    const current = windows.get(key);
    const window = current !== undefined && now < current.end ? current : { count: 0, large: 0, end: now + WINDOW_MS };
    if (window !== current) windows.set(key, window);
    window.count += 1;
    const seconds = Math.ceil((window.end - now) / 1000);
    reply
      .header("ratelimit-limit", max)
      .header("ratelimit-remaining", Math.max(0, max - window.count))
      .header("ratelimit-reset", seconds);
    return window.count > max ? fail("RATE_LIMITED", { effort, max, seconds, large: window.large }) : undefined;
  };
  return {
    admit,
    charge(request, length) {
      const effort = effortOf(request);
      const { ms, bytes } = COSTS[effort];
      const large = Math.floor(Math.max((request.madeMs ?? 0) / ms, length / bytes));
      const window = large > 0 ? windows.get(`${effort} ${callerOf(request)}`) : undefined;
      if (window === undefined) return;
      window.count += large;
      window.large += large;
    },
  };
}

/** Counts each large answer that was computed for its request; a kept answer costs little. */
export function addCharges(app: FastifyInstance, { charge }: Admission): void {
  app.addHook("onSend", (request, _reply, payload, done) => {
    const length = typeof payload === "string" || payload instanceof Uint8Array ? payload.length : 0;
    if (request.codedBodies === undefined && request.actor !== undefined) charge(request, length);
    done();
  });
}
