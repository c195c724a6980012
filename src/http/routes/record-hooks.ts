/**
 * Hooks that run before the routes of records and drafts: they look up the model of an id, and check rights.
 *
 * Records and drafts can be addressed by their id alone: `/records/<id>/...` is equivalent to
 * `/records/<model>/<id>/...`, because clients of Invenio RDM have no models. An id has a hyphen, which names of models
 * do not have.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Catalog } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { requireScopeOf } from "../../core/may.js";
import type { Services } from "../../services/use-cases.js";
import { addRequestHook } from "../edge/request-context.js";
import { requireRecordAddress } from "./options.js";

const WITH_MODEL = "/api/records/:model/:id";

/** Address with an id at the place of the name of a model. */
const BY_ID = "/api/records/:id([0-9A-Za-z]{5}-[0-9A-Za-z]{5})";

/**
 * Adds a second address without the model, which is looked up, to each route of records and drafts that is added after
 * this call. Must be called after authentication, so that requests without a token cannot probe ids, and before the
 * access check.
 */
export function addRoutesWithoutModel(app: FastifyInstance, services: Pick<Services, "modelOf">): void {
  const findModel = async (request: FastifyRequest): Promise<void> => {
    const params = request.params as { readonly id: string; model?: string };
    const { url, config } = request.routeOptions;
    const isDraft = url?.includes("/draft") === true;
    // The scope is checked first, so that a token without it cannot probe ids.
    const action = config.access ?? (isDraft ? "read" : undefined);
    if (action !== undefined) requireScopeOf(request.actor, action);
    const model = await services.modelOf(request.actor, params.id);
    if (model === undefined) throw fail(isDraft ? "DRAFT_NOT_FOUND" : "RECORD_NOT_FOUND", { id: params.id });
    params.model = model;
  };
  app.addHook("onRoute", (route) => {
    if (route.config?.isById === true) return addRequestHook(route, findModel);
    // Fastify adds the HEAD route together with its GET route.
    if (!route.url.startsWith(WITH_MODEL) || route.method === "HEAD") return;
    const { schema = {}, config = {} } = route;
    app.route({
      ...route,
      url: BY_ID + route.url.slice(WITH_MODEL.length),
      config: { ...config, isById: true },
      // The OpenAPI document has each operation once.
      schema: { ...schema, hide: true },
    });
  });
}

/**
 * Refuses callers without the right to the action of a route, before the body is read. Requests with an
 * `Idempotency-Key` are checked by the write instead, because they may repeat an answered request; on these paths their
 * bodies are short.
 */
export function addAccessCheck(app: FastifyInstance, services: Pick<Services, "checkAccess">, catalog: Catalog): void {
  app.addHook("onRoute", (route) => {
    const { access } = route.config ?? {};
    if (access === undefined) return;
    const missing = route.url.includes("/draft") ? "DRAFT_NOT_FOUND" : "RECORD_NOT_FOUND";
    addRequestHook(route, async (request: FastifyRequest) => {
      if (mayBeRetry(request.method, request.headers)) return;
      const address = requireRecordAddress(
        catalog,
        request.params as { readonly model: string; readonly id: string },
        missing,
      );
      await services.checkAccess(request.actor, access, address);
    });
  });
}

function mayBeRetry(method: string, headers: Readonly<Record<string, unknown>>): boolean {
  return method === "POST" && headers["idempotency-key"] !== undefined;
}
