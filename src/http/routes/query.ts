import type { FastifyReply, FastifyRequest } from "fastify";
import { ref } from "../../core/answer.js";
import { FieldList, type ListedUnit, UnitList } from "../../core/answers/models.js";
import { QueryText } from "../../core/answers/query-text.js";
import { listFields } from "../../core/catalog/list-fields.js";
import type { Model } from "../../core/catalog/types.js";
import { citationsPart, type DataPart, recordsPart, termsPart } from "../../core/feed/feed.js";
import type { Units } from "../../core/units/units.js";
import { listText } from "../answers/answer-text.js";
import { apiUrl } from "../answers/links.js";
import { sendCatalogDocument, sendKeepable } from "../answers/reply.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { contentETag } from "../parameters/request-headers.js";
import { IfNoneMatch, ModelParams, NoQuery } from "../parameters/requests.js";
import { QueryTextQuery } from "../parameters/search-parameters.js";
import type { Query } from "../parameters/url-encoding.js";
import { CONTENT_ETAG, emptyAnswer, jsonAnswer, PROBLEMS } from "../schemas/responses.js";
import { type ApiServer, type RouteOptions, type Routes, requireModel, requireVocabulary } from "./options.js";

/** Route that reads and completes the text of a query, for search fields. */
export const queryTextRoutes: Routes = async (app, { services, catalog }) => {
  app.get("/query", {
    config: { effort: "search", isKept: true },
    schema: {
      operationId: "readQuery",
      summary: "Show how the text of a query is read, part by part, and complete it",
      description: "Any text is read. Hits are counted among published records, or the terms of the vocabulary.",
      tags: ["Records"],
      querystring: QueryTextQuery.schema,
      response: { 200: jsonAnswer(ref(QueryText), "The text, part by part."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { values, warnings } = readParameters(QueryTextQuery, request.query);
      const { q, model, vocabulary, at, totals, lang } = values;
      if (model !== undefined) requireModel(catalog, model);
      if (vocabulary !== undefined) requireVocabulary(catalog, vocabulary);
      const { answer, isUnsettled } = await services.readQueryText({
        q,
        lang,
        totals: totals === undefined,
        model,
        vocabulary,
        at,
      });
      const queryText: QueryText = { ...answer, warnings: [...warnings, ...answer.warnings] };
      const body = JSON.stringify(queryText);
      return sendKeepable(request, reply, { body, parts: isUnsettled ? undefined : queryParts(model, vocabulary) });
    },
  });
};

/** Returns the public data of an answer: hits, titles of terms, and suggested terms, ordered by their citations. */
function queryParts(model: string | undefined, vocabulary: string | undefined): readonly DataPart[] {
  return vocabulary === undefined
    ? [recordsPart(model), termsPart()]
    : [termsPart(vocabulary), citationsPart(vocabulary)];
}

const common = { tags: ["Models"], querystring: NoQuery.schema, headers: IfNoneMatch };
const notModified = { 304: emptyAnswer("Not modified."), ...PROBLEMS };

/** Routes of the names that queries may use: fields of models, and units of numbers. */
export const fieldRoutes: Routes = async (app, options) => {
  addFields(app, options);
  addUnits(app, options);
};

function addFields(app: ApiServer, { catalog, address }: RouteOptions): void {
  const response = { 200: jsonAnswer(ref(FieldList), "All of them, in declared order.", CONTENT_ETAG), ...notModified };
  app.get("/models/:model/fields", {
    schema: {
      ...common,
      operationId: "listModelFields",
      summary: "List the fields that queries of a model may name",
      params: ModelParams,
      response,
    },
    handler: async (request, reply) => {
      const model = requireModel(catalog, request.params.model);
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
      response: { 200: jsonAnswer(ref(UnitList), "All of them, by dimension.", CONTENT_ETAG), ...notModified },
    },
    handler: async (request, reply) => {
      const [model] = catalog.models.values();
      return sendList(request, reply, `${apiUrl(address)}/units`, model === undefined ? [] : listUnits(model.units));
    },
  });
}

function listUnits({ units, dimensions, spellings }: Units): readonly ListedUnit[] {
  const words = [...spellings.words];
  return [...units.values()].map(({ name, dimension, factor, offset }) => ({
    id: name,
    dimension,
    dimension_title: dimensions.get(dimension)!.title,
    factor,
    offset,
    synonyms: words.flatMap(([spelling, unit]) => (unit === name && spelling !== name ? [spelling] : [])),
  }));
}

/** Sends a list that changes only with the catalog. */
function sendList(request: FastifyRequest, reply: FastifyReply, self: string, hits: readonly object[]): FastifyReply {
  const { warnings } = readParameters(NoQuery, request.query as Query);
  const texts = hits.map((hit) => JSON.stringify(hit));
  const text = listText(texts, { sortBy: "declared", links: { self }, warnings: [] });
  return sendCatalogDocument(request, reply, { text, etag: contentETag(text) }, warnings);
}
