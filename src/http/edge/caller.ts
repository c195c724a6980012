import type { FastifyRequest } from "fastify";
import { networkOf } from "./network.js";
import "./request-context.js";

/**
 * For whom a request counts where callers are limited: the user, with whichever token; without a valid one, the
 * network that the request came from.
 */
export function callerOf({ actor, ip }: Pick<FastifyRequest, "actor" | "ip">): string {
  return actor.kind === "user" ? `user ${actor.user}` : networkOf(ip);
}
