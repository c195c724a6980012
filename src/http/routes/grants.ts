import { ref } from "../../core/answer.js";
import { Grant, GrantList } from "../../core/answers/accounts.js";
import { LIMITS } from "../../core/limits.js";
import { listText } from "../answers/answer-text.js";
import { apiUrl } from "../answers/links.js";
import { PRIVATE, sendJson } from "../answers/reply.js";
import { clip, readParameters } from "../parameters/parameter-reader.js";
import { readConditions } from "../parameters/request-headers.js";
import { GrantBody, GrantParams, NoQuery, RecordParams } from "../parameters/requests.js";
import { emptyAnswer, jsonAnswer, NEEDS_TOKEN, PROBLEMS } from "../schemas/responses.js";
import { type ApiServer, type RouteOptions, type Routes, requireBodyText, requireRecordAddress } from "./options.js";

const GRANTS = "/records/:model/:id/draft/access/grants";
const config = { needsToken: true };
const common = { tags: ["Sharing"], security: NEEDS_TOKEN };

/** Routes that share drafts with other users. */
export const grantRoutes: Routes = async (app, options) => {
  addList(app, options);
  addPut(app, options);
  addDelete(app, options);
};

function addList(app: ApiServer, { services, catalog, address: server }: RouteOptions): void {
  app.get(GRANTS, {
    config,
    schema: {
      ...common,
      operationId: "listGrants",
      summary: "List the users with whom a draft is shared",
      params: RecordParams,
      querystring: NoQuery.schema,
      response: { 200: jsonAnswer(ref(GrantList), "All of them, sorted by name."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { model, id } = requireRecordAddress(catalog, request.params, "DRAFT_NOT_FOUND");
      const { warnings } = readParameters(NoQuery, request.query);
      const grants = await services.listGrants(request.actor, { model, id });
      const self = `${apiUrl(server)}/records/${model}/${id.toLowerCase()}/draft/access/grants`;
      const hits = grants.map((grant) => JSON.stringify(grant));
      const frame = { sortBy: "user", links: { self }, warnings };
      return sendJson(reply.header("cache-control", PRIVATE), listText(hits, frame));
    },
  });
}

function addPut(app: ApiServer, { services, catalog }: RouteOptions): void {
  app.post(GRANTS, {
    config: { ...config, access: "share" },
    bodyLimit: LIMITS.shortBodyBytesMax,
    schema: {
      ...common,
      operationId: "putGrant",
      summary: "Share a draft with a user, or change their permission",
      params: RecordParams,
      querystring: NoQuery.schema,
      body: GrantBody,
      response: {
        200: jsonAnswer(ref(Grant), "The draft was shared with the user before; the permission was changed."),
        201: jsonAnswer(ref(Grant), "The draft is now shared with the user."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const address = requireRecordAddress(catalog, request.params, "DRAFT_NOT_FOUND");
      const body = requireBodyText(request.body);
      const { grant, isNew } = await services.putGrant(request.actor, address, body, readConditions(request));
      reply.code(isNew ? 201 : 200).header("cache-control", PRIVATE);
      return sendJson(reply, JSON.stringify(grant));
    },
  });
}

function addDelete(app: ApiServer, { services, catalog }: RouteOptions): void {
  app.delete(`${GRANTS}/:user`, {
    config: { ...config, access: "share" },
    bodyLimit: LIMITS.shortBodyBytesMax,
    schema: {
      ...common,
      operationId: "deleteGrant",
      summary: "Stop sharing a draft with a user",
      params: GrantParams,
      querystring: NoQuery.schema,
      response: { 204: emptyAnswer("The draft is no longer shared with the user."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = requireRecordAddress(catalog, request.params, "DRAFT_NOT_FOUND");
      await services.deleteGrant(request.actor, address, clip(request.params.user));
      return reply.code(204).header("cache-control", PRIVATE).send();
    },
  });
}
