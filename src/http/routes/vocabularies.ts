import { Type } from "typebox";
import { ref } from "../../core/answer.js";
import {
  Term,
  type TermChange,
  TermHistory,
  TermLookup,
  TermPage,
  type TermsBelow,
  VocabularyList,
} from "../../core/answers/term-answers.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { citationsPart, type DataPart, termsPart } from "../../core/feed/feed.js";
import { LIMITS } from "../../core/limits.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import type { TermBody } from "../../core/terms/term-version.js";
import { SVG_TYPE } from "../../formats/structure-svg.js";
import type { LookupAnswer, LookupHit } from "../../services/api/vocabularies.js";
import { makeTermFacets, type SearchedFacet } from "../../services/search/facets.js";
import {
  listText,
  searchText,
  singleTermText,
  termText,
  withLinks,
  withMember,
  withWarnings,
} from "../answers/answer-text.js";
import { apiUrl, listPageLinks, lookupLinks, lookupUrl, siteOf, structureUrl, termUrl } from "../answers/links.js";
import { IMMUTABLE, PRIVATE, PUBLIC, sendExport, sendJson, sendKeepable, sendSearch } from "../answers/reply.js";
import { callerOf } from "../edge/request-context.js";
import { PageQuery } from "../parameters/list-parameters.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { TERM_TYPES, TermQuery, termFormatOf } from "../parameters/representation.js";
import { contentETag } from "../parameters/request-headers.js";
import {
  IfNoneMatch,
  LookupQuery,
  NoQuery,
  StructureQuery,
  TermParams,
  VocabularyParams,
} from "../parameters/requests.js";
import { RESULT_TYPES, resultFormatOf } from "../parameters/result-format.js";
import { readTermSearch, TermSearchQuery } from "../parameters/search-parameters.js";
import {
  CONTENT_ETAG,
  ETAG,
  emptyAnswer,
  INDEX_BEHIND,
  jsonAnswer,
  LOCATION,
  NEEDS_TOKEN,
  PROBLEMS,
} from "../schemas/responses.js";
import {
  type ApiServer,
  countTermsBelow,
  type RouteOptions,
  type Routes,
  requireTermAddress,
  requireVocabulary,
} from "./options.js";
import { requestOrigin, sendResult } from "./send-result.js";

const TAGS = ["Vocabularies"];

/** Routes that read vocabularies and their terms. */
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
      response: { 200: jsonAnswer(ref(VocabularyList), "All of them."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { warnings } = readParameters(NoQuery, request.query);
      const vocabularies = await services.listVocabularies();
      const self = `${apiUrl(address)}/vocabularies`;
      const hits = vocabularies.map((vocabulary) => {
        const url = `${self}/${vocabulary.id}`;
        const lookup = vocabulary.lookup === undefined ? {} : { lookup: lookupUrl(apiUrl(address), vocabulary.id) };
        return withLinks(JSON.stringify(vocabulary), { self: url, items: url, ...lookup });
      });
      const frame = { sortBy: "id", links: { self }, warnings };
      return sendJson(reply.header("cache-control", PUBLIC), listText(hits, frame));
    },
  });
}

