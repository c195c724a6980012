import { ref } from "../../core/answer.js";
import { ModelList, ModelSummary } from "../../core/answers/models.js";
import { inlineReferences } from "../../core/catalog/bundle-schema.js";
import type { Model } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { listText } from "../answers/answer-text.js";
import { apiUrl, modelLinks } from "../answers/links.js";
import { type CatalogDocument, makeCatalogDocument, PUBLIC, sendCatalogDocument, sendJson } from "../answers/reply.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { API_TYPES } from "../parameters/request-headers.js";
import { IfNoneMatch, ModelParams, NoQuery, SchemaQuery } from "../parameters/requests.js";
import { Deposit } from "../schemas/bodies.js";
import { ANY_OBJECT, CONTENT_ETAG, emptyAnswer, jsonAnswer, PROBLEMS } from "../schemas/responses.js";
import { type ApiServer, type RouteOptions, type Routes, requireModel } from "./options.js";

const MODEL = "/models/:model";
const SCHEMA_TYPE = "application/schema+json";
const common = { tags: ["Models"] };

/** Routes of models, their schemas and their examples. */
export const modelRoutes: Routes = async (app, options) => {
  addList(app, options);
  addRead(app, options);
  addSchema(app, options);
  addExample(app, options);
};

function addList(app: ApiServer, { catalog, address }: RouteOptions): void {
  app.get("/models", {
    schema: {
      ...common,
      operationId: "listModels",
      summary: "List the models of records",
      querystring: NoQuery.schema,
      response: { 200: jsonAnswer(ref(ModelList), "All of them."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { warnings } = readParameters(NoQuery, request.query);
      const api = apiUrl(address);
      const hits = [...catalog.models.values()].map((model) => JSON.stringify(describeModel(api, model)));
      const frame = { sortBy: "id", links: { self: `${api}/models` }, warnings };
      return sendJson(reply.header("cache-control", PUBLIC), listText(hits, frame));
    },
  });
}

function addRead(app: ApiServer, { catalog, address }: RouteOptions): void {
  app.get(MODEL, {
    schema: {
      ...common,
      operationId: "readModel",
      summary: "Read a model",
      params: ModelParams,
      querystring: NoQuery.schema,
      headers: IfNoneMatch,
      response: {
        200: jsonAnswer(ref(ModelSummary), "The model.", CONTENT_ETAG),
        304: emptyAnswer("Not modified."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const model = requireModel(catalog, request.params.model);
      const { warnings } = readParameters(NoQuery, request.query);
      return sendCatalogDocument(request, reply, makeCatalogDocument(describeModel(apiUrl(address), model)), warnings);
    },
  });
}

function addSchema(app: ApiServer, { catalog, address }: RouteOptions): void {
  // Schemas are large and change only with the catalog, so they are printed once.
  const documents = new Map<string, CatalogDocument>();
  app.get(`${MODEL}/schema`, {
    config: { produces: [...API_TYPES, SCHEMA_TYPE] },
    schema: {
      ...common,
      operationId: "readModelSchema",
      summary: "Read the JSON Schema of a model's metadata",
      description:
        "JSON Schema 2020-12, self-contained. docs/http.md explains the keywords that begin with x- and " +
        "how discriminator selects an alternative.",
      params: ModelParams,
      querystring: SchemaQuery.schema,
      headers: IfNoneMatch,
      response: {
        200: jsonAnswer(ANY_OBJECT, "The schema.", CONTENT_ETAG),
        304: emptyAnswer("Not modified."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const model = requireModel(catalog, request.params.model);
      const { values, warnings } = readParameters(SchemaQuery, request.query);
      const isResolved = values.refs === "resolved";
      const { schema: url } = modelLinks(apiUrl(address), model);
      const id = isResolved ? `${url}?refs=resolved` : url!;
      const document = documents.get(id) ?? makeCatalogDocument(schemaDocument(model, id, isResolved));
      documents.set(id, document);
      return sendCatalogDocument(request, reply, document, warnings);
    },
  });
}

function addExample(app: ApiServer, { catalog }: RouteOptions): void {
  app.get(`${MODEL}/example`, {
    schema: {
      ...common,
      operationId: "readModelExample",
      summary: "Read an example record of a model, as it would be deposited",
      params: ModelParams,
      querystring: NoQuery.schema,
      headers: IfNoneMatch,
      response: {
        200: jsonAnswer(ref(Deposit), "The body.", CONTENT_ETAG),
        304: emptyAnswer("Not modified."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { name, example } = requireModel(catalog, request.params.model);
      const { warnings } = readParameters(NoQuery, request.query);
      if (example === undefined) throw fail("EXAMPLE_NOT_FOUND", { model: name });
      return sendCatalogDocument(request, reply, makeCatalogDocument(example), warnings);
    },
  });
}

/** Returns the description of a model for clients. */
function describeModel(api: string, model: Model): ModelSummary {
  const { name, title, description, version } = model;
  return { id: name, title, description, version, links: modelLinks(api, model) };
}

/** Returns the schema of a model as a separate document. @param id its URL */
function schemaDocument({ title, description, schema }: Model, id: string, isResolved: boolean): object {
  const { $schema, ...rest } = isResolved ? inlineReferences(schema) : schema;
  return { $schema, $id: id, title, description, ...rest };
}
