import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import swagger from "@fastify/swagger";
import Fastify, { type FastifyBaseLogger, type FastifyHttpOptions, type FastifyInstance, LogController } from "fastify";
import { type BackgroundReporter, type ServiceState, WARNING_REPORTER } from "../core/background.js";
import type { Catalog } from "../core/catalog/types.js";
import { LIMITS } from "../core/limits.js";
import type { RateLimits } from "../core/rate-limits.js";
import type { Services } from "../services/api/services.js";
import type { PublicAddress } from "./answers/links.js";
import type { RunLarge } from "./answers/reply.js";
import type { SearchAnswers } from "./answers/search-answers.js";
import { sendProblem } from "./answers/send-problem.js";
import type { StreamAnswers } from "./answers/stream-answers.js";
import { addCharges, makeAdmission } from "./edge/admission.js";
import { addAuthentication } from "./edge/auth.js";
import { addBodyParsers } from "./edge/body.js";
import { answerClientError } from "./edge/client-error.js";
import { addCompression } from "./edge/compression.js";
import { type ConnectionLimits, guardConnections, PATIENCE, type Patience } from "./edge/connections.js";
import { addConnectRefusal, addDrain, addLog, addNotFound, addOpening, addRequestChecks } from "./edge/hooks.js";
import { addKeptAnswers, type KeptAnswers } from "./edge/kept-answers.js";
import { addRefusals } from "./edge/refusals.js";
import { addMetrics, type Metrics } from "./edge/request-metrics.js";
import { collectRoutes } from "./edge/route-table.js";
import { addSearchTurns, makeLargeTurns } from "./edge/search-turns.js";
import { makeStreamPlaces } from "./edge/stream-places.js";
import { describeApi } from "./openapi.js";
import { repairUrl } from "./parameters/percent.js";
import { parseQueryString } from "./parameters/query-string.js";
import { addAccessCheck } from "./routes/access.js";
import { changeRoutes } from "./routes/changes.js";
import { draftRoutes } from "./routes/drafts.js";
import { exportRoutes } from "./routes/exports.js";
import { fieldRoutes } from "./routes/fields.js";
import { grantRoutes } from "./routes/grants.js";
import { termHistoryRoutes } from "./routes/histories.js";
import { lookupRoutes } from "./routes/lookups.js";
import { modelRoutes } from "./routes/models.js";
import { queryTextRoutes } from "./routes/query.js";
import { addRecordIds } from "./routes/record-ids.js";
import { recordSearchRoutes } from "./routes/record-search.js";
import { recordRoutes } from "./routes/records.js";
import { healthRoutes, openApiRoute, serviceRoute } from "./routes/service.js";
import { termWriteRoutes } from "./routes/term-writes.js";
import { tokenRoutes } from "./routes/tokens.js";
import { versionRoutes } from "./routes/versions.js";
import { vocabularyRoutes } from "./routes/vocabularies.js";
import { BODY_COMPONENTS } from "./schemas/body-components.js";
import { CHANGE_COMPONENTS } from "./schemas/change-components.js";
import { COMPONENTS } from "./schemas/components.js";
import { MODEL_COMPONENTS } from "./schemas/model-components.js";
import { QUERY_COMPONENTS } from "./schemas/query-components.js";
import { RIGHTS_COMPONENTS } from "./schemas/rights-components.js";
import { SERVICE_COMPONENTS } from "./schemas/service-components.js";
import { TERM_COMPONENTS } from "./schemas/term-components.js";

/** Pages for people: what `src/web` exports. They are added below `/`, after all that the API adds. */
export type Pages = (
  app: FastifyInstance,
  options: {
    readonly services: Services;
    readonly catalog: Catalog;
    readonly address: PublicAddress;
    readonly version: string;
    readonly runLarge: RunLarge;
  },
) => Promise<void>;

