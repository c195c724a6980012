import type { FastifyReply } from "fastify";
import type { Vocabulary } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import type { WrittenTerm } from "../../services/api/vocabulary-services.js";
import { apiUrl, termUrl } from "../answers/links.js";
import { PRIVATE, sendJson } from "../answers/reply.js";
import { singleTermText } from "../answers/term-text.js";
import { termETag } from "../parameters/etag.js";
import { IfMatch, NoQuery, TermBody, TermParams, VocabularyParams } from "../parameters/requests.js";
import { conditionsOf } from "../parameters/write-conditions.js";
import { ref } from "../schemas/components.js";
import { ETAG, empty, json, LOCATION, NEEDS_TOKEN, PROBLEMS } from "../schemas/responses.js";
import { type ApiServer, type RouteOptions, type Routes, termAddressOf, textOf, vocabularyOf } from "./options.js";

const ITEMS = "/vocabularies/:vocabulary";
const config = { needsToken: true };
const common = { tags: ["Vocabularies"], security: NEEDS_TOKEN };

/** Writing items of vocabularies. */
export const termWriteRoutes: Routes = async (app, options) => {
  addCreate(app, options);
  addReplace(app, options);
  addDelete(app, options);
};

function addCreate(app: ApiServer, { services, catalog, address: server }: RouteOptions): void {
  app.post(ITEMS, {
    config,
    bodyLimit: LIMITS.termBodyBytesMax,
    schema: {
      ...common,
      operationId: "createTerm",
      summary: "Add a term",
      description: "For curators and admins, and for all depositors if the vocabulary is extensible.",
      params: VocabularyParams,
      querystring: NoQuery.schema,
      body: TermBody,
      response: { 201: json(ref("Term"), "The term.", { ...ETAG, ...LOCATION }), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const vocabulary = vocabularyOf(catalog, request.params.vocabulary);
      const { name } = vocabulary;
      const conditions = conditionsOf(request);
      const written = await services.createTerm(request.actor, name, textOf(request.body), conditions);
      reply.code(201).header("location", termUrl(apiUrl(server), name, written.term.id));
      return sendWritten(reply, vocabulary, written, apiUrl(server));
    },
  });
}

function addReplace(app: ApiServer, { services, catalog, address: server }: RouteOptions): void {
  app.put(`${ITEMS}/:id`, {
    config,
    bodyLimit: LIMITS.termBodyBytesMax,
    schema: {
      ...common,
      operationId: "replaceTerm",
      summary: "Replace a term",
      params: TermParams,
      querystring: NoQuery.schema,
      headers: IfMatch,
      body: TermBody,
      response: { 200: json(ref("Term"), "The changed term.", ETAG), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const vocabulary = vocabularyOf(catalog, request.params.vocabulary);
      const address = termAddressOf(vocabulary, request.params.id);
      const conditions = conditionsOf(request);
      const written = await services.replaceTerm(request.actor, address, textOf(request.body), conditions);
      return sendWritten(reply, vocabulary, written, apiUrl(server));
    },
  });
}

function addDelete(app: ApiServer, { services, catalog }: RouteOptions): void {
  app.delete(`${ITEMS}/:id`, {
    config,
    schema: {
      ...common,
      operationId: "deleteTerm",
      summary: "Delete a term that is not cited",
      params: TermParams,
      querystring: NoQuery.schema,
      headers: IfMatch,
      response: { 204: empty("Deleted."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = termAddressOf(vocabularyOf(catalog, request.params.vocabulary), request.params.id);
      await services.deleteTerm(request.actor, address, conditionsOf(request));
      return reply.code(204).header("cache-control", PRIVATE).send();
    },
  });
}

function sendWritten(reply: FastifyReply, vocabulary: Vocabulary, written: WrittenTerm, api: string): FastifyReply {
  reply.header("etag", termETag(written.term)).header("cache-control", PRIVATE);
  return sendJson(reply, singleTermText(api, vocabulary, written));
}