function addSearch(app: ApiServer, options: RouteOptions): void {
  const { answers, catalog, address } = options;
  const getFacets = makeTermFacets(catalog);
  app.get("/vocabularies/:vocabulary", {
    config: { effort: "search", isKept: true, produces: RESULT_TYPES.terms },
    schema: {
      operationId: "searchTerms",
      summary: "Search or suggest terms of a vocabulary, or fetch terms by id",
      tags: TAGS,
      params: VocabularyParams,
      querystring: TermSearchQuery.schema,
      response: { 200: jsonAnswer(ref(TermPage), "One page of terms.", INDEX_BEHIND), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const vocabulary = requireVocabulary(catalog, request.params.vocabulary);
      const facets = getFacets(vocabulary.name);
      const parameters = readTermSearch(request.query, vocabulary, facets);
      const format = resultFormatOf(request.headers.accept, parameters.result, "terms");
      if (format !== undefined) {
        const call = { ...requestOrigin(request, address), parameters, format: format.name };
        const open = () => answers.openTermStream(request.actor, call);
        return sendResult(options, request, reply, { format, name: vocabulary.name, open });
      }
      const path = `/vocabularies/${vocabulary.name}`;
      const body = await answers.answerTermSearch(request.actor, { api: apiUrl(address), path, parameters });
      return sendSearch(request, reply, body, searchParts(vocabulary.name, facets));
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
        200: jsonAnswer(ref(Term), "The term.", ETAG),
        301: emptyAnswer("The id is an alias or was replaced; Location is the path of the current term.", LOCATION),
        304: emptyAnswer("Not modified."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { vocabulary, address: termAddress } = requireTermAddress(catalog, request.params);
      const { vocabulary: name, id } = termAddress;
      const { values, warnings } = readParameters(TermQuery, request.query);
      const format = termFormatOf(request.headers.accept, values.format);
      const answer = await services.readTerm(name, id);
      if (answer.kind === "moved") {
        const url = termUrl(apiUrl(address), name, answer.to);
        const location = values.format === undefined ? url : `${url}?format=${values.format}`;
        reply.header("cache-control", PUBLIC).header("vary", "accept").header("location", location);
        return reply.code(301).send();
      }
      const { term } = answer;
      if (format !== undefined) {
        const document = await format.begin(vocabulary, siteOf(address));
        const text = document.writeOnly(parseStoredTerm<TermBody>(term));
        return sendExport(request, reply.header("cache-control", PUBLIC), format, text);
      }
      // A term without children needs no count.
      const below = answer.hasChildren ? await countTermsBelow(services, vocabulary, id) : noTermsBelow(vocabulary);
      const body = withWarnings(singleTermText(apiUrl(address), vocabulary, { ...answer, below }), warnings);
      const isComplete = below !== undefined || !vocabulary.hierarchy;
      const parts = isComplete ? [termsPart(name), citationsPart(name)] : undefined;
      return sendKeepable(request, reply, { body, revision: term.revision, isNegotiated: true, parts });
    },
  });
}

const noTermsBelow = ({ hierarchy }: Vocabulary): TermsBelow | undefined =>
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
        301: emptyAnswer("The id is an alias or was replaced; Location is the picture of the current term.", LOCATION),
        304: emptyAnswer("Not modified."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { vocabulary: name, id } = requireTermAddress(catalog, request.params).address;
      const { v } = readParameters(StructureQuery, request.query).values;
      const answer = await services.drawStructure(name, id, callerOf(request), v);
      if (answer.kind === "moved") {
        const to = structureUrl(termUrl(apiUrl(address), name, answer.to));
        return reply.code(301).header("cache-control", PUBLIC).header("location", to).send();
      }
      const { svg, revision } = answer;
      const headers = { "content-type": SVG_TYPE, "cache-control": v === revision ? IMMUTABLE : PUBLIC };
      return sendKeepable(request, reply, { body: svg, headers, etag: contentETag(svg), parts: [termsPart(name)] });
    },
  });
}

/** Returns the public data of a search of terms, which include labels of facets and the order by citations. */
function searchParts(name: string, facets: readonly SearchedFacet[]): readonly DataPart[] {
  const facetVocabularies = facets.flatMap(({ vocabularies }) => vocabularies);
  return [termsPart(name), citationsPart(name), ...facetVocabularies.map((vocabulary) => termsPart(vocabulary))];
}