export interface ServerOptions {
  readonly services: Services;
  readonly answers: SearchAnswers & StreamAnswers;
  readonly catalog: Catalog;
  readonly config: PublicAddress;
  /** Version of the package. */
  readonly version: string;
  readonly logger: FastifyBaseLogger;
  readonly pages?: Pages;
  /** Absent: requests are not counted. */
  readonly rateLimits?: RateLimits;
  /** Addresses and networks of proxies: what they say of whose request it is counts. */
  readonly trustedProxies?: readonly string[];
  readonly metrics?: Metrics;
  /** Reads the state of threads and background tasks; absent: there are none. */
  readonly state?: () => Promise<ServiceState>;
  /** Receives reports of background work; absent: its errors are warnings of the process. */
  readonly background?: BackgroundReporter;
  /** Absent: any number of connections. */
  readonly connections?: ConnectionLimits;
  /** Absent: no answers are kept. */
  readonly kept?: KeptAnswers;
  /** How long clients may take; absent: as LIMITS says. */
  readonly patience?: Patience;
}

const API_ROUTES = [
  ...[recordSearchRoutes, queryTextRoutes, recordRoutes, versionRoutes, draftRoutes, grantRoutes, tokenRoutes],
  ...[modelRoutes, fieldRoutes, vocabularyRoutes, lookupRoutes, termWriteRoutes, termHistoryRoutes, changeRoutes],
  openApiRoute,
  serviceRoute,
];

const ALL_COMPONENTS = [
  ...[COMPONENTS, QUERY_COMPONENTS, MODEL_COMPONENTS, CHANGE_COMPONENTS, RIGHTS_COMPONENTS].flat(),
  ...[TERM_COMPONENTS, SERVICE_COMPONENTS, BODY_COMPONENTS].flat(),
];

/** The server, not listening yet: everything that http-api.md promises, over the services. */
export function buildServer(server: ServerOptions): FastifyInstance {
  const { services, catalog, config: address, version, logger, pages, rateLimits, metrics } = server;
  const { background = WARNING_REPORTER, answers } = server;
  const { connections: limits, trustedProxies = [], patience = PATIENCE } = server;
  const app = Fastify(serverOptions(logger, trustedProxies, patience));
  const { stallMs } = patience;
  guardConnections(app.server, { limits, trustedProxies, stallMs, registry: metrics?.registry, logger });
  // An expectation other than 100-continue is nothing that we must refuse (RFC 9110, 10.1.1).
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  const routes = collectRoutes(app);
  addBodyParsers(app);
  // The path decides which parameters there are (the facets of a model), so handlers read them (`readParameters`), by
  // the schemas of the routes. Services read bodies, and answers are texts already.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(sendProblem);
  addOpening(app, routes);
  addConnectRefusal(app, routes);
  addLog(app);
  addDrain(app);
  addRefusals(app, services, catalog, background);
  for (const component of ALL_COMPONENTS) app.addSchema(component);

  app.register(swagger, describeApi(version));
  const admission = makeAdmission(rateLimits);
  // After those: an error of what follows must carry their headers, and the document must know all routes.
  app.after(() => {
    addCharges(app, admission);
    addCompression(app);
    addRequestChecks(app);
    addSearchTurns(app, metrics?.registry);
    addAuthentication(app, services, admission.admit, background);
    if (server.kept !== undefined) addKeptAnswers(app, server.kept, metrics?.registry);
    addRecordIds(app, services);
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
  { requestMs, headersMs, keepAliveMs, checkMs }: Patience,
): FastifyHttpOptions<Server> {
  return {
    loggerInstance: logger,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    // `addLog` writes our own line.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs as much as its line. Lines about a request contain its id.
    childLoggerFactory: (log) => log,
    genReqId: () => randomUUID(),
    bodyLimit: LIMITS.bodyBytesMax,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    http: {
      // Node's own limit is above ours, so that what is a little too long gets a whole answer. No Host is needed.
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
    // What arrives while the server drains is still answered; only the connection ends with it.
    return503OnClosing: false,
  };
}
