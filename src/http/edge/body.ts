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
  const text = new Utf8Text();
  let length = 0;
  let isOver = false;
  const end = (error: Error | null, body?: string): void => {
    if (isOver) return;
    isOver = true;
    done(error, body);
  };
  payload.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length <= max) text.append(chunk);
    else text.clear();
    if (length > DRAINED_BYTES_MAX) end(tooLarge(max));
  });
  payload.on("error", (error: Error) => end(Object.assign(error, { code: "ECONNRESET" })));
  payload.on("end", () => {
    if (length > max) return end(tooLarge(max));
    if (length === 0) return end(null);
    const body = text.end();
    if (body === undefined) return end(fail("BODY_NOT_UTF8"));
    return end(null, body.startsWith(BYTE_ORDER_MARK) ? body.slice(1) : body);
  });
}

/** Text decoded piece by piece as its bytes arrive. Decoding 10 MB at the end would block the thread for 20 ms. */
export class Utf8Text {
  #pieces: string[] = [];
  /** First bytes of a character whose remaining bytes have not arrived yet. */
  #rest: Buffer = Buffer.of();
  #isValid = true;

  append(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = endOfCharacters(bytes);
    const whole = bytes.subarray(0, end);
    this.#rest = bytes.subarray(end);
    this.#isValid &&= isUtf8(whole);
    if (this.#isValid) this.#pieces.push(whole.toString("utf8"));
  }

  clear(): void {
    this.#pieces = [];
    this.#rest = Buffer.of();
  }

  /** Returns the text, or undefined if its bytes are not UTF-8. */
  end(): string | undefined {
    return this.#isValid && this.#rest.length === 0 ? this.#pieces.join("") : undefined;
  }
}

/** Length of the longest UTF-8 character, in bytes. */
const CHARACTER_BYTES_MAX = 4;

/** Returns the index after the last complete character. Arbitrary if the bytes are not UTF-8. */
function endOfCharacters(bytes: Buffer): number {
  for (let length = 1; length < CHARACTER_BYTES_MAX && length <= bytes.length; length++) {
    const byte = bytes[bytes.length - length]!;
    if (byte >= 0xc0) return byte >= LEADING_BYTES[length]! ? bytes.length - length : bytes.length;
    if (byte < 0x80) break;
  }
  return bytes.length;
}

/** By number of bytes: the lowest leading byte of a character that is longer. */
const LEADING_BYTES = [0, 0xc0, 0xe0, 0xf0];

function refuseBody(request: FastifyRequest, _payload: Payload, done: Done): void {
  const { "content-length": length, "transfer-encoding": coding, "content-type": type } = request.headers;
  const isEmpty = coding === undefined && (length === undefined || Number(length) === 0);
  const sent = type === undefined ? "a body without a type" : clip(type);
  done(isEmpty ? null : fail("MEDIA_TYPE_UNSUPPORTED", { type: sent }));
}

const tooLarge = (max: number): BinderyError => fail("BODY_TOO_LARGE", { max });

const BYTE_ORDER_MARK = "\uFEFF";
