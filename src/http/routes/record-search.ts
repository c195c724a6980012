import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { ref } from "../../core/answer.js";
import { Molecule } from "../../core/answers/molecule-answers.js";
import { AnsweredRecord, RecordPage } from "../../core/answers/records.js";
import { fail } from "../../core/errors.js";
import { draftsPart, recordsPart, termsPart } from "../../core/feed/feed.js";
import type { RecordSearchRequest } from "../../services/api/searches.js";
import type { TermAddress } from "../../services/api/vocabularies.js";
import { makeRecordFacets, type RecordFacets } from "../../services/search/facets.js";
import { type FindRecordSorts, makeRecordSorts } from "../../services/search/record-sorts.js";
import { withLinks, withWarnings } from "../answers/answer-text.js";
import { apiUrl, citationsUrl, moleculeLinks, moleculeUrl, termUrl } from "../answers/links.js";
import { PRIVATE, PUBLIC, sendJson, sendKeepable, sendPrivateSearch, sendSearch } from "../answers/reply.js";
import { clip, readParameters } from "../parameters/parameter-reader.js";
import { ModelParams, MoleculeParams, TermParams } from "../parameters/requests.js";
import { RESULT_TYPES, resultFormatOf } from "../parameters/result-format.js";
import {
  CitationQuery,
  LanguageQuery,
  OwnSearchQuery,
  RecordSearchQuery,
  readRecordSearch,
  type SearchParameters,
} from "../parameters/search-parameters.js";

import type { Query } from "../parameters/url-encoding.js";
import {
  emptyAnswer,
  INDEX_BEHIND,
  jsonAnswer,
  LOCATION,
  MOVED_TO_LATEST,
  NEEDS_TOKEN,
  PROBLEMS,
} from "../schemas/responses.js";
import { type ApiServer, type RouteOptions, type Routes, requireModel, requireTermAddress } from "./options.js";
import { requestOrigin, sendResult } from "./send-result.js";

/** Scope of a search of records. */
interface Search {
  /** Undefined for all models. */
  readonly model: string | undefined;
  /** True for the caller's own records and drafts, false for published records of all users. */
  readonly own: boolean;
  /** Term that the records cite. */
  readonly citing?: TermAddress | undefined;
  /** Path of the endpoint below the API. */
  readonly path: string;
}

const response = { 200: jsonAnswer(ref(RecordPage), "One page of records.", INDEX_BEHIND), ...PROBLEMS };

/** Routes that search records: of all models, of one, of the caller, of a molecule, and those that cite a term. */
export const recordSearchRoutes: Routes = async (app, options) => {
  const { catalog } = options;
  const searchOptions = { ...options, getFacets: makeRecordFacets(catalog), getSorts: makeRecordSorts(catalog) };
  addPublicSearches(app, searchOptions);
  addOwnSearches(app, searchOptions);
  addCitations(app, searchOptions);
  addMolecule(app, options);
};

interface SearchOptions extends RouteOptions {
  readonly getFacets: RecordFacets;
  readonly getSorts: FindRecordSorts;
}

function addPublicSearches(app: ApiServer, options: SearchOptions): void {
  const routes = [
    ["/search", "searchAllRecords", "Search the published records of all models"],
    ["/records", "listAllRecords", "Search the published records of all models (as /api/search)"],
  ] as const;
  for (const [path, operationId, summary] of routes) {
    app.get(path, {
      config: { effort: "search", isKept: true, produces: RESULT_TYPES.records },
      schema: { operationId, summary, tags: ["Records"], querystring: RecordSearchQuery.schema, response },
      handler: (request, reply) => answerSearch(options, request, reply, { model: undefined, own: false, path }),
    });
  }

  app.get("/records/:model", {
    config: { effort: "search", isKept: true, produces: RESULT_TYPES.records },
    schema: {
      operationId: "searchRecords",
      summary: "Search the published records of one model",
      description: "With the id of a record in place of the model, returns that record.",
      tags: ["Records"],
      params: ModelParams,
      querystring: RecordSearchQuery.schema,
      response: {
        ...response,
        200: jsonAnswer(
          Type.Union([ref(RecordPage), ref(AnsweredRecord)]),
          "One page of records; with an id, the record.",
          INDEX_BEHIND,
        ),
        301: MOVED_TO_LATEST,
        304: emptyAnswer("With an id: not modified."),
      },
    },
    handler: (request, reply) => {
      const { model } = request.params;
      return answerSearch(options, request, reply, { model, own: false, path: `/records/${model}` });
    },
  });
}

function addOwnSearches(app: ApiServer, options: SearchOptions): void {
  app.get("/user/search", {
    config: { needsToken: true, effort: "search", isKept: true, isPersonal: true, produces: RESULT_TYPES.records },
    schema: {
      operationId: "searchAllMyRecords",
      summary: "Search the caller's records and drafts of all models",
      tags: ["My records"],
      security: NEEDS_TOKEN,
      querystring: OwnSearchQuery.schema,
      response,
    },
    handler: (request, reply) =>
      answerSearch(options, request, reply, { model: undefined, own: true, path: "/user/search" }),
  });

  app.get("/user/records/:model", {
    config: { needsToken: true, effort: "search", isKept: true, isPersonal: true, produces: RESULT_TYPES.records },
    schema: {
      operationId: "searchMyRecords",
      summary: "Search the caller's records and drafts of one model",
      tags: ["My records"],
      security: NEEDS_TOKEN,
      params: ModelParams,
      querystring: OwnSearchQuery.schema,
      response,
    },
    handler: (request, reply) => {
      const { model } = request.params;
      return answerSearch(options, request, reply, { model, own: true, path: `/user/records/${model}` });
    },
  });
}

