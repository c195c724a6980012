import { listText } from "../answers/answer-text.js";
import { apiUrl, pageLinks, termUrl } from "../answers/links.js";
import { PRIVATE, sendJson } from "../answers/reply.js";
import { PageQuery } from "../parameters/page-parameters.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { TermParams } from "../parameters/requests.js";
import { ref } from "../schemas/components.js";
import { json, NEEDS_TOKEN, PROBLEMS } from "../schemas/responses.js";
import { type Routes, termOf } from "./options.js";

/** How items of vocabularies changed, for curators. */
export const termHistoryRoutes: Routes = async (app, { services, catalog, address: server }) => {
  app.get("/vocabularies/:vocabulary/:id/history", {
    config: { needsToken: true },
    schema: {
      operationId: "readTermHistory",
      summary: "List the changes of a term, newest first",
      description:
        "For curators and admins: it names users. What an import adds has no entry, and what was before this version " +
        "of Bindery has none either. A term that was deleted keeps its history.",
      tags: ["Vocabularies"],
      security: NEEDS_TOKEN,
      params: TermParams,
      querystring: PageQuery.schema,
      response: { 200: json(ref("TermHistory"), "One page of changes."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { address } = termOf(catalog, request.params);
      const { values: window, warnings } = readParameters(PageQuery, request.query);
      const { entries, total } = await services.readTermHistory(request.actor, address, window);
      const hits = entries.map(({ revision, fields, ...entry }) =>
        JSON.stringify({ revision_id: revision, ...entry, fields }),
      );
      const links = pageLinks(`${termUrl(apiUrl(server), address.vocabulary, address.id)}/history`, window, { total });
      const frame = { total, page: window.page, sortBy: "newest", links, warnings };
      return sendJson(reply.header("cache-control", PRIVATE), listText(hits, frame));
    },
  });
};
