import { Type } from "typebox";
import type { Vocabulary } from "../../core/catalog/types.js";
import { citationsPart, type PublicPart, termsPart } from "../../core/feed/feed.js";
import { storedItem } from "../../core/terms/term-row.js";
import type { TermBody } from "../../core/terms/term-version.js";
import { SVG_TYPE } from "../../formats/structure-svg.js";
import type { TermsBelow } from "../../services/api/vocabulary-services.js";
import { makeTermFacets, type SearchedFacet } from "../../services/search/facets.js";
import { listText, withLinks, withWarnings } from "../answers/answer-text.js";
import { apiUrl, lookupUrl, siteOf, structureUrl, termUrl } from "../answers/links.js";
import { IMMUTABLE, PUBLIC, sendJson, sendPublic } from "../answers/reply.js";
import { sendExport } from "../answers/send-export.js";
import { sendPublicSearch } from "../answers/send-search.js";
import { singleTermText } from "../answers/term-text.js";
import { callerOf } from "../edge/request-context.js";
import { contentETag } from "../parameters/etag.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { TERM_TYPES, TermQuery, termFormatOf } from "../parameters/representation.js";
import { IfNoneMatch, NoQuery, StructureQuery, TermParams, VocabularyParams } from "../parameters/requests.js";
import { RESULT_TYPES, resultFormatOf } from "../parameters/result-format.js";
import { readTermSearch, TermSearchQuery } from "../parameters/search-parameters.js";
import { ref } from "../schemas/components.js";
import { CONTENT_ETAG, ETAG, empty, INDEX_BEHIND, json, LOCATION, PROBLEMS } from "../schemas/responses.js";
import { type ApiServer, countBelow, type RouteOptions, type Routes, termOf, vocabularyOf } from "./options.js";
import { sendResult } from "./send-result.js";

const TAGS = ["Vocabularies"];

/** Routes of vocabularies and their terms. */
export const vocabularyRoutes: Routes = async (app, options) => {
  addList(app, options);
  addSearch(app, options);
  addRead(app, options);
  addStructure(app, options);
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
        const live = vocabulary.lookup === undefined ? {} : { lookup: lookupUrl(apiUrl(address), vocabulary.id) };
        return withLinks(JSON.stringify(vocabulary), { self: url, items: url, ...live });
      });
      const frame = { sortBy: "id", links: { self }, warnings };
      return sendJson(reply.header("cache-control", PUBLIC), listText(hits, frame));
    },
  });
}

