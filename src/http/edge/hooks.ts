/**
 * Hooks of every request: its headers, its size, the media types it accepts, its log line. Also the answers to requests
 * that never reach Fastify's hooks: CONNECT, and requests that Node's parser refuses.
 */
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type BinderyError, fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { hideSecretsOfUrl } from "../../core/printing/safe-text.js";
import { problemHeaders, problemOf, toBinderyError } from "../answers/send-problem.js";
import { clip } from "../parameters/parameter-reader.js";
import { API_TYPES, accepts } from "../parameters/request-headers.js";
import { isAbsoluteUrl } from "../parameters/url-encoding.js";

/**
 * Headers of every answer. Answers are data: no content is executed, no other site may frame them, and scripts of all
 * sites may read them. (Pages have a separate policy. They are constants because plug-ins that compute them for each
 * request cost a third of all requests per second.) Only the proxy knows whether there is TLS.
 */
const OPENING_HEADERS = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": [
    "ETag",
    "Location",
    "Link",
    "Retry-After",
    "Allow",
    "WWW-Authenticate",
    "X-Request-Id",
    "Bindery-Index",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
  ].join(", "),
};

const METRICS_ROUTE = "/metrics";
const METRICS_PATH = /^\/metrics\/?$/;
/** Metrics have no CORS headers, so scripts of other sites cannot read them. */
const METRICS_HEADERS = Object.fromEntries([
  ...Object.entries(OPENING_HEADERS).filter(([name]) => !name.startsWith("access-control-")),
  ["cross-origin-resource-policy", "same-origin"],
]);

/** Headers that allow requests of scripts of other sites, for a day. Safari waits for a body without a length. */
const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers": "authorization, content-type, if-match, if-none-match, idempotency-key",
  "access-control-max-age": "86400",
  "content-length": "0",
};

/** Returns whether the path is that of the metrics. Compares the path if there is no route: in preflights. */
function isMetricsPath(request: FastifyRequest): boolean {
  if (!request.is404) return request.routeOptions.url === METRICS_ROUTE;
  return METRICS_PATH.test(decodePath(requestPath(request)));
}

/** Adds the headers of every answer and answers OPTIONS. Must be added before all other hooks. */
export function addOpening(app: FastifyInstance, routes: RouteTable): void {
  app.addHook("onRequest", (request, reply, done) => {
    const isMetrics = isMetricsPath(request);
    reply.headers(isMetrics ? METRICS_HEADERS : OPENING_HEADERS).header("x-request-id", request.id);
    const targetFailure = targetError(request.originalUrl);
    if (targetFailure !== undefined) return done(targetFailure);
    if (request.method !== "OPTIONS") return done();
    if (request.headers["access-control-request-method"] !== undefined && !isMetrics) {
      reply.code(204).headers(PREFLIGHT_HEADERS).send();
      return;
    }
    const methods = routes.methodsOf(requestPath(request));
    if (methods.length === 0) return done(fail("PATH_NOT_FOUND", { path: clip(requestPath(request)) }));
    reply
      .code(204)
      .header("allow", [...methods, "OPTIONS"].join(", "))
      .send();
  });
}

/** Refuses URLs and headers above the limit, and requests for a media type that the route does not have. */
export function addRequestChecks(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (isTooLong(request)) return done(fail("URL_TOO_LONG", { max: LIMITS.urlBytesMax }));
    // A missing resource has no media types.
    if (request.is404) return done();
    const types = request.routeOptions.config.produces ?? API_TYPES;
    const { accept } = request.headers;
    if (types === "any" || accept === undefined || accepts(accept, types)) return done();
    return done(notAcceptable(clip(accept), types));
  });
}

/** Creates the error for an `Accept` header. @param served all media types of the resource */
function notAcceptable(accept: string, served: readonly string[]): BinderyError {
  const message = `Accept must take one of ${served.join(", ")}.`;
  const issue = { field: "Accept", pointer: "/Accept", code: "PARAMETER_INVALID", messages: [message], value: accept };
  return fail("NOT_ACCEPTABLE", { accept, served, issues: [{ ...issue, allowed: [...served] }] });
}

/**
 * Refuses unknown paths, and methods that a path does not have, before their body is read: each method that Node's
 * parser accepts is a 405. Runs after authentication, so an invalid token is a 401 everywhere.
 */
export function addNotFound(app: FastifyInstance, routes: RouteTable): void {
  app.addHook("onRequest", (request, _reply, done) =>
    request.is404 ? done(unservedError(routes, request.method, requestPath(request))) : done(),
  );
}

