import { isAscii, isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type BinderyError, fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { API_TYPES } from "../parameters/accept.js";
import { clip } from "../parameters/parameter-reader.js";

/** Media type of a PATCH, RFC 7396; `application/json` is accepted too. */
const MERGE_PATCH = "application/merge-patch+json";

/** Length up to which a body that is too large is read and discarded, so the client can read the refusal. */
const DRAINED_BYTES_MAX = 4 * LIMITS.bodyBytesMax;

type Payload = NodeJS.ReadableStream;
type Done = (error: Error | null, body?: string) => void;

/**
 * Passes bodies on as text; services parse them in another thread. An absent body is `undefined` for any Content-Type;
 * a body of another type is a 415.
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
    const json = body.startsWith(BYTE_ORDER_MARK) ? body.slice(1) : body;
    if (length < PIECE_BYTES) return end(null, json);
    // Joining the pieces and sending them to another thread block as long as decoding: other requests come first.
    setImmediate(() => end(null, json));
  });
}

/**
 * Number of bytes that are decoded at once. Decoding 10 MB at the end would block the thread for 20 ms, and many small
 * strings would keep the garbage collector as long.
 */
const PIECE_BYTES = 1024 * 1024;

/** A client may send each byte as a chunk, and a chunk takes about 800 bytes of memory. */
const CHUNKS_MAX = 1_000;

/** A text that is decoded in pieces as its bytes arrive. */
export class Utf8Text {
  #pieces: string[] = [];
  /** Bytes that are not decoded yet. */
  #chunks: Buffer[] = [];
  #length = 0;
  #isValid = true;
  readonly #pieceBytes: number;

  constructor(pieceBytes = PIECE_BYTES) {
    this.#pieceBytes = pieceBytes;
  }

  append(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#pieceBytes && this.#chunks.length < CHUNKS_MAX) return;
    const bytes = this.#takeBytes();
    const end = endOfCharacters(bytes);
    this.#decode(bytes.subarray(0, end));
    if (end < bytes.length) this.#chunks.push(bytes.subarray(end));
    this.#length = bytes.length - end;
  }

  clear(): void {
    this.#pieces = [];
    this.#takeBytes();
  }

  /** Returns the text, or undefined if its bytes are not UTF-8. */
  end(): string | undefined {
    this.#decode(this.#takeBytes());
    return this.#isValid ? this.#pieces.join("") : undefined;
  }

  #takeBytes(): Buffer {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#length = 0;
    return bytes;
  }

  #decode(bytes: Buffer): void {
    this.#isValid &&= isUtf8(bytes);
    if (!this.#isValid) this.#pieces = [];
    // For ASCII, decoding as Latin-1 gives the same text faster.
    else this.#pieces.push(bytes.toString(isAscii(bytes) ? "latin1" : "utf8"));
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

/** Lowest leading byte of longer characters, by number of bytes. */
const LEADING_BYTES = [0, 0xc0, 0xe0, 0xf0];

function refuseBody(request: FastifyRequest, _payload: Payload, done: Done): void {
  const { "content-length": length, "transfer-encoding": coding, "content-type": type } = request.headers;
  const isEmpty = coding === undefined && (length === undefined || Number(length) === 0);
  const sent = type === undefined ? "a body without a type" : clip(type);
  done(isEmpty ? null : fail("MEDIA_TYPE_UNSUPPORTED", { type: sent }));
}

const tooLarge = (max: number): BinderyError => fail("BODY_TOO_LARGE", { max });

const BYTE_ORDER_MARK = "\uFEFF";
