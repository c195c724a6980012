import type { Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { LookupAnswer, LookupHit } from "../../services/api/vocabulary-services.js";
import { searchText, withLinks, withMember } from "../answers/answer-text.js";
import { apiUrl, lookupLinks, lookupUrl } from "../answers/links.js";
import { PRIVATE, sendJson } from "../answers/reply.js";
import { termText } from "../answers/term-text.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { LookupQuery, VocabularyParams } from "../parameters/requests.js";
import { ref } from "../schemas/components.js";
import { json, NEEDS_TOKEN, PROBLEMS } from "../schemas/responses.js";
import { type Routes, vocabularyOf } from "./options.js";

/** Searches at the authorities of vocabularies. They need a token: an authority allows this service only so many. */
export const lookupRoutes: Routes = async (app, { services, catalog, address }) => {
  app.get("/vocabularies/:vocabulary/lookup", {
    config: { needsToken: true, effort: "search" },
    schema: {
      operationId: "lookUpTerms",
      summary: "Search the authority of a vocabulary itself",
      description:
        "For vocabularies with `lookup` in the list of vocabularies; for others, 404. The authority reads `q` by its " +
        `own rules and orders the hits; a page has at most ${LIMITS.lookupPageSize}. Nothing of what is found is ` +
        "added: a term is when a record that cites it is saved. 503 if the authority cannot be asked.",
      tags: ["Vocabularies"],
      security: NEEDS_TOKEN,
      params: VocabularyParams,
      querystring: LookupQuery.schema,
      response: { 200: json(ref("TermLookup"), "One page of what the authority has."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const vocabulary = vocabularyOf(catalog, request.params.vocabulary);
      const { values, warnings } = readParameters(LookupQuery, request.query);
      const { q, page } = values;
      const found = await services.searchAuthority(request.actor, vocabulary.name, { q, page });
      const api = apiUrl(address);
      const hits = found.hits.map((hit) => hitText(api, vocabulary, found.authority, hit));
      const links = lookupLinks(lookupUrl(api, vocabulary.name), { q, page, total: found.total });
      const body = searchText(hits, {
        ...{ total: found.total, sortBy: "bestmatch", page, links },
        ...{ query: { parsed: q, fallback: false }, warnings: [...warnings, ...found.warnings] },
      });
      return sendJson(reply.header("cache-control", PRIVATE), body);
    },
  });
  // Otherwise the routes of a term would use `lookup` as its id.
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

/** A term that is loaded is shown as it is here; of any other one there is what the authority says, without links. */
function hitText(api: string, vocabulary: Vocabulary, authority: LookupAnswer["authority"], hit: LookupHit): string {
  const source = JSON.stringify({ authority, loaded: hit.isLoaded });
  if (hit.isLoaded) return termText(api, vocabulary, hit.term, withMember(hit.term.json, "source", source));
  const { id, title, props, synonyms, status, replaced_by } = hit.content;
  const item = { id, type: vocabulary.name, title, props, synonyms, replaced_by };
  const said = JSON.stringify(status === "active" ? item : { ...item, status });
  return withLinks(withMember(said, "source", source), {});
}
