import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { ref } from "../../core/answer.js";
import { AnsweredRecord, FileList, RecordValidation } from "../../core/answers/records.js";
import { draftPart } from "../../core/feed/feed.js";
import type { Warning } from "../../core/issue.js";
import { LARGE_RECORD_LENGTH, LIMITS } from "../../core/limits.js";
import type { SentBody } from "../../core/sent-body.js";
import type { RecordAnswer, ValidationResult } from "../../services/api/records.js";
import type { Services } from "../../services/use-cases.js";
import { withMember } from "../answers/answer-text.js";
import { apiUrl, recordLinks, siteOf } from "../answers/links.js";
import { PRIVATE, recordAnswerText, sendExport, sendJson, sendKeepable, writeExport } from "../answers/reply.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { RECORD_TYPES, RecordQuery, recordFormatOf } from "../parameters/representation.js";
import { formatETag, readConditions } from "../parameters/request-headers.js";
import {
  CreateQuery,
  DepositBody,
  IfMatch,
  IfMatchOnce,
  IfNoneMatch,
  ModelParams,
  NoQuery,
  RecordParams,
  readExpand,
  SingleQuery,
} from "../parameters/requests.js";
import type { Query } from "../parameters/url-encoding.js";
import { ETAG, emptyAnswer, jsonAnswer, LOCATION, NEEDS_TOKEN, OPENED, PROBLEMS } from "../schemas/responses.js";
import {
  type ApiServer,
  isValidateOnly,
  type RouteOptions,
  type Routes,
  requireBody,
  requireModel,
  requireRecordAddress,
} from "./options.js";
import { EMPTY_FILES } from "./records.js";

const DRAFT = "/records/:model/:id/draft";
const config = { needsToken: true };
const common = { tags: ["Deposit"], security: NEEDS_TOKEN };

/** Routes of deposit: they create, open, read, replace, delete and publish drafts. */
export const draftRoutes: Routes = async (app, options) => {
  addCreate(app, options);
  addEdit(app, options);
  addRead(app, options);
  addReplace(app, options);
  addDelete(app, options);
  addPublish(app, options);
  addFiles(app, options);
};

