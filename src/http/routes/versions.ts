import { LIMITS } from "../../core/limits.js";
import { searchText, withLinks } from "../answers/answer-text.js";
import { apiUrl, recordLinks } from "../answers/links.js";
import { PUBLIC, readSingle, sendJson } from "../answers/reply.js";
import { conditionsOf } from "../parameters/conditions.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { printQueryString, type Query } from "../parameters/query-string.js";
import { ref } from "../schemas/components.js";
import { IfMatchOnce, ListQuery, NoQuery, RecordParams, SingleQuery } from "../schemas/requests.js";
import { json, MOVED_TO_LATEST, NEEDS_TOKEN, OPENED, PROBLEMS } from "../schemas/responses.js";
import { sendOpened } from "./drafts.js";
import { type ApiServer, addressOf, type RouteOptions, type Routes } from "./options.js";

const VERSIONS = "/records/:model/:id/versions";

/** The versions of a record: making one, listing them, finding the latest. */
export const versionRoutes: Routes = async (app, options) => {
  addCreate(app, options);
  addList(app, options);
  addLatest(app, options);
};

function addCreate(app: ApiServer, { services, catalog, address: server }: RouteOptions): void {
  app.post(VERSIONS, {
    config: { needsToken: true, access: "newVersion" },
    bodyLimit: LIMITS.shortBodyBytesMax,
    schema: {
      operationId: "createVersion",
      summary: "Create the draft of a new version",
      description:
        "A copy of the latest published version with a new id; a record has at most one such draft at a time.",
      tags: ["Deposit"],
      security: NEEDS_TOKEN,
      params: RecordParams,
      querystring: SingleQuery,
      headers: IfMatchOnce,
      response: OPENED,
    },
    handler: async (request, reply) => {
      const address = addressOf(catalog, request.params, "RECORD_NOT_FOUND");
      readSingle(request.query);
      const answer = await services.createVersion(request.actor, address, conditionsOf(request));
      return sendOpened(request, reply, answer, apiUrl(server));
    },
  });
}

function addList(app: ApiServer, { services, catalog, address: server }: RouteOptions): void {
  app.get(VERSIONS, {
    schema: {
      operationId: "listVersions",
      summary: "List the published versions of a record, newest first",
      description: "The id can be that of any version or of the parent. Retracted versions are not listed.",
      tags: ["Records"],
      params: RecordParams,
      querystring: ListQuery,
      response: { 200: json(ref("RecordSearch"), "One page of records."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = addressOf(catalog, request.params, "RECORD_NOT_FOUND");
      const { page, size, warnings } = readListWindow(request.query);
      const found = await services.listVersions(request.actor, address, { page, size });
      const api = apiUrl(server);
      const hits = found.hits.map((record) => withLinks(record.json, recordLinks(api, record)));
      const link = (n: number): string => {
        const spelled = printQueryString(Object.entries({ page: String(n), size: String(size), sort: found.sortBy }));
        return `${api}/records/${address.model}/${address.id.toLowerCase()}/versions?${spelled}`;
      };
      const links = {
        self: link(page),
        ...(page > 1 ? { prev: link(page - 1) } : {}),
        ...(page * size < found.total ? { next: link(page + 1) } : {}),
      };
      reply.header("cache-control", PUBLIC);
      return sendJson(reply, searchText(hits, { ...found, page, links, warnings }));
    },
  });
}

function addLatest(app: ApiServer, { services, catalog, address: server }: RouteOptions): void {
  app.get(`${VERSIONS}/latest`, {
    schema: {
      operationId: "readLatest",
      summary: "Redirect to the latest published version of a record",
      tags: ["Records"],
      params: RecordParams,
      querystring: NoQuery,
      response: { 301: MOVED_TO_LATEST, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = addressOf(catalog, request.params, "RECORD_NOT_FOUND");
      const { model, id } = await services.readLatest(request.actor, address);
      // Not for ever: whatever version is the latest by then.
      reply
        .code(301)
        .header("location", `${apiUrl(server)}/records/${model}/${id}`)
        .header("cache-control", PUBLIC);
      return reply.send();
    },
  });
}

/** @throws PARAMETER_INVALID */
function readListWindow(query: Query) {
  const reader = readParameters(query);
  const page = reader.count(["page", "p"]) ?? 1;
  const size = reader.count(["size", "s"]) ?? LIMITS.pageSizeDefault;
  reader.choice("sort", ["newest"]);
  reader.choice("l", ["list"]);
  return { page, size, warnings: reader.finish() };
}
