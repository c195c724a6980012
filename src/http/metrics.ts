import type { FastifyInstance, FastifyRequest } from "fastify";
import { Histogram, type Registry } from "prom-client";
import { fail } from "../core/errors.js";
import { isLoopback } from "./network.js";
import { clip } from "./parameter-reader.js";

/** Who may read the metrics: this machine, everybody who reaches the server, or nobody. */
export type MetricsAudience = "loopback" | "everyone" | "off";

export interface Metrics {
  /** What this process counts: the server adds its requests. */
  readonly registry: Registry;
  readonly audience: MetricsAudience;
  /** All of it, of this and of all other processes, as Prometheus reads it. */
  text(): Promise<string>;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts requests by method, route and status, with their times; `/metrics` tells. */
export function addMetrics(app: FastifyInstance, { registry, audience, text }: Metrics): void {
  const seconds = new Histogram({
    name: "bindery_http_request_seconds",
    help: "Times of requests, from the first header to the end of the answer.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [registry],
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    seconds.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000);
    done();
  });

  app.get("/metrics", {
    config: { ignoresToken: true, effort: "none", produces: [TEXT_TYPE, "application/openmetrics-text"] },
    schema: { hide: true },
    handler: async (request, reply) => {
      if (!mayRead(request, audience)) throw fail("PATH_NOT_FOUND", { path: clip("/metrics") });
      reply.header("content-type", registry.contentType).header("cache-control", "no-store");
      return reply.send(await text());
    },
  });
}

const TEXT_TYPE = "text/plain";

/** What comes through a proxy on this machine comes from elsewhere. */
function mayRead({ headers, socket }: FastifyRequest, audience: MetricsAudience): boolean {
  if (audience !== "loopback") return audience === "everyone";
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && isLoopback(socket.remoteAddress ?? "");
}
