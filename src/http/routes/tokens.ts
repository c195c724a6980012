import { ref } from "../../core/answer.js";
import { NewToken, TokenList } from "../../core/answers/accounts.js";
import { LIMITS } from "../../core/limits.js";
import type { TokenPage } from "../../services/accounts/tokens.js";
import { listText } from "../answers/answer-text.js";
import { apiUrl, listPageLinks } from "../answers/links.js";
import { PRIVATE, sendJson } from "../answers/reply.js";
import { PageQuery } from "../parameters/list-parameters.js";
import { clip, readParameters } from "../parameters/parameter-reader.js";
import { readConditions } from "../parameters/request-headers.js";
import { NoQuery, TokenBody, TokenParams } from "../parameters/requests.js";
import { emptyAnswer, jsonAnswer, NEEDS_TOKEN, PROBLEMS } from "../schemas/responses.js";
import { type ApiServer, type RouteOptions, type Routes, requireBodyText } from "./options.js";

const TOKENS = "/user/tokens";
const config = { needsToken: true };
const common = { tags: ["Tokens"], security: NEEDS_TOKEN };

/** Routes of the caller's tokens. Any token may list and revoke them, and create tokens without more rights. */
export const tokenRoutes: Routes = async (app, options) => {
  addList(app, options);
  addCreate(app, options);
  addRevoke(app, options);
};

function addList(app: ApiServer, { services, address: server }: RouteOptions): void {
  app.get(TOKENS, {
    config,
    schema: {
      ...common,
      operationId: "listTokens",
      summary: "List the caller's tokens",
      querystring: PageQuery.schema,
      response: { 200: jsonAnswer(ref(TokenList), "One page of tokens."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { values: page, warnings } = readParameters(PageQuery, request.query);
      const { tokens, total } = await services.listOwnTokens(request.actor, page);
      const links = listPageLinks(`${apiUrl(server)}${TOKENS}`, page, { total });
      const hits = tokens.map((row) => JSON.stringify(tokenBody(row)));
      const frame = { total, sortBy: "newest", page: page.page, links, warnings };
      return sendJson(reply.header("cache-control", PRIVATE), listText(hits, frame));
    },
  });
}

function addCreate(app: ApiServer, { services }: RouteOptions): void {
  app.post(TOKENS, {
    config,
    bodyLimit: LIMITS.shortBodyBytesMax,
    schema: {
      ...common,
      operationId: "createToken",
      summary: "Create a token",
      querystring: NoQuery.schema,
      body: TokenBody,
      response: {
        201: jsonAnswer(ref(NewToken), "The token; its secret is shown only in this response."),
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const conditions = readConditions(request);
      const { token, row } = await services.createOwnToken(request.actor, requireBodyText(request.body), conditions);
      return sendJson(reply.code(201).header("cache-control", PRIVATE), JSON.stringify({ ...tokenBody(row), token }));
    },
  });
}

function addRevoke(app: ApiServer, { services }: RouteOptions): void {
  app.delete(`${TOKENS}/:id`, {
    config,
    bodyLimit: LIMITS.shortBodyBytesMax,
    schema: {
      ...common,
      operationId: "revokeToken",
      summary: "Revoke a token and all tokens that were created with it",
      params: TokenParams,
      querystring: NoQuery.schema,
      response: { 204: emptyAnswer("The token is revoked."), ...PROBLEMS },
    },
    handler: async (request, reply) => {
      await services.revokeOwnToken(request.actor, clip(request.params.id));
      return reply.code(204).header("cache-control", PRIVATE).send();
    },
  });
}

/** Returns the members of a token that clients see. */
function tokenBody({ id, name, scopes, created, expires, parent, lastUsed, revoked }: TokenPage["tokens"][number]) {
  return { id, name, scopes, created, expires, parent, last_used: lastUsed, revoked };
}
