import { ref } from "../../core/answer.js";
import { RecordPage } from "../../core/answers/records.js";
import { LIMITS } from "../../core/limits.js";
import { searchText, withLinks } from "../answers/answer-text.js";
import { apiUrl, pageLinks, recordLinks } from "../answers/links.js";
import { PUBLIC, sendJson } from "../answers/reply.js";
import { ListQuery } from "../parameters/list-parameters.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { IfMatchOnce, NoQuery, RecordParams, SingleQuery } from "../parameters/requests.js";
import { json, MOVED_TO_LATEST, NEEDS_TOKEN, OPENED, PROBLEMS } from "../schemas/responses.js";
import { answerOpening } from "./drafts.js";
import { type ApiServer, type RouteOptions, type Routes, requireRecordAddress } from "./options.js";

const VERSIONS = "/records/:model/:id/versions";

/** Routes of the versions of a record: they create a version, list versions, and redirect to the latest one. */
export const versionRoutes: Routes = async (app, options) => {
  addCreate(app, options);
  addList(app, options);
  addLatest(app, options);
};

function addCreate(app: ApiServer, options: RouteOptions): void {
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
      querystring: SingleQuery.schema,
      headers: IfMatchOnce,
      response: OPENED,
    },
    handler: (request, reply) => answerOpening(options, request, reply, options.services.createVersion),
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
      querystring: ListQuery.schema,
      response: { 200: json(ref(RecordPage), "One page of records."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = requireRecordAddress(catalog, request.params, "RECORD_NOT_FOUND");
      const { values: window, warnings } = readParameters(ListQuery, request.query);
      const result = await services.listVersions(request.actor, address, window);
      const api = apiUrl(server);
      const hits = result.hits.map((record) => withLinks(record.json, recordLinks(api, record)));
      const url = `${api}/records/${address.model}/${address.id.toLowerCase()}/versions`;
      const links = pageLinks(url, window, result);
      reply.header("cache-control", PUBLIC);
      return sendJson(reply, searchText(hits, { ...result, page: window.page, links, warnings }));
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
      querystring: NoQuery.schema,
      response: { 301: MOVED_TO_LATEST, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = requireRecordAddress(catalog, request.params, "RECORD_NOT_FOUND");
      const { model, id } = await services.readLatest(request.actor, address);
      // The redirect must be revalidated, because later versions may follow.
      reply
        .code(301)
        .header("location", `${apiUrl(server)}/records/${model}/${id}`)
        .header("cache-control", PUBLIC);
      return reply.send();
    },
  });
}
