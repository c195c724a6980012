import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import swagger from "@fastify/swagger";
import Fastify, { type FastifyBaseLogger, type FastifyHttpOptions, type FastifyInstance, LogController } from "fastify";
import { type BackgroundReporter, type ServiceState, WARNING_REPORTER } from "../core/background.js";
import type { Catalog } from "../core/catalog/types.js";
import { LIMITS } from "../core/limits.js";
import type { RateLimits } from "../core/rate-limits.js";
import type { Services } from "../services/use-cases.js";
import type { PublicAddress } from "./answers/links.js";
import type { RunLarge } from "./answers/reply.js";
import type { SearchAnswers } from "./answers/search-answers.js";
import { sendProblem } from "./answers/send-problem.js";
import type { StreamAnswers } from "./answers/stream-answers.js";
import { addCharges, makeAdmission } from "./edge/admission.js";
import { addAuthentication } from "./edge/auth.js";
import { addBodyParsers } from "./edge/body.js";
import { addCompression } from "./edge/compression.js";
import {
  CLIENT_TIME_LIMITS,
  type ClientTimeLimits,
  type ConnectionLimits,
  guardConnections,
} from "./edge/connections.js";
import {
  addConnectRefusal,
  addDrain,
  addLog,
  addNotFound,
  addOpening,
  addRequestChecks,
  answerClientError,
  collectRoutes,
} from "./edge/hooks.js";
import { addKeptAnswers, type KeptAnswers } from "./edge/kept-answers.js";
import { addRefusals } from "./edge/refusals.js";
import { addMetrics, type Metrics } from "./edge/request-metrics.js";
import { addSearchTurns, makeLargeTurns, makeStreamPlaces } from "./edge/search-turns.js";
import { COMPONENTS, describeApi } from "./openapi.js";
import { parseQueryString, repairUrl } from "./parameters/url-encoding.js";
import { changeRoutes } from "./routes/changes.js";
import { draftRoutes } from "./routes/drafts.js";
import { grantRoutes } from "./routes/grants.js";
import { modelRoutes } from "./routes/models.js";
import { fieldRoutes, queryTextRoutes } from "./routes/query.js";
import { addAccessCheck, addRoutesWithoutModel } from "./routes/record-hooks.js";
import { recordSearchRoutes } from "./routes/record-search.js";
import { exportRoutes, recordRoutes, versionRoutes } from "./routes/records.js";
import { healthRoutes, openApiRoute, serviceRoute } from "./routes/service.js";
import { termWriteRoutes } from "./routes/term-writes.js";
import { tokenRoutes } from "./routes/tokens.js";
import { lookupRoutes, termHistoryRoutes, vocabularyRoutes } from "./routes/vocabularies.js";

/** Plug-in with the pages for people, which `src/web` exports. It is added below `/`, after the API. */
type PagesPlugin = (
  app: FastifyInstance,
  options: {
    readonly services: Services;
    readonly catalog: Catalog;
    readonly address: PublicAddress;
    readonly version: string;
    readonly runLarge: RunLarge;
  },
) => Promise<void>;

/** Dependencies and settings of the server. */
export interface ServerOptions {
  readonly services: Services;
  readonly answers: SearchAnswers & StreamAnswers;
  readonly catalog: Catalog;
  readonly config: PublicAddress;
  /** Version of the package. */
  readonly version: string;
  readonly logger: FastifyBaseLogger;
  readonly pages?: PagesPlugin;
  /** Rate limits; absent if requests are not counted. */
  readonly rateLimits?: RateLimits | undefined;
  /** Addresses and networks of proxies whose headers name the client. */
  readonly trustedProxies?: readonly string[];
  readonly metrics?: Metrics;
  /** Reads the state of threads and background tasks; absent if there are none. */
  readonly state?: () => Promise<ServiceState>;
  /** Receives reports of background work; by default its errors are warnings of the process. */
  readonly background?: BackgroundReporter;
  /** Limits on connections; absent if there are none. */
  readonly connections?: ConnectionLimits;
  /** Size of the kept answers; absent if no answers are kept. */
  readonly kept?: KeptAnswers;
  /** Time limits of clients; by default those of `LIMITS`. */
  readonly patience?: ClientTimeLimits;
}

