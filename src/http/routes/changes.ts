import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ref } from "../../core/answer.js";
import { PublicChange, PublicChangePage } from "../../core/answers/service.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { ChangesAnswer } from "../../services/api/changes.js";
import { changeText, withWarnings } from "../answers/answer-text.js";
import { apiUrl } from "../answers/links.js";
import { PUBLIC, sendJson } from "../answers/reply.js";
import { callerOf } from "../edge/request-context.js";
import { readParameters } from "../parameters/parameter-reader.js";
import { API_TYPES, preferredType } from "../parameters/request-headers.js";
import { ChangesQuery } from "../parameters/requests.js";
import type { Query } from "../parameters/url-encoding.js";
import { PROBLEMS } from "../schemas/responses.js";
import type { RouteOptions, Routes } from "./options.js";

const NDJSON = "application/x-ndjson";

/** Number of changes per read while all changes are streamed. */
const STREAM_PAGE = 500;

/** The change feed. */
export const changeRoutes: Routes = async (app, options) => {
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());

  app.get("/changes", {
    config: { produces: [...API_TYPES, NDJSON] },
    schema: {
      operationId: "listChanges",
      summary: "List the changes of published records and of terms, in commit order",
      tags: ["Changes"],
      querystring: ChangesQuery.schema,
      response: {
        200: {
          description:
            "One page of changes; or all of them, one per line, with a Link header to the changes that follow.",
          content: { "application/json": { schema: ref(PublicChangePage) }, [NDJSON]: { schema: ref(PublicChange) } },
        },
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const feed = readFeedRequest(request.query, request.headers.accept);
      const caller = callerOf(request);
      const page = await readFirstPage(options, { ...feed, caller }, waitSignal(reply, closing.signal));
      reply.header("cache-control", PUBLIC).header("vary", "accept");
      if (page.isWaitRefused) reply.header("retry-after", LIMITS.changeWaitRetrySeconds);
      return feed.isStream ? sendLines(options, request, reply, feed) : sendPage(options, reply, feed, page);
    },
  });
};

/** Parameters of a request for changes. */
interface FeedRequest {
  readonly since: string;
  readonly size: number;
  readonly waitMs: number;
  readonly isStream: boolean;
  readonly warnings: readonly Warning[];
}

/** @throws PARAMETER_INVALID */
function readFeedRequest(query: Query, accept: string | undefined): FeedRequest {
  const { values, warnings } = readParameters(ChangesQuery, query);
  const { since, size, wait, format } = values;
  const isPreferred = preferredType(accept, [...API_TYPES, NDJSON]) === NDJSON;
  const isStream = format === undefined ? isPreferred : format === "ndjson";
  return { since, size, waitMs: wait * 1_000, isStream, warnings };
}

interface FirstPage extends ChangesAnswer {
  /** True if the request asked for a wait, and too many requests of its caller wait already. */
  readonly isWaitRefused: boolean;
}

/** Reads the first page; if it is empty, the page after the wait. */
async function readFirstPage(
  { services }: RouteOptions,
  { since, size, waitMs, caller }: FeedRequest & { readonly caller: string },
  signal: AbortSignal,
): Promise<FirstPage> {
  const page = await services.readChanges({ since, size });
  if (page.changes.length > 0 || waitMs === 0) return { ...page, isWaitRefused: false };
  const hasWaited = await services.awaitChange({ since: page.next, waitMs, caller }, signal);
  if (!hasWaited) return { ...page, isWaitRefused: true };
  return { ...(await services.readChanges({ since: page.next, size })), isWaitRefused: false };
}

const WAIT_REFUSED: Warning = {
  code: "WAIT_REFUSED",
  message:
    `Too many requests are already waiting for changes (at most ${LIMITS.changeWaitersPerCallerMax} per caller), so ` +
    `this one was answered at once; try again in ${LIMITS.changeWaitRetrySeconds} seconds.`,
  parameter: "wait",
};

/** Returns a signal that ends a wait when the client disconnects or the server stops. */
function waitSignal(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const disconnected = new AbortController();
  reply.raw.once("close", () => disconnected.abort());
  return AbortSignal.any([disconnected.signal, closing]);
}

function sendPage({ address }: RouteOptions, reply: FastifyReply, feed: FeedRequest, page: FirstPage): FastifyReply {
  const api = apiUrl(address);
  const warnings = page.isWaitRefused ? [...feed.warnings, WAIT_REFUSED] : feed.warnings;
  const changes = page.changes.map((change) => changeText(api, change));
  const json = `{"changes":[${changes.join(",")}],"next":${JSON.stringify(page.next)}}`;
  return sendJson(reply, withWarnings(json, warnings));
}

/** Sends all changes up to the current last one. */
async function sendLines(
  options: RouteOptions,
  { method }: FastifyRequest,
  reply: FastifyReply,
  { since }: FeedRequest,
): Promise<FastifyReply> {
  const until = await options.services.readChangeHead();
  const next = `${apiUrl(options.address)}/changes?since=${until}`;
  reply.header("content-type", `${NDJSON}; charset=utf-8`).header("link", `<${next}>; rel="next"`);
  // A HEAD needs no body, so the changes are not read.
  if (method === "HEAD") return reply.send();
  return reply.send(Readable.from(streamLines(options, since, until)));
}

async function* streamLines({ services, address }: RouteOptions, since: string, until: string): AsyncGenerator<string> {
  const api = apiUrl(address);
  for (let position = since; ; ) {
    const { changes, next, isEnd } = await services.readChanges({ since: position, size: STREAM_PAGE, until });
    if (changes.length > 0) yield changes.map((change) => `${changeText(api, change)}\n`).join("");
    if (isEnd) return;
    position = next;
  }
}
