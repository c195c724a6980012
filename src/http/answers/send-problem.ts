import type { FastifyReply, FastifyRequest } from "fastify";
import type { Problem } from "../../core/answers/service.js";
import { BinderyError, type ErrorCode, fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { TombstoneBody } from "../../core/record.js";
import { clip } from "../parameters/parameter-reader.js";

/** Media type of JSON, with its charset. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Default of Retry-After, in seconds, if the store is unavailable. */
const RETRY_AFTER_S = 2;

/** Returns the body for an error. For a 500 it has no details except the request id. */
export function problemOf(error: BinderyError, requestId: string): Problem {
  const { code, status, message, issues, params } = error.status === 500 ? fail("INTERNAL") : error;
  const remains = code === "RECORD_GONE" ? { tombstone: params.tombstone as TombstoneBody } : {};
  return { status, code, message, errors: issues, request_id: requestId, ...remains };
}

/** Returns the headers for an error. */
export function problemHeaders({ code, status, params, message }: BinderyError): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { "content-type": JSON_TYPE, "cache-control": "no-store" };
  // Damaged data stay damaged, so a retry is useless.
  if ((status === 503 && code !== "STORE_DAMAGED") || code === "IDEMPOTENCY_KEY_BUSY")
    headers["retry-after"] = String(params.seconds ?? RETRY_AFTER_S);
  if (status === 429) headers["retry-after"] = String(params.seconds);
  if (status === 401) headers["www-authenticate"] = challenge(code, message);
  if (code === "SCOPE_MISSING") {
    headers["www-authenticate"] = `${REALM}, error="insufficient_scope", scope="${params.scope}"`;
  }
  if (code === "METHOD_NOT_ALLOWED") headers.allow = (params.allowed as readonly string[]).join(", ");
  return headers;
}

/**
 * Translates any thrown value to an error of the catalogue: errors of Fastify and of Node's parser by their codes, all
 * others to INTERNAL.
 */
export function toBinderyError(error: unknown, request?: FastifyRequest): BinderyError {
  if (error instanceof BinderyError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return fail("BODY_TOO_LARGE", { max: LIMITS.bodyBytesMax });
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return fail("MEDIA_TYPE_UNSUPPORTED", { type: clip(request?.headers["content-type"] ?? "nothing") });
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
      return fail("BODY_MISSING");
    case "FST_ERR_NOT_FOUND":
      return fail("PATH_NOT_FOUND", { path: clip(request?.url ?? "this path") });
    case "HPE_HEADER_OVERFLOW":
      return fail("URL_TOO_LONG", { max: LIMITS.urlBytesMax });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return fail("REQUEST_TIMEOUT");
    default: {
      const reason = malformedReason(code, error);
      return reason === undefined ? fail("INTERNAL", undefined, error) : fail("REQUEST_MALFORMED", { reason });
    }
  }
}

/** Returns what is wrong with a request; undefined if the error is not the client's. */
function malformedReason(code: string, error: unknown): string | undefined {
  if (code === "ECONNRESET") return "it ended too early";
  if (code.startsWith("HPE_")) return parserReason(code);
  if (!code.startsWith("FST_ERR_") || !isClientFault(error)) return undefined;
  const reason = FRAMEWORK_REASONS[code];
  if (reason !== undefined) return reason;
  // Later versions of Fastify may have further codes. Their messages describe the request.
  return (error as Error).message.replace(/\.$/, "");
}

function isClientFault(error: unknown): boolean {
  const { statusCode = 500 } = error as { readonly statusCode?: number };
  return statusCode >= 400 && statusCode < 500;
}

const FRAMEWORK_REASONS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "its body is not as long as Content-Length says",
  FST_ERR_BAD_URL: "its path cannot be decoded",
  FST_ERR_INVALID_URL: "its path cannot be decoded",
  FST_ERR_MAX_PARAM_LENGTH: "a part of its path is too long",
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: "this method needs a Content-Type",
};

/** Answers a request with an error, for any thrown value, and logs it if it is not the client's. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toBinderyError(error, request);
  logFailure(request, failure, error);
  request.failure = failure;
  return reply
    .code(failure.status)
    .headers(problemHeaders(failure))
    .send(JSON.stringify(problemOf(failure, request.id)));
}

/**
 * Logs an error that is not the client's.
 * @param error the thrown value, of which `failure` was made
 */
export function logFailure({ log, id: reqId }: LoggedRequest, failure: BinderyError, error: unknown): void {
  if (failure.status === 500) log.error({ reqId, err: failure.cause ?? error }, "A request failed.");
  // The damage was logged when it was detected, and any number of requests may need the damaged data.
  else if (failure.code === "STORE_DAMAGED") log.debug({ reqId, err: failure }, "A request needs damaged data.");
  else if (failure.status > 500) log.warn({ reqId, err: failure }, "A request cannot be served at the moment.");
}

type LoggedRequest = Pick<FastifyRequest, "log" | "id">;

/** Returns the `WWW-Authenticate` header (RFC 6750). */
function challenge(code: ErrorCode, message: string): string {
  if (code === "TOKEN_MISSING") return REALM;
  const description = message.replaceAll(/[^\x20-\x7e]|["\\]/g, "");
  return `${REALM}, error="invalid_token", error_description="${description}"`;
}

/** Returns the reason in a code of Node's parser: "invalid method" for `HPE_INVALID_METHOD`. */
function parserReason(code: string): string {
  if (code === "HPE_INVALID_URL") return "its URL contains characters that must be percent-encoded";
  return code.slice("HPE_".length).toLowerCase().replaceAll("_", " ");
}

const REALM = 'Bearer realm="bindery"';
