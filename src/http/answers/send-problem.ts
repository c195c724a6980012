import type { FastifyReply, FastifyRequest } from "fastify";
import { BinderyError, type ErrorCode, fail } from "../../core/errors.js";
import type { Issue } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { TombstoneBody } from "../../core/record.js";
import { clip } from "../parameters/parameter-reader.js";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Seconds after which it is worth trying again when the store was away. */
const RETRY_AFTER_S = 2;

/** The one shape of all errors. */
export interface Problem {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors: readonly Issue[];
  readonly request_id: string;
  /** Of a retracted record. */
  readonly tombstone?: TombstoneBody;
}

/** What a client reads of a failure. Of a 500 it reads nothing but the request id. */
export function problemOf(error: BinderyError, requestId: string): Problem {
  const { code, status, message, issues, params } = error.status === 500 ? fail("INTERNAL") : error;
  const left = code === "RECORD_GONE" ? { tombstone: params.tombstone as TombstoneBody } : {};
  return { status, code, message, errors: issues, request_id: requestId, ...left };
}

/** The headers that go with a failure. */
export function problemHeaders({ code, status, params, message }: BinderyError): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { "content-type": JSON_TYPE, "cache-control": "no-store" };
  // What is damaged stays so: no client has to try again.
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

/** Any failure as one of the catalogue: those of Fastify and of Node's parser by their codes, others as INTERNAL. */
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

/** What a request had that it may not have; undefined where the failure is ours. */
function malformedReason(code: string, error: unknown): string | undefined {
  if (code === "ECONNRESET") return "it ended too early";
  if (code.startsWith("HPE_")) return explainParser(code);
  if (!code.startsWith("FST_ERR_") || !isClientFault(error)) return undefined;
  const known = FRAMEWORK_REASONS[code];
  if (known !== undefined) return known;
  // A code that a later Fastify brings: its sentence is about the request, not about us.
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

/** Answers a request with a failure, whatever was thrown, and logs what is our fault. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toBinderyError(error, request);
  logFailure(request, known, error);
  request.failure = known;
  return reply
    .code(known.status)
    .headers(problemHeaders(known))
    .send(JSON.stringify(problemOf(known, request.id)));
}

/** Logs a failure that is ours, or that the operator has to know of. */
export function logFailure({ log, id: reqId }: LoggedRequest, known: BinderyError, error: unknown): void {
  // What was really thrown is the cause.
  if (known.status === 500) log.error({ reqId, err: known.cause ?? error }, "A request failed.");
  // Each damage was logged when it was found: there may be as many requests as before.
  else if (known.code === "STORE_DAMAGED") log.debug({ reqId, err: known }, "A request needs data that is damaged.");
  else if (known.status > 500) log.warn({ reqId, err: known }, "A request cannot be served at the moment.");
}

type LoggedRequest = Pick<FastifyRequest, "log" | "id">;

function challenge(code: ErrorCode, message: string): string {
  if (code === "TOKEN_MISSING") return REALM;
  const description = message.replaceAll(/[^\x20-\x7e]|["\\]/g, "");
  return `${REALM}, error="invalid_token", error_description="${description}"`;
}

/** `HPE_INVALID_METHOD` is "invalid method". */
function explainParser(code: string): string {
  if (code === "HPE_INVALID_URL") return "its URL contains characters that must be percent-encoded";
  return code.slice("HPE_".length).toLowerCase().replaceAll("_", " ");
}

const REALM = 'Bearer realm="bindery"';
