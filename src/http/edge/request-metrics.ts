import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Histogram, type Registry } from "prom-client";
import { fail } from "../../core/errors.js";
import { clip } from "../parameters/parameter-reader.js";
import { parseBearer } from "./auth.js";
import { isLoopback } from "./request-context.js";

/** Callers that may read the metrics: this machine, all callers, or no caller. */
type MetricsAudience = "loopback" | "everyone" | "off";

/** Registry of the metrics, and access to `/metrics`. */
export interface Metrics {
  /** Registry of this process, to which the server adds its requests. */
  readonly registry: Registry;
  readonly audience: MetricsAudience;
  /** Token with which the metrics can be read from any address; absent if there is none. */
  readonly token?: string;
  /** True if there is a proxy. A proxy on this machine has the address of the machine itself. */
  readonly isBehindProxy: boolean;
  /** Returns the metrics of this and all other processes, in the format of Prometheus. */
  text(): Promise<string>;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts requests by method, route and status, with their times, and serves `/metrics`. */
export function addMetrics(app: FastifyInstance, metrics: Metrics): void {
  const { registry, text } = metrics;
  const seconds = new Histogram({
    name: "bindery_http_request_seconds",
    help: "Durations of requests, from the first header to the end of the response.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [registry],
  });
  const observers = new Map<string, (seconds: number) => void>();
  app.addHook("onResponse", (request, reply, done) => {
    const { method } = request;
    const { statusCode } = reply;
    const route = request.routeOptions.url ?? "none";
    const key = `${method} ${statusCode} ${route}`;
    let observe = observers.get(key);
    if (observe === undefined) {
      observe = seconds.labels(method, route, String(statusCode)).observe;
      observers.set(key, observe);
    }
    observe(reply.elapsedTime / 1000);
    done();
  });

  app.get("/metrics", {
    config: { ignoresToken: true, effort: "none", produces: [TEXT_TYPE, "application/openmetrics-text"] },
    schema: { hide: true },
    handler: async (request, reply) => {
      requireReader(request, metrics);
      reply.header("content-type", registry.contentType).header("cache-control", "no-store");
      return reply.send(await text());
    },
  });
}

const TEXT_TYPE = "text/plain";

/** Headers of proxies: a request with one comes from elsewhere, independent of its address. */
const FORWARDED = /^(forwarded|via|x-real-ip|x-client-ip|x-forwarded(-.*)?)$/;

/** @throws TOKEN_MISSING, TOKEN_INVALID if there is a token; else PATH_NOT_FOUND */
function requireReader(request: FastifyRequest, { audience, token, isBehindProxy }: Metrics): void {
  if (audience === "everyone") return;
  const hidden = fail("PATH_NOT_FOUND", { path: clip("/metrics") });
  if (audience === "off") throw hidden;
  const { authorization } = request.headers;
  if (token !== undefined && authorization !== undefined) {
    if (isSame(parseBearer(authorization), token)) return;
    throw fail("TOKEN_INVALID", { hint: "The token is not the BINDERY_METRICS_TOKEN of this service." });
  }
  if (!isBehindProxy && isLocal(request)) return;
  throw token === undefined ? hidden : fail("TOKEN_MISSING");
}

function isLocal({ headers, socket }: FastifyRequest): boolean {
  return isLoopback(socket.remoteAddress ?? "") && !Object.keys(headers).some((name) => FORWARDED.test(name));
}

/** Compares tokens in constant time, by digests, which have the same length. */
function isSame(sent: string | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(sent ?? ""), digest(token));
}