/** Route of the history of a term, for curators. */
export const termHistoryRoutes: Routes = async (app, { services, catalog, address: server }) => {
  app.get("/vocabularies/:vocabulary/:id/history", {
    config: { needsToken: true },
    schema: {
      operationId: "readTermHistory",
      summary: "List the changes of a term, newest first",
      description:
        "For curators and admins, because it names users. A term that an import adds has no entry for that, and " +
        "changes before this version of Bindery have none. A deleted term keeps its history.",
      tags: ["Vocabularies"],
      security: NEEDS_TOKEN,
      params: TermParams,
      querystring: PageQuery.schema,
      response: { 200: jsonAnswer(ref(TermHistory), "One page of changes."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { address } = requireTermAddress(catalog, request.params);
      const { values: window, warnings } = readParameters(PageQuery, request.query);
      const { entries, total } = await services.readTermHistory(request.actor, address, window);
      const changes = entries.map(({ revision, ...entry }): TermChange => ({ revision_id: revision, ...entry }));
      const hits = changes.map((change) => JSON.stringify(change));
      const links = listPageLinks(`${termUrl(apiUrl(server), address.vocabulary, address.id)}/history`, window, {
        total,
      });
      const frame = { total, page: window.page, sortBy: "newest", links, warnings };
      return sendJson(reply.header("cache-control", PRIVATE), listText(hits, frame));
    },
  });
};

/** Route that searches the authority of a vocabulary. It needs a token because authorities limit requests. */
export const lookupRoutes: Routes = async (app, { services, catalog, address }) => {
  app.get("/vocabularies/:vocabulary/lookup", {
    config: { needsToken: true, effort: "search" },
    schema: {
      operationId: "lookUpTerms",
      summary: "Search the authority of a vocabulary itself",
      description:
        "For vocabularies with `lookup` in the list of vocabularies; for others, 404. The authority reads `q` by its " +
        `own rules and orders the hits; a page has at most ${LIMITS.lookupPageSize}. Hits are not added to the ` +
        "vocabulary: a term is added when a record that cites it is saved. 503 if the authority is unavailable.",
      tags: ["Vocabularies"],
      security: NEEDS_TOKEN,
      params: VocabularyParams,
      querystring: LookupQuery.schema,
      response: { 200: jsonAnswer(ref(TermLookup), "One page of hits of the authority."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const vocabulary = requireVocabulary(catalog, request.params.vocabulary);
      const { values, warnings } = readParameters(LookupQuery, request.query);
      const { q, page } = values;
      const result = await services.searchAuthority(request.actor, vocabulary.name, { q, page });
      const api = apiUrl(address);
      const hits = result.hits.map((hit) => lookupHitText(api, vocabulary, result.authority, hit));
      const links = lookupLinks(lookupUrl(api, vocabulary.name), { q, page, total: result.total });
      const body = searchText(hits, {
        total: result.total,
        sortBy: "bestmatch",
        page,
        links,
        query: { parsed: q, fallback: false },
        warnings: [...warnings, ...result.warnings],
      });
      return sendJson(reply.header("cache-control", PRIVATE), body);
    },
  });
  // Without this, the routes of a term would take `lookup` as an id.
  app.route({
    method: ["PUT", "PATCH", "DELETE"],
    url: "/vocabularies/:vocabulary/lookup",
    config: { isRefused: true },
    schema: { hide: true },
    handler: ({ method }) => {
      throw fail("METHOD_NOT_ALLOWED", { method, allowed: ["GET", "HEAD"] });
    },
  });
};

/** Returns the JSON text of a hit: a loaded term in its local state, any other one with the data of the authority. */
function lookupHitText(
  api: string,
  vocabulary: Vocabulary,
  authority: LookupAnswer["authority"],
  hit: LookupHit,
): string {
  const source = JSON.stringify({ authority, loaded: hit.isLoaded });
  if (hit.isLoaded) return termText(api, vocabulary, hit.term, withMember(hit.term.json, "source", source));
  const { id, title, props, synonyms, status, replaced_by } = hit.content;
  const term = { id, type: vocabulary.name, title, props, synonyms, replaced_by };
  const json = JSON.stringify(status === "active" ? term : { ...term, status });
  return withLinks(withMember(json, "source", source), {});
}