function addSearch(app: ApiServer, options: RouteOptions): void {
  const { answers, catalog, address } = options;
  const facetsOf = makeTermFacets(catalog);
  app.get("/vocabularies/:vocabulary", {
    config: { effort: "search", isKept: true, produces: RESULT_TYPES.terms },
    schema: {
      operationId: "searchTerms",
      summary: "Search or suggest terms of a vocabulary, or fetch terms by id",
      tags: TAGS,
      params: VocabularyParams,
      querystring: TermSearchQuery.schema,
      response: { 200: json(ref("TermSearch"), "One page of terms.", INDEX_BEHIND), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const vocabulary = vocabularyOf(catalog, request.params.vocabulary);
      const facets = facetsOf(vocabulary.name);
      const parameters = readTermSearch(request.query, vocabulary, facets);
      const format = resultFormatOf(request.headers.accept, parameters.result, "terms");
      if (format !== undefined) {
        const asked = { site: siteOf(address), parameters, format: format.name };
        const open = () => answers.openTermStream(request.actor, asked);
        return sendResult(options, request, reply, { format, name: vocabulary.name, open });
      }
      const asked = { api: apiUrl(address), path: `/vocabularies/${vocabulary.name}`, parameters };
      const body = await answers.answerTermSearch(request.actor, asked);
      return sendPublicSearch(request, reply, body, partsOf(vocabulary.name, facets));
    },
  });
}

function addRead(app: ApiServer, { services, catalog, address }: RouteOptions): void {
  app.get("/vocabularies/:vocabulary/:id", {
    config: { isKept: true, produces: TERM_TYPES },
    schema: {
      operationId: "readTerm",
      summary: "Read a term",
      tags: TAGS,
      params: TermParams,
      querystring: TermQuery.schema,
      headers: IfNoneMatch,
      response: {
        200: json(ref("Term"), "The term.", ETAG),
        301: empty("The id is an alias or was replaced; Location is the path of the current term.", LOCATION),
        304: empty("Not modified."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { vocabulary, address: asked } = termOf(catalog, request.params);
      const { vocabulary: name, id } = asked;
      const { values, warnings } = readParameters(TermQuery, request.query);
      const format = termFormatOf(request.headers.accept, values.format);
      const answer = await services.readTerm(name, id);
      if (answer.kind === "moved") {
        const to = termUrl(apiUrl(address), name, answer.to);
        const wanted = values.format === undefined ? to : `${to}?format=${values.format}`;
        reply.header("cache-control", PUBLIC).header("vary", "accept").header("location", wanted);
        return reply.code(301).send();
      }
      const { term } = answer;
      if (format !== undefined) {
        const document = await format.begin(vocabulary, siteOf(address));
        const text = document.writeOnly(storedItem<TermBody>(term));
        return sendExport(request, reply.header("cache-control", PUBLIC), format, text);
      }
      // An item without children needs no search.
      const below = answer.hasChildren ? await countBelow(services, vocabulary, id) : noneBelow(vocabulary);
      const shown = below === undefined ? answer : { ...answer, below };
      const body = withWarnings(singleTermText(apiUrl(address), vocabulary, shown), warnings);
      const isWhole = below !== undefined || !vocabulary.hierarchy;
      const parts = isWhole ? [termsPart(name), citationsPart(name)] : undefined;
      return sendPublic(request, reply, { body, revision: term.revision, isNegotiated: true, parts });
    },
  });
}

const noneBelow = ({ hierarchy }: Vocabulary): TermsBelow | undefined =>
  hierarchy ? { children: 0, all: 0 } : undefined;

function addStructure(app: ApiServer, { services, catalog, address }: RouteOptions): void {
  app.get("/vocabularies/:vocabulary/:id/structure.svg", {
    config: { effort: "search", waitsElsewhere: true, isKept: true, produces: [SVG_TYPE] },
    schema: {
      operationId: "drawStructure",
      summary: "Draw the structure of a compound",
      description: "Terms that have one link to it: `links.structure`.",
      tags: TAGS,
      params: TermParams,
      querystring: StructureQuery.schema,
      headers: IfNoneMatch,
      response: {
        200: { description: "The picture.", content: { [SVG_TYPE]: { schema: Type.String() } }, headers: CONTENT_ETAG },
        301: empty("The id is an alias or was replaced; Location is the picture of the current term.", LOCATION),
        304: empty("Not modified."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { vocabulary: name, id } = termOf(catalog, request.params).address;
      const { v } = readParameters(StructureQuery, request.query).values;
      const answer = await services.drawStructure(name, id, callerOf(request));
      if (answer.kind === "moved") {
        const to = structureUrl(termUrl(apiUrl(address), name, answer.to));
        return reply.code(301).header("cache-control", PUBLIC).header("location", to).send();
      }
      const { svg, revision } = answer;
      const headers = { "content-type": SVG_TYPE, "cache-control": v === revision ? IMMUTABLE : PUBLIC };
      return sendPublic(request, reply, { body: svg, headers, etag: contentETag(svg), parts: [termsPart(name)] });
    },
  });
}

/** What a search of terms is made of: also the labels of facets, and the order by citations. */
function partsOf(name: string, facets: readonly SearchedFacet[]): readonly PublicPart[] {
  const cited = facets.flatMap(({ vocabularies }) => vocabularies);
  return [termsPart(name), citationsPart(name), ...cited.map((vocabulary) => termsPart(vocabulary))];
}
