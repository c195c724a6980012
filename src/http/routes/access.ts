import type { FastifyInstance } from "fastify";
import type { Catalog } from "../../core/catalog/types.js";
import type { Services } from "../../services/api/services.js";
import "../edge/request-context.js";
import { addressOf } from "./options.js";

/**
 * Refuses who may not do what a route does with a record or draft, before the body is read. Requests with an
 * `Idempotency-Key` are left to the write, since they may be one that was answered already: on these paths their bodies
 * are short.
 */
export function addAccessCheck(app: FastifyInstance, services: Pick<Services, "checkAccess">, catalog: Catalog): void {
  app.addHook("onRequest", async (request) => {
    const { access } = request.routeOptions.config;
    if (access === undefined || mayBeAnswered(request.method, request.headers)) return;
    const missing = request.routeOptions.url?.includes("/draft") ? "DRAFT_NOT_FOUND" : "RECORD_NOT_FOUND";
    const address = addressOf(catalog, request.params as { readonly model: string; readonly id: string }, missing);
    await services.checkAccess(request.actor, access, address);
  });
}

function mayBeAnswered(method: string, headers: Readonly<Record<string, unknown>>): boolean {
  return method === "POST" && headers["idempotency-key"] !== undefined;
}
