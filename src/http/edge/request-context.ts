/** What this server adds to Fastify's requests and routes, and what follows from it. */
import type { FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler, RouteOptions } from "fastify";
import type { Actor } from "../../core/actor.js";
import type { BinderyError } from "../../core/errors.js";
import type { LifeAction } from "../../core/lifecycle.js";
import type { Effort } from "../../core/rate-limits.js";
import type { PublicAnswer } from "../answers/reply.js";
import { networkOf } from "./network.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks; set before any handler runs. */
    actor: Actor;
    /** What the request was answered with, where it failed. */
    failure?: BinderyError;
    /** How long another thread worked on a large answer, in milliseconds. */
    madeMs?: number;
    /** Keeps the answer for those who ask the same; absent: answers of this route are not kept. */
    keep?: (answer: PublicAnswer) => void;
    /** What a kept answer was compressed to, by coding; absent: the answer is not kept. */
    coded?: Map<string, Buffer>;
  }
  interface FastifyContextConfig {
    /** Media types that the route answers with; JSON where it says nothing. `any`: the file is sent to whoever asks. */
    produces?: readonly string[] | "any";
    /** Is a token needed? An anonymous request is refused before its body is read. */
    needsToken?: boolean;
    /** What it does with the record or draft of its path: who may not is refused before the body is read. */
    access?: Exclude<LifeAction, "create">;
    /** Is the model of its record not in the path, but looked up by the id? */
    isById?: boolean;
    /** Does the route answer whatever token it gets (it looks at nothing)? */
    ignoresToken?: boolean;
    /** Are its answers kept? They are the same for everybody, whoever asks. */
    isKept?: boolean;
    /** What a request costs where it is no read by id and no write; what costs nothing is not counted. */
    effort?: "search" | "none" | ((request: FastifyRequest) => "search" | undefined);
    /** True: it waits elsewhere, and takes none of the turns that the searches of its caller wait for. */
    waitsElsewhere?: true;
    /** True: the route only answers 405, and its methods are not listed as those of its path. */
    isRefused?: true;
  }
}

/** Adds a hook to one route, once; it runs after those of all routes. For `onRoute`. */
export function onRequestOf(
  route: Pick<RouteOptions, "onRequest">,
  hook: onRequestHookHandler | onRequestAsyncHookHandler,
): void {
  const before = [route.onRequest ?? []].flat() as (onRequestHookHandler | onRequestAsyncHookHandler)[];
  if (!before.includes(hook)) route.onRequest = [...before, hook] as onRequestHookHandler[];
}

/**
 * For whom a request counts where callers are limited: the user, with whichever token; without a valid one, the
 * network that the request came from.
 */
export function callerOf({ actor, ip }: Pick<FastifyRequest, "actor" | "ip">): string {
  return actor.kind === "user" ? `user ${actor.user}` : networkOf(ip);
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** What a request costs, as its route says. */
export function effortOf(request: FastifyRequest): Effort {
  if (isSearch(request)) return "searches";
  return SAFE_METHODS.has(request.method) ? "reads" : "writes";
}

export function isSearch(request: FastifyRequest): boolean {
  const { effort } = request.routeOptions.config;
  return (typeof effort === "function" ? effort(request) : effort) === "search";
}
