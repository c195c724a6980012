import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { type BinderyError, fail } from "../../core/errors.js";
import type { RateLimits } from "../../core/rate-limits.js";
import { callerOf, effortOf } from "./request-context.js";

/**
 * Counts a request, once it is known who sends it, and says in its headers how many more may follow.
 *
 * @returns RATE_LIMITED where it is one too many
 */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => BinderyError | undefined;

const WINDOW_MS = 60_000;

/** Counts of callers by effort, at once; of more, those are forgotten that were not used for the longest time. */
const CALLERS_MAX = 50_000;

/** What one caller has sent since their first request of the last minute. */
interface Window {
  count: number;
  /** In milliseconds of the monotonic clock. */
  readonly end: number;
}

/** Makes the counter: of each user, and of each address that shows no token or a wrong one. */
export function makeAdmission(limits: RateLimits | undefined): Admit {
  if (limits === undefined) return () => undefined;
  const windows = new LRUCache<string, Window>({ max: CALLERS_MAX });
  return (request, reply) => {
    if (request.routeOptions.config.effort === "none") return undefined;
    const effort = effortOf(request);
    const max = limits[request.actor.kind === "user" ? "users" : "anonymous"][effort];
    const now = Math.floor(performance.now());
    const key = `${effort} ${callerOf(request)}`;
    const known = windows.get(key);
    const window = known !== undefined && now < known.end ? known : { count: 0, end: now + WINDOW_MS };
    if (window !== known) windows.set(key, window);
    window.count += 1;
    const seconds = Math.ceil((window.end - now) / 1000);
    reply
      .header("ratelimit-limit", max)
      .header("ratelimit-remaining", Math.max(0, max - window.count))
      .header("ratelimit-reset", seconds);
    return window.count > max ? fail("RATE_LIMITED", { effort, max, seconds }) : undefined;
  };
}
