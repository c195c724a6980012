import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { ChangesAnswer } from "../../services/api/change-services.js";
import { withWarnings } from "../answers/answer-text.js";
import { apiUrl, changeText } from "../answers/links.js";
import { PUBLIC, sendJson } from "../answers/reply.js";
import { callerOf } from "../edge/caller.js";
import { API_TYPES } from "../edge/request-context.js";
import { preferredType } from "../parameters/accept.js";
import { type ParameterReader, readParameters } from "../parameters/parameter-reader.js";
import { ref } from "../schemas/components.js";
import { ChangesQuery } from "../schemas/requests.js";
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
      querystring: ChangesQuery,
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
      const asked = readRequest(request);
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
function readRequest({ query, headers }: FastifyRequest): Asked {
  const reader = readParameters(query as Parameters<typeof readParameters>[0]);
  const since = reader.one("since") ?? "0";
  const size = reader.count(["size", "s"], LIMITS.changePageSizeMax) ?? LIMITS.changePageSizeDefault;
  const waitMs = readWait(reader) * 1_000;
  const format = reader.choice("format", ["json", "ndjson"]);
  const warnings = reader.finish();
  const type = preferredType(headers.accept, [...API_TYPES, NDJSON]);
  return { since, size, waitMs, isStream: format === undefined ? type === NDJSON : format === "ndjson", warnings };
}

/** Seconds. */
function readWait(reader: ParameterReader): number {
  const text = reader.one("wait");
  if (text === undefined) return 0;
  const seconds = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= LIMITS.changeWaitSecondsMax) return seconds;
  const message = `The parameter "wait" must be a number of seconds from 0 to ${LIMITS.changeWaitSecondsMax}.`;
  reader.refuse(["wait"], "PARAMETER_INVALID", message);
  return 0;
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