function addCitations(app: ApiServer, options: SearchOptions): void {
  const { services, catalog, address } = options;
  app.get("/vocabularies/:vocabulary/:id/citations", {
    config: { effort: "search", produces: RESULT_TYPES.records },
    schema: {
      operationId: "searchCitations",
      summary: "Search the records that cite a term",
      description:
        "Published records; with a token (`records:read`) also drafts: the caller's own, those that are shared with " +
        "the caller, and for curators those of all users. An edited record is listed twice. Includes records that " +
        "cite a term that this one replaced.",
      tags: ["Vocabularies"],
      params: TermParams,
      querystring: CitationQuery.schema,
      response: {
        ...response,
        301: emptyAnswer(
          "The id is an alias or was replaced; Location has the citations of the current term.",
          LOCATION,
        ),
      },
    },
    handler: async (request, reply) => {
      const { address: citing } = requireTermAddress(catalog, request.params);
      const path = citationsUrl(termUrl("", citing.vocabulary, citing.id));
      const search = { model: undefined, own: false, citing, path };
      // Errors in the parameters have precedence over an unknown term.
      const parameters = readSearch(options, request, search);
      const answer = await services.readTerm(citing.vocabulary, citing.id);
      if (answer.kind === "moved") {
        const to = citationsUrl(termUrl(apiUrl(address), citing.vocabulary, answer.to));
        return reply.code(301).header("cache-control", PUBLIC).header("location", to).send();
      }
      return answerSearch(options, request, reply, search, parameters);
    },
  });
}

function addMolecule(app: ApiServer, { services, catalog, address }: RouteOptions): void {
  const [field = ""] = [...catalog.models.values()].flatMap(({ molecules }) => molecules?.name ?? []);
  app.get("/molecules/:id", {
    config: { effort: "search", isKept: true },
    schema: {
      operationId: "readMolecule",
      summary: "Read what published records say about a molecule",
      description:
        "Its names, sequences, partners and best results, as the records of a search for its id say. A complex is " +
        "found by the ids of its parts too.",
      tags: ["Records"],
      params: MoleculeParams,
      querystring: LanguageQuery.schema,
      response: {
        200: jsonAnswer(ref(Molecule), "The molecule.", INDEX_BEHIND),
        301: emptyAnswer("Another form of the id, or the id of a replaced term; Location has the molecule.", LOCATION),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { values, warnings } = readParameters(LanguageQuery, request.query);
      const { id } = request.params;
      if (clip(id) !== id) throw fail("MOLECULE_NOT_FOUND", { id: clip(id) });
      const api = apiUrl(address);
      const answer = await services.readMolecule(id, values.lang.toLowerCase());
      if (answer.kind === "moved") {
        return reply.code(301).header("cache-control", PUBLIC).header("location", moleculeUrl(api, answer.to)).send();
      }
      const { molecule, behind } = answer;
      const links = moleculeLinks(api, molecule, field);
      const body = withWarnings(withLinks(JSON.stringify(molecule), links), warnings);
      if (behind === undefined) return sendKeepable(request, reply, { body, parts: [recordsPart(), termsPart()] });
      return sendJson(reply.header("cache-control", PRIVATE).header("bindery-index", `behind=${behind}`), body);
    },
  });
}

/** Returns whether the answer depends on the caller. */
const isPersonal = ({ own, citing }: Search): boolean => own || citing !== undefined;

/** @throws PARAMETER_INVALID, PAGE_SIZE_TOO_LARGE, PAGE_WINDOW_EXCEEDED, MODEL_NOT_FOUND */
function readSearch(
  { catalog, getFacets, getSorts }: SearchOptions,
  request: FastifyRequest,
  search: Search,
): SearchParameters<RecordSearchRequest> {
  const { path: _path, ...scope } = search;
  const { model } = scope;
  if (model !== undefined) requireModel(catalog, model);
  const names = { facets: getFacets(model, isPersonal(search)), sorts: getSorts(model) };
  return readRecordSearch(request.query as Query, catalog, { ...scope, ...names });
}

async function answerSearch(
  options: SearchOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  search: Search,
  parameters = readSearch(options, request, search),
): Promise<FastifyReply> {
  const { answers, address } = options;
  const { model, path } = search;
  const isPrivate = isPersonal(search);
  const format = resultFormatOf(request.headers.accept, parameters.result, "records");
  if (format !== undefined) {
    const call = { ...requestOrigin(request, address), parameters, format: format.name };
    const open = () => answers.openRecordStream(request.actor, call);
    return sendResult(options, request, reply, { format, name: model ?? "records", isPrivate, open });
  }
  const body = await answers.answerRecordSearch(request.actor, { api: apiUrl(address), path, parameters });
  // The answer depends on terms: labels of facets, and descendants and successors of terms in the query.
  if (search.own) return sendSearch(request, reply, body, [draftsPart(model), termsPart()]);
  if (isPrivate) return sendPrivateSearch(reply, body);
  return sendSearch(request, reply, body, [recordsPart(model), termsPart()]);
}
