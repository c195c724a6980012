import type { FastifyRequest } from "fastify";
import type { Effort } from "../../core/rate-limits.js";
import "./request-context.js";

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
