/**
 * Records and drafts by their id alone: `/records/<id>/...` answers as `/records/<model>/<id>/...` does. An id has a
 * hyphen, which no name of a model has; clients of Invenio RDM know no models.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { fail } from "../../core/errors.js";
import { requireScopeOf } from "../../core/may.js";
import type { Services } from "../../services/api/services.js";
import { onRequestOf } from "../edge/request-context.js";

const WITH_MODEL = "/api/records/:model/:id";

/** What may be an id, in the place of the name of a model. */
const BY_ID = "/api/records/:id([0-9A-Za-z]{5}-[0-9A-Za-z]{5})";

/**
 * Gives each route of records and drafts that is added from now on a second address without the model, which is looked
 * up. Comes after authentication, so that a request without a token learns nothing of ids, and before access checks.
 */
export function addRecordIds(app: FastifyInstance, services: Pick<Services, "modelOf">): void {
  const findModel = async (request: FastifyRequest): Promise<void> => {
    const params = request.params as { readonly id: string; model?: string };
    const { url, config } = request.routeOptions;
    const isDraft = url?.includes("/draft") === true;
    // Before the look-up: otherwise a token without the scope learns which ids there are.
    const action = config.access ?? (isDraft ? "read" : undefined);
    if (action !== undefined) requireScopeOf(request.actor, action);
    const model = await services.modelOf(request.actor, params.id);
    if (model === undefined) throw fail(isDraft ? "DRAFT_NOT_FOUND" : "RECORD_NOT_FOUND", { id: params.id });
    params.model = model;
  };
  app.addHook("onRoute", (route) => {
    if (route.config?.isById === true) return onRequestOf(route, findModel);
    // The HEAD of a route is made with it.
    if (!route.url.startsWith(WITH_MODEL) || route.method === "HEAD") return;
    const { schema = {}, config = {} } = route;
    app.route({
      ...route,
      url: BY_ID + route.url.slice(WITH_MODEL.length),
      config: { ...config, isById: true },
      // The document names each operation once.
      schema: { ...schema, hide: true },
    });
  });
}