/** Answers CONNECT, for which Node has a separate event and would end the connection without an answer. */
export function addConnectRefusal(app: FastifyInstance, routes: RouteTable): void {
  app.server.on("connect", ({ method = "CONNECT", url = "" }, socket) =>
    refuseConnection(targetError(url) ?? unservedError(routes, method, url.split(/[?#]/, 1)[0]!), socket),
  );
}

/** Returns the error of a request whose target is neither a path nor a URL: `GET *`, `CONNECT host:80`. */
function targetError(target: string): BinderyError | undefined {
  if (target.startsWith("/") || isAbsoluteUrl(target)) return undefined;
  return fail("REQUEST_MALFORMED", { reason: `its target must be a path, as in "GET /api", not "${clip(target)}"` });
}

function unservedError(routes: RouteTable, method: string, path: string): BinderyError {
  const allowed = routes.methodsOf(path);
  if (allowed.length === 0) return fail("PATH_NOT_FOUND", { path: clip(path) });
  return fail("METHOD_NOT_ALLOWED", { method, allowed });
}

/**
 * Logs one line for each answered request, with its address (that of the client, if a trusted proxy names it) and the
 * id of its user. Headers are never logged, and tokens in a URL are masked.
 */
export function addLog(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    const url = clip(hideSecretsOfUrl(request.originalUrl));
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const { id, method, ip, actor } = request;
    // A request that was refused before authentication has no actor. Undefined values are not logged.
    const user = actor?.kind === "user" ? actor.user : undefined;
    app.log.info({ reqId: id, method, url, status: reply.statusCode, ms, ip, user });
    done();
  });
}

/**
 * Ends kept-alive connections when the server closes: those that are idle then, and the others when their request is
 * answered. Node closes only the former.
 */
export function addDrain(app: FastifyInstance): void {
  app.addHook("preClose", (done) => {
    if (!app.server.listening) return done();
    const timer = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
    app.server.once("close", () => clearInterval(timer));
    timer.unref();
    done();
  });
}

const IDLE_CHECK_MS = 50;

/** Returns the path of a request, decoded as by the router, without its query. */
function requestPath({ url }: FastifyRequest): string {
  return url.split(/[?#]/, 1)[0]!;
}

function isTooLong({ raw, originalUrl }: FastifyRequest): boolean {
  let length = originalUrl.length;
  // Node returns both as Latin-1: a character is a byte. The colon and the line end add bytes.
  for (const text of raw.rawHeaders) length += text.length + 2;
  return length > LIMITS.urlBytesMax;
}

/** Time in which further data of a refused client are discarded, so the client can read the answer. */
const LINGER_MS = 1_000;

/** Answers a request that Node's parser refused, with a problem as for any other error, and ends the connection. */
export function answerClientError(error: Error, socket: Socket): void {
  const code = "code" in error ? error.code : undefined;
  if (code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  refuseConnection(toBinderyError(error), socket);
}

/** Writes an error to a connection without a Fastify request, and ends the connection. */
function refuseConnection(error: BinderyError, socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  socket.end(rawAnswer(error));
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function rawAnswer(error: BinderyError): string {
  const requestId = randomUUID();
  const body = JSON.stringify(problemOf(error, requestId));
  const headers = {
    ...problemHeaders(error),
    "content-length": String(Buffer.byteLength(body)),
    "x-request-id": requestId,
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, "", body].join("\r\n");
}

/** Methods of each path. Fastify's router reports only that there is no route for a method and a path. */
interface RouteTable {
  /** Returns the methods of all routes that match a path (encoded, without query), sorted; empty if none matches. */
  methodsOf(path: string): readonly string[];
}

/** Collects all routes that are added to the server after this call. */
export function collectRoutes(app: FastifyInstance): RouteTable {
  const routes = new Map<string, Route>();
  app.addHook("onRoute", ({ url, method, config }) => {
    const route = routes.get(url) ?? { pattern: routePattern(url), methods: new Set(), refused: new Set() };
    const methods = config?.isRefused === true ? route.refused : route.methods;
    for (const name of [method].flat()) methods.add(name);
    routes.set(url, route);
  });
  return {
    methodsOf(path) {
      const decoded = decodePath(path);
      const matching = [...routes.values()].filter(({ pattern }) => pattern.test(decoded));
      const refused = new Set(matching.flatMap((route) => [...route.refused]));
      const methods = new Set(matching.flatMap((route) => [...route.methods]));
      return [...methods].filter((method) => !refused.has(method)).sort();
    },
  };
}

/** Decodes a path as the router does: `/%6detrics` is `/metrics`, but `%2F` is not a slash. */
function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

interface Route {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  /** Methods of other routes that match the path too, but do not serve it. */
  readonly refused: Set<string>;
}

/** Returns the pattern of paths of a route (`/a/:b`, `/a/:b([0-9]+)`), with an optional slash at the end. */
function routePattern(url: string): RegExp {
  const segments = url.split("/").map((segment) => {
    const [isParameter, pattern = "[^/]+"] = /^:\w+(?:\((.+)\))?$/.exec(segment) ?? [];
    return isParameter === undefined ? quote(segment) : pattern;
  });
  const path = segments.join("/");
  return new RegExp(`^${path.endsWith("/") ? path.slice(0, -1) : path}/?$`);
}

const quote = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
