import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { ref } from "../../core/answer.js";
import { Term, TermValidation } from "../../core/answers/term-answers.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { Conditions } from "../../services/api/records.js";
import type { TermAddress, TermDetails } from "../../services/api/vocabularies.js";
import { singleTermText, withWarnings } from "../answers/answer-text.js";
import { apiUrl, termUrl } from "../answers/links.js";
import { PRIVATE, sendJson } from "../answers/reply.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { formatETag, readConditions } from "../parameters/request-headers.js";
import {
  CreateTermQuery,
  IfMatch,
  IfMatchOnce,
  NoQuery,
  TermBody,
  TermMergeBody,
  TermParams,
  TermPatchBody,
  VocabularyParams,
} from "../parameters/requests.js";
import { ETAG, emptyAnswer, jsonAnswer, LOCATION, NEEDS_TOKEN, PROBLEMS } from "../schemas/responses.js";
import {
  type ApiServer,
  countTermsBelow,
  isValidateOnly,
  type RouteOptions,
  type Routes,
  requireBodyText,
  requireTermAddress,
  requireVocabulary,
} from "./options.js";

const TERMS = "/vocabularies/:vocabulary";
const config = { needsToken: true };
const common = { tags: ["Vocabularies"], security: NEEDS_TOKEN };

/** Routes that write terms of vocabularies. */
export const termWriteRoutes: Routes = async (app, options) => {
  addCreate(app, options);
  addReplace(app, options);
  addPatch(app, options);
  addMerge(app, options);
  addConfirm(app, options);
  addDelete(app, options);
};

function addCreate(app: ApiServer, options: RouteOptions): void {
  const { services, catalog, address: server } = options;
  app.post(TERMS, {
    // Validation costs as much as a search.
    config: { ...config, effort: (request) => (isValidateOnly(request) ? "search" : undefined) },
    bodyLimit: LIMITS.termBodyBytesMax,
    schema: {
      ...common,
      operationId: "createTerm",
      summary: "Add a term",
      description:
        "For curators and admins, and for all depositors if the vocabulary is extensible. `warnings` name terms that " +
        "may be the same; with validate=only they are named before anything is added.",
      params: VocabularyParams,
      querystring: CreateTermQuery.schema,
      body: TermBody,
      response: {
        200: jsonAnswer(ref(TermValidation), "With validate=only: the result of the validation."),
        201: jsonAnswer(ref(Term), "The term.", { ...ETAG, ...LOCATION }),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const vocabulary = requireVocabulary(catalog, request.params.vocabulary);
      const { name } = vocabulary;
      const { warnings: queryWarnings } = readParameters(CreateTermQuery, request.query);
      if (isValidateOnly(request)) {
        const { errors, warnings } = await services.validateTerm(request.actor, name, requireBodyText(request.body));
        const result: TermValidation = {
          valid: errors.length === 0,
          errors,
          warnings: [...queryWarnings, ...warnings],
        };
        return sendJson(reply.header("cache-control", PRIVATE), JSON.stringify(result));
      }
      const conditions = readConditions(request);
      const answer = await services.createTerm(request.actor, name, requireBodyText(request.body), conditions);
      reply.code(201).header("location", termUrl(apiUrl(server), name, answer.term.id));
      return sendWriteAnswer(options, reply, vocabulary, answer);
    },
  });
}

function addReplace(app: ApiServer, options: RouteOptions): void {
  app.put(`${TERMS}/:id`, {
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
      response: { 200: jsonAnswer(ref(Term), "The changed term.", ETAG), ...PROBLEMS },
    },
    handler: (request, reply) =>
      answerWrite(options, request, reply, (address, conditions) =>
        options.services.replaceTerm(request.actor, address, requireBodyText(request.body), conditions),
      ),
  });
}

