import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "../../core/errors.js";
import type { RateLimits } from "../../core/rate-limits.js";
import { callerOf, effortOf } from "./request-context.js";

/**
 * Counts a request, once it is known who sends it, and says in its headers how many more may follow.
 * @throws RATE_LIMITED
 */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const WINDOW_MS = 60_000;

/** Callers that are counted at once; of more, those are forgotten that have not asked for the longest time. */
const CALLERS_MAX = 50_000;

/** Makes the counter: of each user, and of each address that shows no token or a wrong one. */
export function makeAdmission(app: FastifyInstance, limits: RateLimits | undefined): Admit {
  if (limits === undefined) return () => Promise.resolve();
  app.register(rateLimit, { global: false, cache: CALLERS_MAX });
  let count: ReturnType<FastifyInstance["createRateLimit"]> | undefined;
  app.after(() => {
    count = app.createRateLimit({
      max: (request) => limits[request.actor.kind === "user" ? "users" : "anonymous"][effortOf(request)],
      timeWindow: WINDOW_MS,
      keyGenerator: (request) => `${effortOf(request)} ${callerOf(request)}`,
    });
  });
  return async (request, reply) => {
    if (count === undefined || request.routeOptions.config.effort === "none") return;
    const counted = await count(request);
    if (counted.isAllowed) return;
    const { max, remaining, ttlInSeconds, isExceeded } = counted;
    reply.headers({ "ratelimit-limit": max, "ratelimit-remaining": remaining, "ratelimit-reset": ttlInSeconds });
    if (isExceeded) throw fail("RATE_LIMITED", { effort: effortOf(request), max, seconds: ttlInSeconds });
  };
}
