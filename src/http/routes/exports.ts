import type { Actor } from "../../core/actor.js";
import { pageUrl } from "../../core/citable/citable.js";
import { fail } from "../../core/errors.js";
import { EXCEL_FORMATS, RECORD_FORMATS } from "../../formats/records/formats.js";
import type { ExportAnswer } from "../../services/api/record-services.js";
import { withLinks } from "../answers/answer-text.js";
import { apiUrl, recordLinks, siteOf } from "../answers/links.js";
import { PUBLIC } from "../answers/reply.js";
import { sendExport, writeExport } from "../answers/send-export.js";
import { clip, readParameters } from "../parameters/parameter-reader.js";
import type { Query } from "../parameters/query-string.js";
import {
  chosenName,
  ExportParams,
  ExportQuery,
  type FormatChoice,
  RECORD_TYPES,
} from "../parameters/representation.js";
import { ANY_OBJECT, json, PROBLEMS } from "../schemas/responses.js";
import type { Routes } from "./options.js";

const JSON_FORMAT = { name: "json", mediaType: "application/json", extension: "json" };

const FORMATS: ReadonlyMap<string, typeof JSON_FORMAT> = new Map(
  [JSON_FORMAT, ...RECORD_FORMATS, ...EXCEL_FORMATS].map((format) => [format.name, format]),
);

/**
 * Returns the format of an export address.
 * @throws FORMAT_NOT_FOUND; PARAMETER_INVALID for a parameter of another format
 */
function exportFormat(name: string, { style, excel }: FormatChoice): typeof JSON_FORMAT {
  const chosen = FORMATS.has(name) ? chosenName(undefined, { format: name, style, excel }, undefined) : undefined;
  const format = chosen === undefined ? undefined : FORMATS.get(chosen);
  if (format !== undefined) return format;
  throw fail("FORMAT_NOT_FOUND", { format: clip(name), known: RECORD_FORMATS.map((each) => each.name) });
}

/** Records as files for other programs, at addresses of their own beside the page: /records/<id>/export/<format>. */
export const exportRoutes: Routes = async (app, { services, address, runLarge }) => {
  app.get("/records/:id/export/:format", {
    // The address names the format: a browser that follows a link to it takes whatever it is.
    config: { produces: [...RECORD_TYPES, "text/html"] },
    schema: {
      operationId: "exportRecord",
      summary: "Download a published record in a format",
      description: `The formats are json, ${RECORD_FORMATS.map(({ name }) => name).join(", ")}.`,
      tags: ["Records"],
      params: ExportParams,
      querystring: ExportQuery.schema,
      response: { 200: json(ANY_OBJECT, "The record."), ...PROBLEMS },
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
      // A parent id leads to whatever version is the latest by then.
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
