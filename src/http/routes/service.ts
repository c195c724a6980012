import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { ref } from "../../core/answer.js";
import { Health, Readiness, ServiceSummary } from "../../core/answers/service.js";
import { type Damage, type ServiceState, type UnavailableThread, WARNED_TASKS } from "../../core/background.js";
import { BinderyError, fail } from "../../core/errors.js";
import type { IndexStatus } from "../../services/api/admin.js";
import { apiUrl, serviceLinks } from "../answers/links.js";
import { makeCatalogDocument, PUBLIC, sendCatalogDocument, sendJson } from "../answers/reply.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { IfNoneMatch, NoQuery } from "../parameters/requests.js";
import { ANY_OBJECT, CONTENT_ETAG, emptyAnswer, jsonAnswer, PROBLEMS } from "../schemas/responses.js";
import type { RouteOptions, Routes } from "./options.js";

/** Route of the service itself: its name, version and links. */
export const serviceRoute: Routes = async (app, { address, version }) => {
  app.get("", {
    schema: {
      operationId: "readService",
      summary: "Name, version and links of the service",
      tags: ["Service"],
      querystring: NoQuery.schema,
      headers: IfNoneMatch,
      response: {
        200: jsonAnswer(ref(ServiceSummary), "The service.", CONTENT_ETAG),
        304: emptyAnswer("Not modified."),
        ...PROBLEMS,
      },
    },
    handler: (request, reply) => {
      const { warnings } = readParameters(NoQuery, request.query);
      const service: ServiceSummary = { name: "Bindery", version, links: serviceLinks(apiUrl(address)) };
      return sendCatalogDocument(request, reply, makeCatalogDocument(service), warnings);
    },
  });
};

/** Route of the OpenAPI document. */
export const openApiRoute: Routes = async (app, { address }) => {
  app.get("/openapi.json", {
    schema: {
      operationId: "readOpenApi",
      summary: "Read this document",
      tags: ["Service"],
      response: { 200: jsonAnswer(ANY_OBJECT, "OpenAPI 3.1."), ...PROBLEMS },
    },
    handler: (_request, reply) => {
      const servers = [{ url: apiUrl(address).slice(0, -"/api".length) }];
      return sendJson(reply.header("cache-control", PUBLIC), JSON.stringify({ ...app.swagger(), servers }));
    },
  });
};

interface HealthOptions extends RouteOptions {
  /** Reads the state of threads and background tasks; absent if there is none. */
  readonly state?: (() => Promise<ServiceState>) | undefined;
}

const EMPTY_STATE: ServiceState = { unavailableThreads: [], failures: [], damages: [] };

/** Returns one error for all damages. It names one part: the file if it is damaged, rather than a row. */
function damageError(damages: readonly Damage[]): BinderyError {
  const isRow = ({ record, row }: Damage): boolean => record !== undefined || row !== undefined;
  const [first, ...rest] = [...damages].sort((a, b) => Number(isRow(a)) - Number(isRow(b)));
  const { part, reason, since } = first!;
  const more = rest.length === 0 ? "" : `; ${rest.length} more parts are damaged, see the log`;
  return fail("STORE_DAMAGED", { part, reason: `${reason} (noticed at ${since}${more})` });
}

/** Threads of the first process that answer searches. With several processes, those of another process answer them. */
const SEARCH_THREADS: ReadonlySet<string> = new Set(["search", "loader thread"]);

/** Returns the threads that do not answer. @throws STORE_UNAVAILABLE while no search can be answered */
function describeThreads(threads: readonly UnavailableThread[]): Pick<Readiness, "threads"> {
  const missing = threads.find(({ source, isEnded }) => isEnded && SEARCH_THREADS.has(source));
  if (missing !== undefined) {
    const { source, reason, since } = missing;
    throw fail("STORE_UNAVAILABLE", { reason: `the ${source} is restarting since ${since} (${reason})` });
  }
  if (threads.length === 0) return {};
  return {
    threads: threads.map(({ thread, source, reason, isEnded, since }) => ({
      thread,
      source,
      reason,
      state: isEnded ? "restarting" : "silent",
      since,
    })),
  };
}

const FAR_BEHIND = "The index is far behind: searches may lack the last changes and say so, or answer 503.";

/** Returns the problems that the operator must solve at once, each with its remedy; refused writes first. */
function operatorWarning({ refusedWrites, failures }: ServiceState): Pick<Readiness, "warning"> {
  const warnings = new Set<string>();
  if (refusedWrites !== undefined) {
    const { reason, cure = "The log has more of it." } = refusedWrites;
    warnings.add(
      `Nothing can be written: ${reason}. ${cure} Reads continue, and writes resume automatically after that.`,
    );
  }
  for (const { task, message } of failures) if (WARNED_TASKS.has(task)) warnings.add(message);
  return warnings.size === 0 ? {} : { warning: [...warnings].join(" ") };
}

function describeIndex(index: IndexStatus | undefined): Pick<Readiness, "index"> {
  if (index === undefined) return {};
  const { isCurrent, refused, isFarBehind = false } = index;
  const body = {
    behind_changes: index.behindPublicChanges,
    behind_seconds: Math.round(index.behindPublicSeconds * 1_000) / 1_000,
    refused,
    warning: isFarBehind ? FAR_BEHIND : undefined,
  };
  return { index: isCurrent ? body : { ...body, being_made: true } };
}

/** Routes of health checks: whether the process is alive, and whether the service is ready. */
export const healthRoutes: FastifyPluginAsyncTypebox<HealthOptions> = async (app, { services, state }) => {
  app.get("/healthz", {
    config: { ignoresToken: true, effort: "none" },
    schema: {
      operationId: "checkHealth",
      summary: "Check whether the process is alive",
      tags: ["Service"],
      response: { 200: jsonAnswer(Health, "The process is alive."), ...PROBLEMS },
    },
    handler: (_request, reply) => sendJson(reply.header("cache-control", "no-store"), '{"status":"ok"}'),
  });

  app.get("/readyz", {
    config: { ignoresToken: true, effort: "none" },
    schema: {
      operationId: "checkReady",
      summary: "Check whether the service is ready",
      tags: ["Service"],
      response: { 200: jsonAnswer(Readiness, "The service is ready."), ...PROBLEMS },
    },
    handler: async (_request, reply) => {
      await services.checkReady().catch((error: unknown) => {
        throw error instanceof BinderyError
          ? error
          : fail("STORE_UNAVAILABLE", { reason: "the store is not available" }, error);
      });
      const [index] = await services.listIndexes().catch(() => []);
      const serviceState = (await state?.()) ?? EMPTY_STATE;
      const { failures, damages, integrity, unavailableThreads } = serviceState;
      if (damages.length > 0) throw damageError(damages);
      const threads = describeThreads(unavailableThreads);
      const errors = failures.length === 0 ? {} : { background_errors: failures };
      const check = integrity === undefined ? {} : { integrity_check: integrity };
      const readiness: Readiness = {
        status: "ready",
        ...operatorWarning(serviceState),
        ...describeIndex(index),
        ...check,
        ...threads,
        ...errors,
      };
      return sendJson(reply.header("cache-control", "no-store"), JSON.stringify(readiness));
    },
  });
};
