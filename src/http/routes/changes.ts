import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { ChangesAnswer } from "../../services/api/change-services.js";
import { withWarnings } from "../answers/answer-text.js";
import { apiUrl, changeText } from "../answers/links.js";
import { PUBLIC, sendJson } from "../answers/reply.js";
import { callerOf } from "../edge/request-context.js";
import { API_TYPES, preferredType } from "../parameters/accept.js";
import { readParameters } from "../parameters/parameter-reader.js";
import type { Query } from "../parameters/query-string.js";
import { ChangesQuery } from "../parameters/requests.js";
import { ref } from "../schemas/components.js";
import { PROBLEMS } from "../schemas/responses.js";
import type { RouteOptions, Routes } from "./options.js";

const NDJSON = "application/x-ndjson";

/** Changes that are read in one go while all are streamed. */
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
          content: { "application/json": { schema: ref("ChangePage") }, [NDJSON]: { schema: ref("Change") } },
        },
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const asked = readRequest(request.query, request.headers.accept);
      const caller = callerOf(request);
      const first = await readFirst(options, { ...asked, caller }, waitSignal(reply, closing.signal));
      reply.header("cache-control", PUBLIC).header("vary", "accept");
      if (!first.hasWaited) reply.header("retry-after", LIMITS.changeWaitRetrySeconds);
      return asked.isStream ? sendLines(options, request, reply, asked) : sendPage(options, reply, asked, first);
    },
  });
};

interface Asked {
  readonly since: string;
  readonly size: number;
  readonly waitMs: number;
  readonly isStream: boolean;
  readonly warnings: readonly Warning[];
}

/** @throws PARAMETER_INVALID */
function readRequest(query: Query, accept: string | undefined): Asked {
  const { values, warnings } = readParameters(ChangesQuery, query);
  const { since, size, wait, format } = values;
  const isPreferred = preferredType(accept, [...API_TYPES, NDJSON]) === NDJSON;
  const isStream = format === undefined ? isPreferred : format === "ndjson";
  return { since, size, waitMs: wait * 1_000, isStream, warnings };
}

interface FirstPage extends ChangesAnswer {
  /** False where a wait was asked for and not granted. */
  readonly hasWaited: boolean;
}

/** The first page; where there is nothing yet, the one after the wait. */
async function readFirst(
  { services }: RouteOptions,
  { since, size, waitMs, caller }: Asked & { readonly caller: string },
  signal: AbortSignal,
): Promise<FirstPage> {
  const page = await services.readChanges({ since, size });
  if (page.changes.length > 0 || waitMs === 0) return { ...page, hasWaited: true };
  const hasWaited = await services.awaitChange({ since: page.next, waitMs, caller }, signal);
  return { ...(hasWaited ? await services.readChanges({ since: page.next, size }) : page), hasWaited };
}

const WAIT_REFUSED: Warning = {
  code: "WAIT_REFUSED",
  message:
    `Too many requests are already waiting for changes (at most ${LIMITS.changeWaitersPerCallerMax} per caller), so ` +
    `this one was answered at once; try again in ${LIMITS.changeWaitRetrySeconds} seconds.`,
  parameter: "wait",
};

/** Aborted when the client goes, or the server stops: then nobody waits any more. */
function waitSignal(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}

function sendPage({ address }: RouteOptions, reply: FastifyReply, asked: Asked, page: FirstPage): FastifyReply {
  const api = apiUrl(address);
  const warnings = page.hasWaited ? asked.warnings : [...asked.warnings, WAIT_REFUSED];
  const changes = page.changes.map((change) => changeText(api, change));
  const json = `{"changes":[${changes.join(",")}],"next":${JSON.stringify(page.next)}}`;
  return sendJson(reply, withWarnings(json, warnings));
}

/** Sends all changes up to the last one there is now. */
async function sendLines(
  options: RouteOptions,
  { method }: FastifyRequest,
  reply: FastifyReply,
  { since }: Asked,
): Promise<FastifyReply> {
  const until = await options.services.readChangeHead();
  const next = `${apiUrl(options.address)}/changes?since=${until}`;
  reply.header("content-type", `${NDJSON}; charset=utf-8`).header("link", `<${next}>; rel="next"`);
  // A HEAD would have all of it read for nothing.
  if (method === "HEAD") return reply.send();
  return reply.send(Readable.from(streamLines(options, since, until)));
}

async function* streamLines({ services, address }: RouteOptions, since: string, until: string): AsyncGenerator<string> {
  const api = apiUrl(address);
  for (let from = since; ; ) {
    const { changes, next, isEnd } = await services.readChanges({ since: from, size: STREAM_PAGE, until });
    if (changes.length > 0) yield changes.map((change) => `${changeText(api, change)}\n`).join("");
    if (isEnd) return;
    from = next;
  }
}