/** Routes of the API, in the order in which the OpenAPI document lists them. */
const API_ROUTES = [
  recordSearchRoutes,
  queryTextRoutes,
  recordRoutes,
  versionRoutes,
  draftRoutes,
  grantRoutes,
  tokenRoutes,
  modelRoutes,
  fieldRoutes,
  vocabularyRoutes,
  lookupRoutes,
  termWriteRoutes,
  termHistoryRoutes,
  changeRoutes,
  openApiRoute,
  serviceRoute,
];

/** Builds the server over the services, without listening. docs/http.md describes its API. */
export function buildServer(server: ServerOptions): FastifyInstance {
  const { services, catalog, config: address, version, logger, pages, rateLimits, metrics } = server;
  const { background = WARNING_REPORTER, answers } = server;
  const { connections: limits, trustedProxies = [], patience = CLIENT_TIME_LIMITS } = server;
  const app = Fastify(serverOptions(logger, trustedProxies, patience));
  const { stallMs } = patience;
  guardConnections(app.server, { limits, trustedProxies, stallMs, registry: metrics?.registry, logger });
  // Expectations other than 100-continue may be ignored (RFC 9110, 10.1.1).
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  const routes = collectRoutes(app);
  addBodyParsers(app);
  // Handlers read parameters (`readParameters`), because the path decides which ones exist (the facets of a model).
  // Services read bodies, and answers are JSON texts already.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(sendProblem);
  addOpening(app, routes);
  addConnectRefusal(app, routes);
  addLog(app);
  addDrain(app);
  addRefusals(app, services, catalog, background);
  for (const component of COMPONENTS) app.addSchema(component);

  app.register(swagger, describeApi(version));
  const admission = makeAdmission(rateLimits);
  // The rest is added after the plug-in, so that the OpenAPI document has all routes, and errors have all headers.
  app.after(() => {
    addCharges(app, admission);
    addCompression(app);
    addRequestChecks(app);
    addSearchTurns(app, metrics?.registry);
    addAuthentication(app, services, admission.admit, background);
    if (server.kept !== undefined) addKeptAnswers(app, server.kept, metrics?.registry);
    addRoutesWithoutModel(app, services);
    addAccessCheck(app, services, catalog);
    addNotFound(app, routes);
    const runLarge = makeLargeTurns(metrics?.registry);
    const options = { services, answers, places: makeStreamPlaces(), catalog, address, version, runLarge };
    for (const plugin of API_ROUTES) app.register(plugin, { prefix: "/api", ...options });
    app.register(exportRoutes, options);
    app.register(healthRoutes, { ...options, state: server.state });
    if (metrics !== undefined) addMetrics(app, metrics);
    if (pages !== undefined) app.register(pages, options);
  });
  return app;
}

function serverOptions(
  logger: FastifyBaseLogger,
  trustedProxies: readonly string[],
  { requestMs, headersMs, keepAliveMs, checkMs }: ClientTimeLimits,
): FastifyHttpOptions<Server> {
  return {
    loggerInstance: logger,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    // `addLog` writes the log line.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs as much as its line. Lines about a request contain its id.
    childLoggerFactory: (log) => log,
    genReqId: () => randomUUID(),
    bodyLimit: LIMITS.bodyBytesMax,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    http: {
      // Node's limit is above ours, so that a request slightly above our limit gets a complete answer.
      maxHeaderSize: 4 * LIMITS.urlBytesMax,
      requireHostHeader: false,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
    },
    clientErrorHandler: answerClientError,
    rewriteUrl: ({ url = "/" }) => repairUrl(url),
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: LIMITS.urlBytesMax,
      querystringParser: (text) => parseQueryString(text) as unknown as Record<string, unknown>,
    },
    frameworkErrors: (error, request, reply) => void sendProblem(error, request, reply),
    // Requests that arrive while the server drains are answered, and their connections end.
    return503OnClosing: false,
  };
}
