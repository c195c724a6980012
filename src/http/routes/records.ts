import type { FastifyReply, FastifyRequest } from "fastify";
import { apiUrl } from "../links.js";
import type { Query } from "../query-string.js";
import { PUBLIC, readSingle, recordText, sendJson, sendNotModified } from "../reply.js";
import { ref } from "../schemas/components.js";
import { IfNoneMatch, NoQuery, RecordParams, SingleQuery } from "../schemas/requests.js";
import { ETAG, empty, json, MOVED_TO_LATEST, PROBLEMS } from "../schemas/responses.js";
import { addressOf, type RouteOptions, type Routes } from "./options.js";

/** What `files` of a record or draft answers: this service holds none. */
export const NO_FILES = '{"enabled":false,"entries":[]}';

/** Answers with a published record, or 304. */
export async function sendRecord(
  { services, address }: RouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  target: { readonly model?: string; readonly id: string },
): Promise<FastifyReply> {
  const parameters = readSingle(request.query as Query);
  const record = await services.readRecord(request.actor, target);
  reply.header("cache-control", PUBLIC);
  // A parent id leads to whatever version is the latest by then.
  if (record.id !== target.id.toLowerCase()) {
    return reply
      .code(301)
      .header("location", `${apiUrl(address)}/records/${record.model}/${record.id}`)
      .send();
  }
  if (sendNotModified(request, reply, record.revision)) return reply;
  return sendJson(reply, recordText(apiUrl(address), record, parameters));
}

/** Published records, one by one. */
export const recordRoutes: Routes = async (app, options) => {
  const { services, catalog } = options;

  app.get("/records/:model/:id", {
    schema: {
      operationId: "readRecord",
      summary: "Read a published record",
      tags: ["Records"],
      params: RecordParams,
      querystring: SingleQuery,
      headers: IfNoneMatch,
      response: {
        200: json(ref("Record"), "The record.", ETAG),
        301: MOVED_TO_LATEST,
        304: empty("Not changed."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      return sendRecord(options, request, reply, addressOf(catalog, request.params, "RECORD_NOT_FOUND"));
    },
  });

  app.get("/records/:model/:id/files", {
    schema: {
      operationId: "listRecordFiles",
      summary: "The files of a published record: none",
      tags: ["Records"],
      params: RecordParams,
      querystring: NoQuery,
      response: { 200: json(ref("Files"), "Always the same."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      await services.readRecord(request.actor, addressOf(catalog, request.params, "RECORD_NOT_FOUND"));
      return sendJson(reply.header("cache-control", PUBLIC), NO_FILES);
    },
  });
};
