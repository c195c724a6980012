import { citationsPart, type PublicPart, recordsPart, termsPart } from "../../core/feed/feed.js";
import { sendPublic } from "../answers/reply.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { QueryTextQuery } from "../parameters/query-text-parameters.js";
import { ref } from "../schemas/components.js";
import { json, PROBLEMS } from "../schemas/responses.js";
import { modelOf, type Routes, vocabularyOf } from "./options.js";

/** How the text of a query is read, and completed: for fields in which people type one. */
export const queryTextRoutes: Routes = async (app, { services, catalog }) => {
  app.get("/query", {
    config: { effort: "search", isKept: true },
    schema: {
      operationId: "readQuery",
      summary: "Show how the text of a query is read, part by part, and complete it",
      description: "Any text is read. Hits are counted among published records, or the terms of the vocabulary.",
      tags: ["Records"],
      querystring: QueryTextQuery.schema,
      response: { 200: json(ref("QueryText"), "The text, part by part."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { values, warnings } = readParameters(QueryTextQuery, request.query);
      const { q, model, vocabulary, at, totals, lang } = values;
      if (model !== undefined) modelOf(catalog, model);
      if (vocabulary !== undefined) vocabularyOf(catalog, vocabulary);
      const { answer, isUnsettled } = await services.readQueryText({
        ...{ q, lang, totals: totals === undefined },
        ...(model === undefined ? {} : { model }),
        ...(vocabulary === undefined ? {} : { vocabulary }),
        ...(at === undefined ? {} : { at }),
      });
      const body = JSON.stringify({ ...answer, warnings: [...warnings, ...answer.warnings] });
      return sendPublic(request, reply, { body, parts: isUnsettled ? undefined : partsOf(model, vocabulary) });
    },
  });
};

/** What an answer is made of: hits, titles of terms, and the terms that are suggested, by how often they are cited. */
function partsOf(model: string | undefined, vocabulary: string | undefined): readonly PublicPart[] {
  return vocabulary === undefined
    ? [recordsPart(model), termsPart()]
    : [termsPart(vocabulary), citationsPart(vocabulary)];
}
