import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { BinderyError } from "../../core/errors.js";
import { problemHeaders, problemOf, toBinderyError } from "../answers/send-problem.js";

/** Time in which further data of a refused client are discarded, so the client can read the answer. */
const LINGER_MS = 1_000;

/** Answers a request that Node's parser refused with a problem, as any other error, and ends the connection. */
export function answerClientError(error: Error, socket: Socket): void {
  const code = "code" in error ? error.code : undefined;
  if (code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  refuseConnection(toBinderyError(error), socket);
}

/** Writes an error to a connection without a Fastify request, and ends the connection. */
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
