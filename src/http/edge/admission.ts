import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { type BinderyError, fail } from "../../core/errors.js";
import type { Effort, RateLimits } from "../../core/rate-limits.js";
import { callerOf, effortOf } from "./request-context.js";

/**
 * Counts a request, once it is known who sends it, and says in its headers how many more may follow.
 *
 * @returns RATE_LIMITED where it is one too many
 */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => BinderyError | undefined;

interface Admission {
  readonly admit: Admit;
  /** Counts a large answer as several requests. @param length of what is sent, before compression */
  charge(request: FastifyRequest, length: number): void;
}

/**
 * What a request may take before it counts as one more, as often as it takes it. The default limits of an address are
 * half a minute of a thread, and 2 GB.
 */
const COSTS: Readonly<Record<Effort, { readonly ms: number; readonly bytes: number }>> = {
  reads: { ms: 1, bytes: 64 * 1024 },
  searches: { ms: 5, bytes: 320 * 1024 },
  writes: { ms: 10, bytes: 640 * 1024 },
};

const WINDOW_MS = 60_000;

/** Counts of callers by effort, at once; of more, those are forgotten that were not used for the longest time. */
const CALLERS_MAX = 50_000;

/** What one caller has sent since their first request of the last minute. */
interface Window {
  count: number;
  /** How many of these were counted for the size of large answers. */
  large: number;
  /** In milliseconds of the monotonic clock. */
  readonly end: number;
}

/** Makes the counter: of each user, and of each address that shows no token or a wrong one. */
export function makeAdmission(limits: RateLimits | undefined): Admission {
  if (limits === undefined) return { admit: () => undefined, charge: () => undefined };
  const windows = new LRUCache<string, Window>({ max: CALLERS_MAX });
  const admit: Admit = (request, reply) => {
    if (request.routeOptions.config.effort === "none") return undefined;
    const effort = effortOf(request);
    const max = limits[request.actor.kind === "user" ? "users" : "anonymous"][effort];
    const now = Math.floor(performance.now());
    const key = `${effort} ${callerOf(request)}`;
    const known = windows.get(key);
    const window = known !== undefined && now < known.end ? known : { count: 0, large: 0, end: now + WINDOW_MS };
    if (window !== known) windows.set(key, window);
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

/** Charges each answer that was made for its request; one that was kept costs little. */
export function addCharges(app: FastifyInstance, { charge }: Admission): void {
  app.addHook("onSend", (request, _reply, payload, done) => {
    const length = typeof payload === "string" || payload instanceof Uint8Array ? payload.length : 0;
    if (request.coded === undefined && request.actor !== undefined) charge(request, length);
    done();
  });
}
