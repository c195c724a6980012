import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../core/actor.js";
import { ref } from "../../core/answer.js";
import { AnsweredRecord, FileList, RecordPage } from "../../core/answers/records.js";
import { pageUrl } from "../../core/citable/citable.js";
import { fail } from "../../core/errors.js";
import { recordPart } from "../../core/feed/feed.js";
import { LIMITS } from "../../core/limits.js";
import type { StoredRecord } from "../../core/record.js";
import { EXCEL_FORMATS, RECORD_FORMATS } from "../../formats/records/formats.js";
import type { ExportAnswer } from "../../services/api/records.js";
import { searchText, withLinks } from "../answers/answer-text.js";
import { apiUrl, listPageLinks, recordLinks, siteOf } from "../answers/links.js";
import {
  PRIVATE,
  PUBLIC,
  recordAnswerText,
  sendExport,
  sendJson,
  sendKeepable,
  writeExport,
} from "../answers/reply.js";
import { ListQuery } from "../parameters/list-parameters.js";
import { clip, readParameters } from "../parameters/parameter-reader.js";
import {
  ExportParams,
  ExportQuery,
  type FormatChoice,
  formatName,
  RECORD_TYPES,
  RecordQuery,
  recordFormatOf,
} from "../parameters/representation.js";
import { readConditions } from "../parameters/request-headers.js";
import {
  IfMatch,
  IfMatchOnce,
  IfNoneMatch,
  NoQuery,
  RecordParams,
  RemovalBody,
  readExpand,
  SingleQuery,
} from "../parameters/requests.js";
import type { Query } from "../parameters/url-encoding.js";
import {
  ANY_OBJECT,
  ETAG,
  emptyAnswer,
  jsonAnswer,
  MOVED_TO_LATEST,
  NEEDS_TOKEN,
  OPENED,
  PROBLEMS,
} from "../schemas/responses.js";
import { answerOpening } from "./drafts.js";
import { type ApiServer, type RouteOptions, type Routes, requireRecordAddress } from "./options.js";

/** JSON of the list of files of a record or draft, which is always empty. */
export const EMPTY_FILES = JSON.stringify({ enabled: false, entries: [] });

const RECORD = "/records/:model/:id";

/** Routes of single published records. */
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
        200: jsonAnswer(ref(AnsweredRecord), "The record.", ETAG),
        301: MOVED_TO_LATEST,
        304: emptyAnswer("Not modified."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      return sendRecord(
        options,
        request,
        reply,
        requireRecordAddress(options.catalog, request.params, "RECORD_NOT_FOUND"),
      );
    },
  });
}

/** Answers with a published record, or 304 if the client has it. */
async function sendRecord(
  { services, address, runLarge }: RouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  target: { readonly model?: string | undefined; readonly id: string },
): Promise<FastifyReply> {
  const parameters = readParameters(RecordQuery, request.query as Query);
  const format = recordFormatOf(request.headers.accept, parameters.values);
  if (format !== undefined) {
    const { record, text } = await writeExport(runLarge, request, reply, (mayBeLarge) =>
      services.exportRecord(request.actor, target, { format: format.name, site: siteOf(address), mayBeLarge }),
    );
    if (record.id !== target.id.toLowerCase()) return sendToLatest(reply, apiUrl(address), record);
    return sendExport(request, reply.header("cache-control", PUBLIC), format, text);
  }
  const { isExpanded, hasChecks } = readExpand(parameters.values.expand);
  const check = (mayBeLarge: boolean) => services.readCheckedRecord(request.actor, target, { mayBeLarge });
  const { record, text: checks } = hasChecks
    ? await writeExport(runLarge, request, reply, check)
    : { record: await services.readRecord(request.actor, target), text: undefined };
  // A parent id is redirected to the latest version.
  if (record.id !== target.id.toLowerCase()) {
    return sendToLatest(reply.header("vary", "accept"), apiUrl(address), record);
  }
  const body = recordAnswerText(apiUrl(address), record, { isExpanded, checks, warnings: parameters.warnings });
  const { revision } = record;
  return sendKeepable(request, reply, { body, revision, isNegotiated: true, parts: [recordPart(record.id)] });
}

