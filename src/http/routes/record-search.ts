import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { recordsPart, termsPart } from "../../core/feed/public-parts.js";
import { makeRecordFacets, type RecordFacets } from "../../services/search/facets.js";
import { type FindRecordSorts, makeRecordSorts } from "../../services/search/record-sorts.js";
import { apiUrl, siteOf } from "../answers/links.js";
import { PRIVATE, sendJson, sendPublic } from "../answers/reply.js";
import type { Query } from "../parameters/query-string.js";
import { ModelParams } from "../parameters/requests.js";
import { RESULT_TYPES, resultFormatOf } from "../parameters/result-format.js";
import { OwnSearchQuery, RecordSearchQuery, readRecordSearch } from "../parameters/search-parameters.js";
import { ref } from "../schemas/components.js";
import { json, MOVED_TO_LATEST, NEEDS_TOKEN, PROBLEMS } from "../schemas/responses.js";
import { type ApiServer, modelOf, type RouteOptions, type Routes } from "./options.js";
import { sendResult } from "./send-result.js";

/** One search of records: of one model or of all, of everybody's published ones or of the caller's own. */
interface Search {
  readonly model: string | undefined;
  readonly own: boolean;
  /** Path of the endpoint below the API. */
  readonly path: string;
}

const response = { 200: json(ref("RecordSearch"), "One page of records."), ...PROBLEMS };

/** C1 to C4: the searches of records. */
export const recordSearchRoutes: Routes = async (app, options) => {
  const { catalog } = options;
  const searching = { ...options, facetsOf: makeRecordFacets(catalog), sortsOf: makeRecordSorts(catalog) };
  addPublicSearches(app, searching);
  addOwnSearches(app, searching);
};

interface SearchOptions extends RouteOptions {
  readonly facetsOf: RecordFacets;
  readonly sortsOf: FindRecordSorts;
}

function addPublicSearches(app: ApiServer, options: SearchOptions): void {
  const all = [
    ["/search", "searchAllRecords", "Search the published records of all models"],
    ["/records", "listAllRecords", "Search the published records of all models (as /api/search)"],
  ] as const;
  for (const [path, operationId, summary] of all) {
    app.get(path, {
      config: { effort: "search", isKept: true, produces: RESULT_TYPES.records },
      schema: { operationId, summary, tags: ["Records"], querystring: RecordSearchQuery.schema, response },
      handler: (request, reply) => sendSearch(options, request, reply, { model: undefined, own: false, path }),
    });
  }

  app.get("/records/:model", {
    config: { effort: "search", isKept: true, produces: RESULT_TYPES.records },
    schema: {
      operationId: "searchRecords",
      summary: "Search the published records of one model",
      description: "With the id of a record in place of the model, returns that record.",
      tags: ["Records"],
      params: ModelParams,
      querystring: RecordSearchQuery.schema,
      response: {
        ...response,
        200: json(Type.Union([ref("RecordSearch"), ref("Record")]), "One page of records; with an id, the record."),
        301: MOVED_TO_LATEST,
      },
    },
    handler: (request, reply) => {
      const { model } = request.params;
      return sendSearch(options, request, reply, { model, own: false, path: `/records/${model}` });
    },
  });
}

function addOwnSearches(app: ApiServer, options: SearchOptions): void {
  app.get("/user/search", {
    config: { needsToken: true, effort: "search", produces: RESULT_TYPES.records },
    schema: {
      operationId: "searchAllMyRecords",
      summary: "Search the caller's records and drafts of all models",
      tags: ["My records"],
      security: NEEDS_TOKEN,
      querystring: OwnSearchQuery.schema,
      response,
    },
    handler: (request, reply) =>
      sendSearch(options, request, reply, { model: undefined, own: true, path: "/user/search" }),
  });

  app.get("/user/records/:model", {
    config: { needsToken: true, effort: "search", produces: RESULT_TYPES.records },
    schema: {
      operationId: "searchMyRecords",
      summary: "Search the caller's records and drafts of one model",
      tags: ["My records"],
      security: NEEDS_TOKEN,
      params: ModelParams,
      querystring: OwnSearchQuery.schema,
      response,
    },
    handler: (request, reply) => {
      const { model } = request.params;
      return sendSearch(options, request, reply, { model, own: true, path: `/user/records/${model}` });
    },
  });
}

async function sendSearch(
  options: SearchOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { model, own, path }: Search,
): Promise<FastifyReply> {
  const { answers, catalog, address, facetsOf, sortsOf } = options;
  if (model !== undefined) modelOf(catalog, model);
  const parameters = readRecordSearch(request.query as Query, catalog, {
    ...{ model, own },
    ...{ facets: facetsOf(model, own), sorts: sortsOf(model) },
  });
  const format = resultFormatOf(request.headers.accept, parameters.result, "records");
  if (format !== undefined) {
    const asked = { site: siteOf(address), parameters, format: format.name };
    const open = () => answers.openRecordStream(request.actor, asked);
    return sendResult(options, request, reply, { format, name: model ?? "records", isPrivate: own, open });
  }
  const asked = { api: apiUrl(address), path, parameters };
  const { bytes, link, isUnsettled } = await answers.answerRecordSearch(request.actor, asked);
  if (own) {
    if (link !== "") reply.header("link", link);
    return sendJson(reply.header("cache-control", PRIVATE).header("vary", "accept"), bytes);
  }
  // Terms: labels of facets, and what lies below or replaces what is asked for.
  const parts = isUnsettled ? undefined : [recordsPart(model), termsPart()];
  return sendPublic(request, reply, { body: bytes, link, isNegotiated: true, parts });
}