function addPatch(app: ApiServer, options: RouteOptions): void {
  app.patch(`${TERMS}/:id`, {
    config,
    bodyLimit: LIMITS.termBodyBytesMax,
    schema: {
      ...common,
      operationId: "patchTerm",
      summary: "Change single fields of a term",
      description: 'As `application/merge-patch+json` or `application/json`. `{"status": "deprecated"}` deprecates it.',
      params: TermParams,
      querystring: NoQuery.schema,
      headers: IfMatch,
      body: TermPatchBody,
      response: { 200: jsonAnswer(ref(Term), "The changed term.", ETAG), ...PROBLEMS },
    },
    handler: (request, reply) =>
      answerWrite(options, request, reply, (address, conditions) =>
        options.services.patchTerm(request.actor, address, requireBodyText(request.body), conditions),
      ),
  });
}

function addMerge(app: ApiServer, options: RouteOptions): void {
  app.post(`${TERMS}/:id/actions/merge`, {
    config,
    bodyLimit: LIMITS.shortBodyBytesMax,
    schema: {
      ...common,
      operationId: "mergeTerm",
      summary: "Merge a term into another one",
      description:
        "The term becomes deprecated, with the other one as its successor: its address redirects to the successor, " +
        "records that cite it are found and counted under the successor, and they cite the successor when they are " +
        `next saved. The children of the term, at most ${LIMITS.mergeChildrenMax}, become children of the successor.`,
      params: TermParams,
      querystring: NoQuery.schema,
      headers: IfMatchOnce,
      body: TermMergeBody,
      response: { 200: jsonAnswer(ref(Term), "The deprecated term.", ETAG), ...PROBLEMS },
    },
    handler: (request, reply) =>
      answerWrite(options, request, reply, (address, conditions) =>
        options.services.mergeTerm(request.actor, address, requireBodyText(request.body), conditions),
      ),
  });
}

function addConfirm(app: ApiServer, options: RouteOptions): void {
  app.post(`${TERMS}/:id/actions/confirm`, {
    config,
    bodyLimit: LIMITS.shortBodyBytesMax,
    schema: {
      ...common,
      operationId: "confirmTerm",
      summary: "Confirm a term that a depositor added",
      description: "A confirmed term does not change. A search with `confirmed=false` lists unconfirmed terms.",
      params: TermParams,
      querystring: NoQuery.schema,
      headers: IfMatchOnce,
      response: { 200: jsonAnswer(ref(Term), "The confirmed term.", ETAG), ...PROBLEMS },
    },
    handler: (request, reply) =>
      answerWrite(options, request, reply, (address, conditions) =>
        options.services.confirmTerm(request.actor, address, conditions),
      ),
  });
}

function addDelete(app: ApiServer, { services, catalog }: RouteOptions): void {
  app.delete(`${TERMS}/:id`, {
    config,
    bodyLimit: LIMITS.shortBodyBytesMax,
    schema: {
      ...common,
      operationId: "deleteTerm",
      summary: "Delete a term that is not cited",
      params: TermParams,
      querystring: NoQuery.schema,
      headers: IfMatch,
      response: { 204: emptyAnswer("Deleted."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { address } = requireTermAddress(catalog, request.params);
      await services.deleteTerm(request.actor, address, readConditions(request));
      return reply.code(204).header("cache-control", PRIVATE).send();
    },
  });
}

/** Writes a term and answers with its new state. */
async function answerWrite(
  options: RouteOptions,
  request: FastifyRequest & { readonly params: Static<typeof TermParams> },
  reply: FastifyReply,
  write: (address: TermAddress, conditions: Conditions) => Promise<TermDetails>,
): Promise<FastifyReply> {
  const { vocabulary, address } = requireTermAddress(options.catalog, request.params);
  return sendWriteAnswer(options, reply, vocabulary, await write(address, readConditions(request)));
}

async function sendWriteAnswer(
  { services, address }: RouteOptions,
  reply: FastifyReply,
  vocabulary: Vocabulary,
  { warnings = [], ...answer }: TermDetails & { readonly warnings?: readonly Warning[] },
): Promise<FastifyReply> {
  const below = await countTermsBelow(services, vocabulary, answer.term.id);
  reply.header("etag", formatETag(answer.term.revision)).header("cache-control", PRIVATE);
  return sendJson(reply, withWarnings(singleTermText(apiUrl(address), vocabulary, { ...answer, below }), warnings));
}