function sendToLatest(
  reply: FastifyReply,
  api: string,
  { model, id }: Pick<StoredRecord, "model" | "id">,
): FastifyReply {
  return reply.code(301).header("cache-control", PUBLIC).header("location", `${api}/records/${model}/${id}`).send();
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
      response: { 204: emptyAnswer("Retracted."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = requireRecordAddress(catalog, request.params, "RECORD_NOT_FOUND");
      await services.retractRecord(request.actor, address, request.body, readConditions(request));
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
      response: { 200: jsonAnswer(ref(FileList), "An empty list."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      await services.readRecord(request.actor, requireRecordAddress(catalog, request.params, "RECORD_NOT_FOUND"));
      return sendJson(reply.header("cache-control", PUBLIC), EMPTY_FILES);
    },
  });
}

const JSON_FORMAT = { name: "json", mediaType: "application/json", extension: "json" };

const FORMATS: ReadonlyMap<string, typeof JSON_FORMAT> = new Map(
  [JSON_FORMAT, ...RECORD_FORMATS, ...EXCEL_FORMATS].map((format) => [format.name, format]),
);

/**
 * Returns the format of an export.
 * @throws FORMAT_NOT_FOUND; PARAMETER_INVALID for a parameter of another format
 */
function exportFormat(name: string, { style, excel }: FormatChoice): typeof JSON_FORMAT {
  const fullName = FORMATS.has(name) ? formatName(undefined, { format: name, style, excel }, undefined) : undefined;
  const format = fullName === undefined ? undefined : FORMATS.get(fullName);
  if (format !== undefined) return format;
  throw fail("FORMAT_NOT_FOUND", { format: clip(name), known: RECORD_FORMATS.map((each) => each.name) });
}

/** Route that exports records as files. It is outside the API, next to their pages: /records/<id>/export/<format>. */
export const exportRoutes: Routes = async (app, { services, address, runLarge }) => {
  app.get("/records/:id/export/:format", {
    // The path names the format, so a browser that follows a link gets it although it accepts only text/html.
    config: { produces: [...RECORD_TYPES, "text/html"] },
    schema: {
      operationId: "exportRecord",
      summary: "Download a published record in a format",
      description: `The formats are json, ${RECORD_FORMATS.map(({ name }) => name).join(", ")}.`,
      tags: ["Records"],
      params: ExportParams,
      querystring: ExportQuery.schema,
      response: {
        200: jsonAnswer(ANY_OBJECT, "The record."),
        302: MOVED_TO_LATEST,
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const { values } = readParameters(ExportQuery, request.query as Query);
      if (clip(id) !== id) throw fail("RECORD_NOT_FOUND", { id: clip(id) });
      const format = exportFormat(request.params.format, values);
      const site = siteOf(address);
      const { record, text } =
        format === JSON_FORMAT
          ? await readJson(request.actor, id)
          : await writeExport(runLarge, request, reply, (mayBeLarge) =>
              services.exportRecord(request.actor, { id }, { format: format.name, site, mayBeLarge }),
            );
      const page = pageUrl(site, record);
      reply.header("cache-control", PUBLIC);
      // A parent id is redirected to the latest version.
      if (record.id !== id.toLowerCase()) {
        return reply.code(302).header("location", `${page}/export/${format.name}`).send();
      }
      reply.header("link", `<${page}>; rel="describes"; type="text/html"`);
      reply.header("content-disposition", `attachment; filename="${record.id}.${format.extension}"`);
      return sendExport(request, reply, format, text);
    },
  });

  async function readJson(actor: Actor, id: string): Promise<Required<Pick<ExportAnswer, "record" | "text">>> {
    const record = await services.readRecord(actor, { id });
    return { record, text: withLinks(record.json, recordLinks(apiUrl(address), record)) };
  }
};

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
      response: { 200: jsonAnswer(ref(RecordPage), "One page of records."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const address = requireRecordAddress(catalog, request.params, "RECORD_NOT_FOUND");
      const { values: window, warnings } = readParameters(ListQuery, request.query);
      const result = await services.listVersions(request.actor, address, window);
      const api = apiUrl(server);
      const hits = result.hits.map((record) => withLinks(record.json, recordLinks(api, record)));
      const url = `${api}/records/${address.model}/${address.id.toLowerCase()}/versions`;
      const links = listPageLinks(url, window, result);
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
