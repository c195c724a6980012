import type { FastifyInstance, FastifyRequest } from "fastify";
import { type BinderyError, fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { decodeBody, type SentBody } from "../../core/sent-body.js";
import { clip } from "../parameters/parameter-reader.js";
import { API_TYPES, startDigest } from "../parameters/request-headers.js";

/** Media type of a PATCH, RFC 7396; `application/json` is accepted too. */
const MERGE_PATCH = "application/merge-patch+json";

/** Length up to which a body that is too large is read and discarded, so the client can read the refusal. */
const DRAINED_BYTES_MAX = 4 * LIMITS.bodyBytesMax;

type Payload = NodeJS.ReadableStream;
type Done = (error: Error | null, body?: SentBody) => void;

/**
 * Passes bodies on as they are; services parse them in another thread. An absent body is `undefined` for any
 * Content-Type; a body of another type is a 415.
 */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([...API_TYPES], readBody);
  app.addContentTypeParser(MERGE_PATCH, (request, payload, done) =>
    (request.method === "PATCH" ? readBody : refuseBody)(request, payload, done),
  );
  app.addContentTypeParser("*", refuseBody);
}

function readBody(request: FastifyRequest, payload: Payload, done: Done): void {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    done(fail("MEDIA_TYPE_UNSUPPORTED", { type: `Content-Encoding: ${clip(encoding)}` }));
    return;
  }
  const { bodyLimit: max = LIMITS.bodyBytesMax } = request.routeOptions;
  const declared = Number(request.headers["content-length"] ?? max);
  const bytes = new BodyBytes(Math.min(declared, max));
  const digest = startDigest(request);
  let length = 0;
  let isOver = false;
  const end = (error: Error | null, body?: SentBody): void => {
    if (isOver) return;
    isOver = true;
    done(error, body);
  };
  payload.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length <= max) {
      bytes.append(chunk);
      digest?.update(chunk);
    } else bytes.clear();
    if (length > DRAINED_BYTES_MAX) end(tooLarge(max));
  });
  payload.on("error", (error: Error) => end(Object.assign(error, { code: "ECONNRESET" })));
  payload.on("end", () => {
    if (length > max) return end(tooLarge(max));
    if (length === 0) return end(null);
    if (digest !== undefined) request.bodyDigest = digest.digest("hex");
    let body: SentBody;
    try {
      body = bytes.end();
    } catch (error) {
      return end(error as BinderyError);
    }
    end(null, body);
  });
}

/** Longer bodies are not decoded here: decoding and copying 10 MB would block other requests for 20 to 30 ms. */
const TEXT_BYTES_MAX = 1024 * 1024;

/** Smallest capacity for a body of several chunks, in bytes. */
const CAPACITY_MIN = 16 * 1024;

/**
 * The bytes of a body as they arrive. They are copied into one piece of memory, so that many small chunks take no more
 * memory than a few large ones.
 */
export class BodyBytes {
  #bytes: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  #length = 0;
  readonly #lengthMax: number;
  readonly #textBytesMax: number;

  /** @param lengthMax bytes that will arrive at most */
  constructor(lengthMax: number, textBytesMax = TEXT_BYTES_MAX) {
    this.#lengthMax = lengthMax;
    this.#textBytesMax = textBytesMax;
  }

  append(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    // The only chunk of a short body is not copied.
    if (this.#length === 0 && length <= this.#textBytesMax) this.#bytes = chunk;
    else {
      if (length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(chunk, this.#length);
    }
    this.#length = length;
  }

  #grow(length: number): void {
    const old = this.#bytes.subarray(0, this.#length);
    this.#bytes =
      length > this.#textBytesMax
        ? // The system provides memory only for the pages that are written.
          Buffer.from(new SharedArrayBuffer(Math.max(length, this.#lengthMax)))
        : Buffer.allocUnsafe(Math.min(this.#textBytesMax, Math.max(CAPACITY_MIN, 2 * length)));
    this.#bytes.set(old);
  }

  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }

  /** Returns the text of a short body, or the bytes of a long one. @throws BODY_NOT_UTF8 for a short body */
  end(): SentBody {
    const bytes = this.#bytes.subarray(0, this.#length);
    if (bytes.length <= this.#textBytesMax) return decodeBody(bytes);
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }
}

function refuseBody(request: FastifyRequest, _payload: Payload, done: Done): void {
  const { "content-length": length, "transfer-encoding": coding, "content-type": type } = request.headers;
  const isEmpty = coding === undefined && (length === undefined || Number(length) === 0);
  const typeText = type === undefined ? "a body without a type" : clip(type);
  done(isEmpty ? null : fail("MEDIA_TYPE_UNSUPPORTED", { type: typeText }));
}

const tooLarge = (max: number): BinderyError => fail("BODY_TOO_LARGE", { max });
