import type { FastifyReply, FastifyRequest } from "fastify";
import { listFields } from "../../core/catalog/list-fields.js";
import type { Model } from "../../core/catalog/types.js";
import type { Units } from "../../core/catalog/units.js";
import { listText } from "../answers/answer-text.js";
import { apiUrl } from "../answers/links.js";
import { sendDocument } from "../answers/reply.js";
import { contentETag } from "../parameters/etag.js";
import { readParameters } from "../parameters/parameter-reader.js";
import type { Query } from "../parameters/query-string.js";
import { IfNoneMatch, ModelParams, NoQuery } from "../parameters/requests.js";
import { ref } from "../schemas/components.js";
import { CONTENT_ETAG, empty, json, PROBLEMS } from "../schemas/responses.js";
import { type ApiServer, modelOf, type RouteOptions, type Routes } from "./options.js";

const common = { tags: ["Models"], querystring: NoQuery.schema, headers: IfNoneMatch };
const notModified = { 304: empty("Not modified."), ...PROBLEMS };

/** What queries may name: the fields of models, and the units of their numbers. */
export const fieldRoutes: Routes = async (app, options) => {
  addFields(app, options);
  addUnits(app, options);
};

function addFields(app: ApiServer, { catalog, address }: RouteOptions): void {
  const response = { 200: json(ref("FieldList"), "All of them, in declared order.", CONTENT_ETAG), ...notModified };
  app.get("/models/:model/fields", {
    schema: {
      ...common,
      operationId: "listModelFields",
      summary: "List the fields that queries of a model may name",
      params: ModelParams,
      response,
    },
    handler: async (request, reply) => {
      const model = modelOf(catalog, request.params.model);
      return sendList(request, reply, `${apiUrl(address)}/models/${model.name}/fields`, listFields([model]));
    },
  });
  app.get("/search/fields", {
    schema: {
      ...common,
      operationId: "listFields",
      summary: "List the fields that queries of all models may name",
      response,
    },
    handler: async (request, reply) => {
      const models: readonly Model[] = [...catalog.models.values()];
      return sendList(request, reply, `${apiUrl(address)}/search/fields`, listFields(models));
    },
  });
}

function addUnits(app: ApiServer, { catalog, address }: RouteOptions): void {
  app.get("/units", {
    schema: {
      ...common,
      operationId: "listUnits",
      summary: "List the units that numbers are converted by",
      response: { 200: json(ref("UnitList"), "All of them, by dimension.", CONTENT_ETAG), ...notModified },
    },
    handler: async (request, reply) => {
      const [model] = catalog.models.values();
      return sendList(request, reply, `${apiUrl(address)}/units`, model === undefined ? [] : listUnits(model.units));
    },
  });
}

function listUnits({ units, dimensions, spellings }: Units): readonly object[] {
  const written = [...spellings.words];
  return [...units.values()].map(({ name, dimension, factor, offset }) => ({
    id: name,
    dimension,
    dimension_title: dimensions.get(dimension)?.title,
    factor,
    offset,
    synonyms: written.flatMap(([spelling, unit]) => (unit === name && spelling !== name ? [spelling] : [])),
  }));
}

/** A list that changes with the catalog only. */
function sendList(request: FastifyRequest, reply: FastifyReply, self: string, hits: readonly object[]): FastifyReply {
  const { warnings } = readParameters(NoQuery, request.query as Query);
  const texts = hits.map((hit) => JSON.stringify(hit));
  const text = listText(texts, { sortBy: "declared", links: { self }, warnings: [] });
  return sendDocument(request, reply, { text, etag: contentETag(text) }, warnings);
}