function addCreate(app: ApiServer, { services, catalog, address: server, runLarge }: RouteOptions): void {
  app.post("/records/:model", {
    // Validation costs as much as a search: it looks up terms, without a transaction or time of the writer thread.
    config: { ...config, effort: (request) => (isValidateOnly(request) ? "search" : undefined) },
    schema: {
      ...common,
      operationId: "createDraft",
      summary: "Create a draft, or only validate a body",
      description:
        "An invalid draft is saved too; its problems are listed in `errors`. With validate=only nothing is " +
        "created or stored, with or without an Idempotency-Key, and the scope records:read is sufficient.",
      params: ModelParams,
      querystring: CreateQuery.schema,
      body: DepositBody,
      response: {
        200: jsonAnswer(ref(RecordValidation), "With validate=only: the result of the validation."),
        201: jsonAnswer(ref(AnsweredRecord), "The draft.", { ...ETAG, ...LOCATION }),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { name } = requireModel(catalog, request.params.model);
      const warnings = readCreateParameters(request.query);
      if (isValidateOnly(request)) {
        const body = requireBody(request.body);
        const validate = () => services.validateRecord(request.actor, name, body);
        const result = await (isLarge(body) ? runLarge(request, reply, validate, body.length) : validate());
        return sendJson(reply.header("cache-control", PRIVATE), validationText(result, warnings));
      }
      const [body, conditions] = [requireBody(request.body), readConditions(request)];
      const create = () => services.createDraft(request.actor, name, body, conditions);
      const answer = await (isLarge(body) ? runLarge(request, reply, create, body.length) : create());
      const api = apiUrl(server);
      reply.code(201).header("location", recordLinks(api, answer.record).self);
      return sendWriteAnswer(request, reply, answer, api);
    },
  });
}

function addEdit(app: ApiServer, options: RouteOptions): void {
  app.post(DRAFT, {
    config: { ...config, access: "edit" },
    bodyLimit: LIMITS.shortBodyBytesMax,
    schema: {
      ...common,
      operationId: "editRecord",
      summary: "Edit a published record",
      description: "Opens a draft that is a copy of the record; publishing the draft replaces the record.",
      params: RecordParams,
      querystring: SingleQuery.schema,
      headers: IfMatchOnce,
      response: OPENED,
    },
    handler: (request, reply) => answerOpening(options, request, reply, options.services.editRecord),
  });
}

function addRead(app: ApiServer, { services, catalog, address: server, runLarge }: RouteOptions): void {
  app.get(DRAFT, {
    config: { ...config, isKept: true, isPersonal: true, produces: RECORD_TYPES },
    schema: {
      ...common,
      operationId: "readDraft",
      summary: "Read a draft",
      params: RecordParams,
      querystring: RecordQuery.schema,
      headers: IfNoneMatch,
      response: {
        200: jsonAnswer(ref(AnsweredRecord), "The draft.", ETAG),
        304: emptyAnswer("Not modified."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const address = requireRecordAddress(catalog, request.params, "DRAFT_NOT_FOUND");
      const single = readParameters(RecordQuery, request.query);
      const format = recordFormatOf(request.headers.accept, single.values);
      if (format !== undefined) {
        const { text } = await writeExport(runLarge, request, reply, (mayBeLarge) =>
          services.exportDraft(request.actor, address, { format: format.name, site: siteOf(server), mayBeLarge }),
        );
        return sendExport(request, reply.header("cache-control", PRIVATE), format, text);
      }
      const { isExpanded, hasChecks } = readExpand(single.values.expand);
      const check = (mayBeLarge: boolean) => services.readCheckedDraft(request.actor, address, { mayBeLarge });
      const { record, text: checks } = hasChecks
        ? await writeExport(runLarge, request, reply, check)
        : { record: await services.readDraft(request.actor, address), text: undefined };
      const { id, revision } = record;
      const body = recordAnswerText(apiUrl(server), record, { isExpanded, checks, warnings: single.warnings });
      return sendKeepable(request, reply, { body, revision, parts: [draftPart(id)] });
    },
  });
}

function addReplace(app: ApiServer, { services, catalog, address: server, runLarge }: RouteOptions): void {
  app.put(DRAFT, {
    config: { ...config, access: "replace" },
    schema: {
      ...common,
      operationId: "replaceDraft",
      summary: "Replace a draft",
      params: RecordParams,
      querystring: SingleQuery.schema,
      headers: IfMatch,
      body: DepositBody,
      response: { 200: jsonAnswer(ref(AnsweredRecord), "The changed draft.", ETAG), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = requireRecordAddress(catalog, request.params, "DRAFT_NOT_FOUND");
      readParameters(SingleQuery, request.query);
      const conditions = readConditions(request);
      const body = requireBody(request.body);
      const replace = () => services.replaceDraft(request.actor, address, body, conditions);
      const answer = await (isLarge(body) ? runLarge(request, reply, replace, body.length) : replace());
      return sendWriteAnswer(request, reply, answer, apiUrl(server));
    },
  });
}

function addDelete(app: ApiServer, { services, catalog }: RouteOptions): void {
  app.delete(DRAFT, {
    config: { ...config, access: "deleteDraft" },
    bodyLimit: LIMITS.shortBodyBytesMax,
    schema: {
      ...common,
      operationId: "deleteDraft",
      summary: "Delete a draft",
      description: "A published record with the same id is not deleted.",
      params: RecordParams,
      querystring: NoQuery.schema,
      headers: IfMatch,
      response: { 204: emptyAnswer("Deleted."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = requireRecordAddress(catalog, request.params, "DRAFT_NOT_FOUND");
      await services.deleteDraft(request.actor, address, readConditions(request));
      return reply.code(204).header("cache-control", PRIVATE).send();
    },
  });
}

function addPublish(app: ApiServer, { services, catalog, address: server }: RouteOptions): void {
  app.post(`${DRAFT}/actions/publish`, {
    config: { ...config, access: "publish" },
    bodyLimit: LIMITS.shortBodyBytesMax,
    schema: {
      ...common,
      operationId: "publishDraft",
      summary: "Publish a draft",
      description: "Only a draft without problems can be published; otherwise `errors` lists the problems.",
      params: RecordParams,
      querystring: SingleQuery.schema,
      headers: IfMatch,
      response: { 202: jsonAnswer(ref(AnsweredRecord), "The published record.", ETAG), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = requireRecordAddress(catalog, request.params, "DRAFT_NOT_FOUND");
      readParameters(SingleQuery, request.query);
      const conditions = readConditions(request);
      const answer = await services.publishDraft(request.actor, address, conditions);
      return sendWriteAnswer(request, reply.code(202), answer, apiUrl(server));
    },
  });
}

function addFiles(app: ApiServer, { services, catalog }: RouteOptions): void {
  app.get(`${DRAFT}/files`, {
    config,
    schema: {
      ...common,
      operationId: "listDraftFiles",
      summary: "List the files of a draft (always empty)",
      params: RecordParams,
      querystring: NoQuery.schema,
      response: { 200: jsonAnswer(ref(FileList), "An empty list."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = requireRecordAddress(catalog, request.params, "DRAFT_NOT_FOUND");
      await services.readDraft(request.actor, address);
      return sendJson(reply.header("cache-control", PRIVATE), EMPTY_FILES);
    },
  });
}

/** Opens a draft of a published record and answers with it: 201 if it is new, 200 if it was already open. */
export async function answerOpening(
  { catalog, address: server }: RouteOptions,
  request: FastifyRequest & { readonly params: Static<typeof RecordParams>; readonly query: Query },
  reply: FastifyReply,
  open: Services["editRecord"],
): Promise<FastifyReply> {
  const address = requireRecordAddress(catalog, request.params, "RECORD_NOT_FOUND");
  readParameters(SingleQuery, request.query);
  const answer = await open(request.actor, address, readConditions(request));
  const api = apiUrl(server);
  reply.code(answer.isNew ? 201 : 200).header("location", recordLinks(api, answer.record).self);
  return sendWriteAnswer(request, reply, answer, api);
}

/** Returns whether a body is so large that its caller waits for a turn. */
const isLarge = (body: SentBody): boolean => body.length > LARGE_RECORD_LENGTH;

/** Answers a write with the record and the warnings. */
function sendWriteAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { record, warnings }: RecordAnswer,
  api: string,
): FastifyReply {
  const { values, warnings: queryWarnings } = readParameters(SingleQuery, request.query as Query);
  reply.header("etag", formatETag(record.revision)).header("cache-control", PRIVATE);
  const added = { isExpanded: values.expand, warnings: [...queryWarnings, ...warnings] };
  return sendJson(reply, recordAnswerText(api, record, added));
}

/** Reads the parameters of a request that creates a draft. @returns the warnings. @throws PARAMETER_INVALID */
function readCreateParameters(query: Query): readonly Warning[] {
  const { values, sentTexts, warnings } = readParameters(CreateQuery, query);
  if (values.validate === undefined || !sentTexts.has("expand")) return warnings;
  const message = "expand has no effect with validate=only, which returns no record.";
  return [...warnings, { code: "PARAMETER_IGNORED", message, parameter: "expand" }];
}

/** Returns the JSON text of a validation, which always has both lists. @param queryWarnings about its parameters */
function validationText(result: ValidationResult, queryWarnings: readonly Warning[]): string {
  const { errors, warnings, metadata } = result;
  const json = JSON.stringify({ valid: errors.length === 0, errors, warnings: [...queryWarnings, ...warnings] });
  return withMember(json, "metadata", metadata);
}
