import type { FastifyReply } from "fastify";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { SearchAnswer, TermHit } from "../../services/api/search-services.js";
import { makeTermFacets } from "../../services/search/facets.js";
import {
  type Links,
  listText,
  searchText,
  withHighlight,
  withLinks,
  withMember,
  withWarnings,
} from "../answers/answer-text.js";
import { apiUrl, termUrl } from "../answers/links.js";
import { PUBLIC, sendJson, sendNotModified, termText } from "../answers/reply.js";
import { searchLinks } from "../answers/search-links.js";
import { clip, readParameters } from "../parameters/parameter-reader.js";
import { IfNoneMatch, NoQuery, TermParams, VocabularyParams } from "../parameters/requests.js";
import { readTermSearch, type TermSearchParameters, TermSearchQuery } from "../parameters/search-parameters.js";
import { ref } from "../schemas/components.js";
import { ETAG, empty, json, LOCATION, PROBLEMS } from "../schemas/responses.js";
import { type ApiServer, type RouteOptions, type Routes, vocabularyOf } from "./options.js";

const TAGS = ["Vocabularies"];

/** C6 and C7: vocabularies and their items. */
export const vocabularyRoutes: Routes = async (app, options) => {
  addList(app, options);
  addSearch(app, options);
  addRead(app, options);
};

function addList(app: ApiServer, { services, address }: RouteOptions): void {
  app.get("/vocabularies", {
    schema: {
      operationId: "listVocabularies",
      summary: "List the vocabularies with the number of their terms",
      tags: TAGS,
      querystring: NoQuery.schema,
      response: { 200: json(ref("VocabularyList"), "All of them."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { warnings } = readParameters(NoQuery, request.query);
      const vocabularies = await services.listVocabularies();
      const self = `${apiUrl(address)}/vocabularies`;
      const hits = vocabularies.map((vocabulary) => {
        const url = `${self}/${vocabulary.id}`;
        return withLinks(JSON.stringify(vocabulary), { self: url, items: url });
      });
      const frame = { sortBy: "id", links: { self }, warnings };
      return sendJson(reply.header("cache-control", PUBLIC), listText(hits, frame));
    },
  });
}

function addSearch(app: ApiServer, { services, catalog, address }: RouteOptions): void {
  const facetsOf = makeTermFacets(catalog);
  app.get("/vocabularies/:vocabulary", {
    config: { effort: "search" },
    schema: {
      operationId: "searchTerms",
      summary: "Search or suggest terms of a vocabulary, or fetch terms by id",
      tags: TAGS,
      params: VocabularyParams,
      querystring: TermSearchQuery.schema,
      response: { 200: json(ref("TermSearch"), "One page of terms."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const vocabulary = vocabularyOf(catalog, request.params.vocabulary);
      const parameters = readTermSearch(request.query, vocabulary, facetsOf(vocabulary.name));
      const { ids, request: asked } = parameters;
      const found =
        ids === undefined
          ? await services.searchTerms(request.actor, asked)
          : await services.fetchTerms(asked.vocabulary, ids);
      return sendItems(reply, { found, parameters, api: apiUrl(address) });
    },
  });
}

function addRead(app: ApiServer, { services, catalog, address }: RouteOptions): void {
  app.get("/vocabularies/:vocabulary/:id", {
    schema: {
      operationId: "readTerm",
      summary: "Read a term",
      tags: TAGS,
      params: TermParams,
      querystring: NoQuery.schema,
      headers: IfNoneMatch,
      response: {
        200: json(ref("Term"), "The term.", ETAG),
        301: empty("The id is an alias or was replaced; Location is the path of the current term.", LOCATION),
        304: empty("Not modified."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { name } = vocabularyOf(catalog, request.params.vocabulary);
      const { id } = request.params;
      if (id.length > LIMITS.termIdLengthMax) throw fail("TERM_NOT_FOUND", { vocabulary: name, id: clip(id) });
      const { warnings } = readParameters(NoQuery, request.query);
      const answer = await services.readTerm(name, id);
      reply.header("cache-control", PUBLIC);
      if (answer.kind === "moved") {
        return reply
          .code(301)
          .header("location", termUrl(apiUrl(address), name, answer.to))
          .send();
      }
      if (sendNotModified(request, reply, answer.term.revision)) return reply;
      return sendJson(reply, withWarnings(termText(apiUrl(address), answer), warnings));
    },
  });
}

interface Items {
  readonly found: SearchAnswer<TermHit>;
  readonly parameters: TermSearchParameters;
  readonly api: string;
}

function sendItems(reply: FastifyReply, items: Items): FastifyReply {
  const { found, parameters, api } = items;
  const { vocabulary } = parameters.request;
  const hits = found.hits.map(({ id, json: text, matched, highlight }) => {
    const linked = withHighlight(withLinks(text, { self: termUrl(api, vocabulary, id) }), highlight);
    return matched === undefined ? linked : withMember(linked, "matched", JSON.stringify(matched));
  });
  const links = linksOf(items);
  const said = found.warnings.map((warning) =>
    warning.parameter === "size" ? { ...warning, parameter: parameters.sizeName } : warning,
  );
  const warnings = [...parameters.warnings, ...said];
  reply.header("cache-control", PUBLIC);
  return sendJson(reply, searchText(hits, { ...found, page: parameters.request.window.page, links, warnings }));
}

function linksOf({ found, parameters, api }: Items): Links {
  const url = `${api}/vocabularies/${parameters.request.vocabulary}`;
  if (parameters.ids === undefined) return searchLinks({ ...found, url, parameters });
  // Items by id are one page, whatever page, size and sort say; the link repeats what was said.
  const { sort = "title", window } = parameters.request;
  const { self } = searchLinks({ url, parameters, size: window.size, sortBy: sort, total: 0 });
  return { self: self! };
}
