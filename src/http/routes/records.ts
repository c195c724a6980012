import type { FastifyReply, FastifyRequest } from "fastify";
import { recordPart } from "../../core/feed/feed.js";
import { LIMITS } from "../../core/limits.js";
import type { StoredRecord } from "../../core/record.js";
import { apiUrl, siteOf } from "../answers/links.js";
import { PRIVATE, PUBLIC, recordText, sendJson, sendPublic } from "../answers/reply.js";
import { sendExport, writeExport } from "../answers/send-export.js";
import { readParameters } from "../parameters/parameter-reader.js";
import type { Query } from "../parameters/query-string.js";
import { formatOf, RECORD_TYPES, RecordQuery } from "../parameters/representation.js";
import { IfMatch, IfNoneMatch, NoQuery, RecordParams, RemovalBody } from "../parameters/requests.js";
import { conditionsOf } from "../parameters/write-conditions.js";
import { ref } from "../schemas/components.js";
import { ETAG, empty, json, MOVED_TO_LATEST, NEEDS_TOKEN, PROBLEMS } from "../schemas/responses.js";
import { type ApiServer, addressOf, type RouteOptions, type Routes } from "./options.js";

/** The list of the files of a record or draft. */
export const EMPTY_FILES = JSON.stringify({ enabled: false, entries: [] });

/** Answers with a published record, or 304. */
async function sendRecord(
  { services, address, runLarge }: RouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  target: { readonly model?: string; readonly id: string },
): Promise<FastifyReply> {
  const parameters = readParameters(RecordQuery, request.query as Query);
  const format = formatOf(request.headers.accept, parameters.values);
  if (format !== undefined) {
    const { record, text } = await writeExport(runLarge, request, reply, (mayBeLarge) =>
      services.exportRecord(request.actor, target, { format: format.name, site: siteOf(address), mayBeLarge }),
    );
    if (record.id !== target.id.toLowerCase()) return sendToLatest(reply, apiUrl(address), record);
    return sendExport(request, reply.header("cache-control", PUBLIC), format, text);
  }
  const record = await services.readRecord(request.actor, target);
  // A parent id leads to whatever version is the latest by then.
  if (record.id !== target.id.toLowerCase()) {
    return sendToLatest(reply.header("vary", "accept"), apiUrl(address), record);
  }
  const body = recordText(apiUrl(address), record, parameters);
  const { revision } = record;
  return sendPublic(request, reply, { body, revision, isNegotiated: true, parts: [recordPart(record.id)] });
}

function sendToLatest(
  reply: FastifyReply,
  api: string,
  { model, id }: Pick<StoredRecord, "model" | "id">,
): FastifyReply {
  return reply.code(301).header("cache-control", PUBLIC).header("location", `${api}/records/${model}/${id}`).send();
}

const RECORD = "/records/:model/:id";

/** Published records, one by one. */
export const recordRoutes: Routes = async (app, options) => {
  addRead(app, options);
  addRetract(app, options);
  addFiles(app, options);
};

function addRead(app: ApiServer, options: RouteOptions): void {
  app.get(RECORD, {
    config: { produces: RECORD_TYPES, isKept: true },
    schema: {
      operationId: "readRecord",
      summary: "Read a published record",
      tags: ["Records"],
      params: RecordParams,
      querystring: RecordQuery.schema,
      headers: IfNoneMatch,
      response: {
        200: json(ref("Record"), "The record.", ETAG),
        301: MOVED_TO_LATEST,
        304: empty("Not modified."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      return sendRecord(options, request, reply, addressOf(options.catalog, request.params, "RECORD_NOT_FOUND"));
    },
  });
}

function addRetract(app: ApiServer, { services, catalog }: RouteOptions): void {
  app.delete(RECORD, {
    config: { needsToken: true, access: "retract" },
    bodyLimit: LIMITS.shortBodyBytesMax,
    schema: {
      operationId: "retractRecord",
      summary: "Retract a published record",
      description: "Cannot be undone. Afterwards every path of the record returns 410 with a tombstone.",
      tags: ["Deposit"],
      security: NEEDS_TOKEN,
      params: RecordParams,
      querystring: NoQuery.schema,
      headers: IfMatch,
      body: RemovalBody,
      response: { 204: empty("Retracted."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = addressOf(catalog, request.params, "RECORD_NOT_FOUND");
      await services.retractRecord(request.actor, address, request.body, conditionsOf(request));
      return reply.code(204).header("cache-control", PRIVATE).send();
    },
  });
}

function addFiles(app: ApiServer, { services, catalog }: RouteOptions): void {
  app.get(`${RECORD}/files`, {
    schema: {
      operationId: "listRecordFiles",
      summary: "List the files of a published record (always empty)",
      tags: ["Records"],
      params: RecordParams,
      querystring: NoQuery.schema,
      response: { 200: json(ref("Files"), "An empty list."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      await services.readRecord(request.actor, addressOf(catalog, request.params, "RECORD_NOT_FOUND"));
      return sendJson(reply.header("cache-control", PUBLIC), EMPTY_FILES);
    },
  });
}
