import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { BinderyError } from "../../core/errors.js";
import { problemHeaders, problemOf, toBinderyError } from "../answers/send-problem.js";

/** A client may still be sending when it is refused: what comes is thrown away for so long, and it can read why. */
const LINGER_MS = 1_000;

/** Answers what Node's parser refused, before there is a request: in our shape too, and then the connection ends. */
export function answerClientError(error: Error, socket: Socket): void {
  const code = "code" in error ? error.code : undefined;
  if (code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  refuseConnection(toBinderyError(error), socket);
}

/** Answers on the bare connection, where there is no request that Fastify could answer, and ends it. */
export function refuseConnection(error: BinderyError, socket: Duplex): void {
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
