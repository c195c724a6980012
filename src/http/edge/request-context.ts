/** Additions of this server to Fastify's requests and routes. */

import { isIP, isIPv4 } from "node:net";
import type { FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler, RouteOptions } from "fastify";
import ipaddr from "ipaddr.js";
import type { Actor } from "../../core/actor.js";
import type { BinderyError } from "../../core/errors.js";
import type { LifeAction } from "../../core/lifecycle.js";
import type { Effort } from "../../core/rate-limits.js";
import type { KeepableAnswer } from "../answers/reply.js";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller; set before any handler runs. */
    actor: Actor;
    /** Error of a request that failed. */
    failure?: BinderyError;
    /** SHA-256 of method, path and body, in hex. Set for a POST with an Idempotency-Key and a body. */
    bodyDigest?: string;
    /** Time that another thread worked on a large answer, in milliseconds. */
    madeMs?: number;
    /** Keeps the answer for identical requests; absent if answers of this route are not kept. */
    keepAnswer?: (answer: KeepableAnswer) => void;
    /** Compressed bodies of a kept answer by coding; absent if the answer is not kept. */
    codedBodies?: Map<string, Buffer>;
  }
  interface FastifyContextConfig {
    /** Media types of the route's answers; default JSON. `any`: the file is sent for every `Accept`. */
    produces?: readonly string[] | "any";
    /** True if a token is required: an anonymous request is refused before its body is read. */
    needsToken?: boolean;
    /** Action on the record or draft of the path: a user without this right is refused before the body is read. */
    access?: Exclude<LifeAction, "create">;
    /** True if the model of the record is not in the path but is looked up by the id. */
    isById?: boolean;
    /** True if the route ignores tokens. */
    ignoresToken?: boolean;
    /** True if its answers are kept: for all callers, or for each one if they depend on the caller. */
    isKept?: boolean;
    /** True if its answers depend on the caller. */
    isPersonal?: boolean;
    /** Cost of a request that is neither a read by id nor a write; requests without cost are not counted. */
    effort?: "search" | "none" | ((request: FastifyRequest) => "search" | undefined) | undefined;
    /** True if it waits elsewhere, and takes no turn of the searches of its caller. */
    waitsElsewhere?: true;
    /** True if the route only answers 405; its methods are not listed as those of its path. */
    isRefused?: true;
  }
}

/** Adds a hook to one route, once; it runs after the hooks of all routes. For `onRoute`. */
export function addRequestHook(
  route: Pick<RouteOptions, "onRequest">,
  hook: onRequestHookHandler | onRequestAsyncHookHandler,
): void {
  const hooks = [route.onRequest ?? []].flat() as (onRequestHookHandler | onRequestAsyncHookHandler)[];
  if (!hooks.includes(hook)) route.onRequest = [...hooks, hook] as onRequestHookHandler[];
}

/**
 * Returns the caller to whose limits a request counts: the user, with any token; without a valid token, the network of
 * the request.
 */
export function callerOf({ actor, ip }: Pick<FastifyRequest, "actor" | "ip">): string {
  return actor.kind === "user" ? `user ${actor.user}` : networkOf(ip);
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Returns the kind of effort of a request, as declared by its route. */
export function effortOf(request: FastifyRequest): Effort {
  if (isSearch(request)) return "searches";
  return SAFE_METHODS.has(request.method) ? "reads" : "writes";
}

/** Returns whether a request costs as much as a search, as declared by its route. */
export function isSearch(request: FastifyRequest): boolean {
  const { effort } = request.routeOptions.config;
  return (typeof effort === "function" ? effort(request) : effort) === "search";
}

/** Groups of 16 bits that identify a subscriber: an IPv6 network is a /64 at least. */
const NETWORK_GROUPS = 4;

/** Returns the network of a subscriber: an IPv4 address itself, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  // Nearly every request calls this, so IPv4 addresses are not parsed.
  if (isIPv4(address)) return address;
  const parsed = parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed?.toString() ?? address;
  const network = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/** Returns whether an address is one of this machine itself. */
export function isLoopback(address: string): boolean {
  return parse(address)?.range() === "loopback";
}

/** Parses an address; IPv4 inside IPv6 becomes IPv4. Unusual notations (0x7f000001, 127.1) are refused. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(address) === 0 ? undefined : ipaddr.process(address);
}
