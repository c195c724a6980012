import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Catalog } from "../../core/catalog/types.js";
import type { Services } from "../../services/api/services.js";
import { onRequestOf } from "../edge/request-context.js";
import { addressOf } from "./options.js";

/**
 * Refuses who may not do what a route does with a record or draft, before the body is read. Requests with an
 * `Idempotency-Key` are left to the write, since they may be one that was answered already: on these paths their bodies
 * are short.
 */
export function addAccessCheck(app: FastifyInstance, services: Pick<Services, "checkAccess">, catalog: Catalog): void {
  app.addHook("onRoute", (route) => {
    const { access } = route.config ?? {};
    if (access === undefined) return;
    const missing = route.url.includes("/draft") ? "DRAFT_NOT_FOUND" : "RECORD_NOT_FOUND";
    onRequestOf(route, async (request: FastifyRequest) => {
      if (mayBeAnswered(request.method, request.headers)) return;
      const address = addressOf(catalog, request.params as { readonly model: string; readonly id: string }, missing);
      await services.checkAccess(request.actor, access, address);
    });
  });
}

function mayBeAnswered(method: string, headers: Readonly<Record<string, unknown>>): boolean {
  return method === "POST" && headers["idempotency-key"] !== undefined;
}
