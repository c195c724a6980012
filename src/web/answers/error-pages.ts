import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LIMITS } from "../../core/limits.js";
import { logFailure, problemHeaders, problemOf, sendProblem, toBinderyError } from "../../http/answers/send-problem.js";
import { errorPage } from "../pages/error-page.js";
import { prefersPage, renderPage, rootOf, type Site, sendErrorPage } from "./render.js";

/**
 * Errors as pages, for those who like pages better than data, at every path that is no path of the API or of the
 * service's own checks.
 */
export function addErrorPages(app: FastifyInstance, site: Site): void {
  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (!prefersPage(request) || !isPagePath(request.url)) return sendProblem(error, request, reply);
    const known = toBinderyError(error, request);
    logFailure(request, known, error);
    request.failure = known;
    const { status, message, errors, tombstone } = problemOf(known, request.id);
    const { "content-type": _json, ...headers } = problemHeaders(known);
    // The address may have the id of a record in place of a model.
    const { model, id = model } = request.params as { readonly model?: string; readonly id?: string };
    reply.code(status).headers(headers);
    const page = errorPage({
      ...{ status, message, requestId: request.id, tombstone },
      // The message of a single mistake says it already.
      issues: errors.flatMap(({ messages }) => messages).filter((text) => !message.includes(text)),
      // The page offers to search for it.
      id: status === 404 && id !== undefined && id.length <= LIMITS.termIdLengthMax ? id : undefined,
    });
    return sendErrorPage(reply, renderPage(site, rootOf(request), page));
  };
  app.setErrorHandler(sendError);
  // Requests for paths that nothing is served at come here, to have this handler of errors; a check has refused them.
  app.setNotFoundHandler(() => undefined);
}

const isPagePath = (url: string): boolean => !/^\/(api|healthz|readyz|metrics)(\/|\?|$)/.test(url);
