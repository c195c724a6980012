import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type BinderyError, fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { API_TYPES } from "../parameters/accept.js";
import { clip } from "../parameters/parameter-reader.js";

/** The type of what a PATCH sends, RFC 7396; `application/json` is taken too. */
const MERGE_PATCH = "application/merge-patch+json";

/** A body too large is read to this length and thrown away, so that the client can hear why it was refused. */
const DRAINED_BYTES_MAX = 4 * LIMITS.bodyBytesMax;

type Payload = NodeJS.ReadableStream;
type Done = (error: Error | null, body?: string) => void;

/**
 * Bodies are handed on as text: the service parses, in its own thread. No body is `undefined`, whatever Content-Type
 * says; a body of another type is a 415.
 */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([...API_TYPES], readText);
  app.addContentTypeParser(MERGE_PATCH, (request, payload, done) =>
    (request.method === "PATCH" ? readText : refuseBody)(request, payload, done),
  );
  app.addContentTypeParser("*", refuseBody);
}

function readText(request: FastifyRequest, payload: Payload, done: Done): void {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    done(fail("MEDIA_TYPE_UNSUPPORTED", { type: `Content-Encoding: ${clip(encoding)}` }));
    return;
  }
  const { bodyLimit: max = LIMITS.bodyBytesMax } = request.routeOptions;
  let chunks: Buffer[] = [];
  let length = 0;
  let isOver = false;
  const end = (error: Error | null, body?: string): void => {
    if (isOver) return;
    isOver = true;
    done(error, body);
  };
  payload.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length <= max) chunks.push(chunk);
    else chunks = [];
    if (length > DRAINED_BYTES_MAX) end(tooLarge(max));
  });
  payload.on("error", (error: Error) => end(Object.assign(error, { code: "ECONNRESET" })));
  payload.on("end", () => {
    if (length > max) return end(tooLarge(max));
    if (length === 0) return end(null);
    const bytes = Buffer.concat(chunks, length);
    if (!isUtf8(bytes)) return end(fail("BODY_NOT_UTF8"));
    const text = bytes.toString("utf8");
    return end(null, text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  });
}

function refuseBody(request: FastifyRequest, _payload: Payload, done: Done): void {
  const { "content-length": length, "transfer-encoding": coding, "content-type": type } = request.headers;
  const isEmpty = coding === undefined && (length === undefined || Number(length) === 0);
  const sent = type === undefined ? "a body without a type" : clip(type);
  done(isEmpty ? null : fail("MEDIA_TYPE_UNSUPPORTED", { type: sent }));
}

const tooLarge = (max: number): BinderyError => fail("BODY_TOO_LARGE", { max });

const BYTE_ORDER_MARK = "\uFEFF";
