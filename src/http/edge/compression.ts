import { pipeline, type Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import type { FastifyInstance, FastifyReply } from "fastify";
import { parseQualities } from "../parameters/request-headers.js";

/** Smaller answers fit into one packet anyway. */
const BYTES_MIN = 1_024;

/** Media types of answers that compression makes smaller. */
const COMPRESSIBLE =
  /^(text\/|image\/svg\+xml|application\/([\w.+-]*(json|xml)|x-(ndjson|bibtex|research-info-systems)|openmetrics-text)\b)/;

type Buffers = (input: Buffer | string, done: (error: Error | null, output: Buffer) => void) => void;

/** A content coding: for a whole answer, which a thread of Node's pool compresses, and for a stream. */
interface Coding {
  readonly name: string;
  whole: Buffers;
  stream(): Transform;
}

/** Zstandard and its types exist since Node 22.15 and 23.8. */
interface WithZstd {
  readonly zstdCompress?: (input: Buffer | string, options: object, done: Parameters<Buffers>[1]) => void;
  readonly createZstdCompress?: (options: object) => Transform;
}

/**
 * Content codings at the cheapest levels with most of the gain: bench/results has their costs. The order decides if a
 * client prefers several equally.
 */
function knownCodings(): readonly Coding[] {
  const brotli = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
  const gzip = { level: GZIP_LEVEL };
  const { zstdCompress, createZstdCompress } = zlib as WithZstd;
  const zstd: Coding[] =
    zstdCompress === undefined || createZstdCompress === undefined
      ? []
      : [
          {
            name: "zstd",
            whole: (input, done) => zstdCompress(input, {}, done),
            stream: () => createZstdCompress({}),
          },
        ];
  return [
    ...zstd,
    {
      name: "br",
      whole: (input, done) => zlib.brotliCompress(input, brotli, done),
      stream: () => zlib.createBrotliCompress(brotli),
    },
    { name: "gzip", whole: (input, done) => zlib.gzip(input, gzip, done), stream: () => zlib.createGzip(gzip) },
  ];
}

const BROTLI_QUALITY = 1;
const GZIP_LEVEL = 1;

/**
 * Compresses answers above 1 kB for clients that request it, and streams of any length. The ETag does not change: it
 * names a revision, which clients send back in `If-Match`, and byte ranges, which would need identical bytes, are not
 * served. (There are no login cookies. So no other site can request answers that contain both a secret of the user and
 * a guess, and compare their lengths.)
 */
export function addCompression(app: FastifyInstance): void {
  const codings = knownCodings();
  app.addHook<unknown>("onSend", (request, reply, payload, done) => {
    // An error that replaces an answer is not compressed.
    if (reply.hasHeader("content-encoding")) reply.removeHeader("content-encoding");
    const isSmaller = isCompressible(reply, payload);
    if (isSmaller || reply.statusCode === 304) vary(reply);
    if (!isSmaller || payloadLength(payload) < BYTES_MIN) return done(null, payload);
    const coding = chooseCoding(request.headers["accept-encoding"], codings);
    if (coding === undefined) return done(null, payload);
    const codedBody = request.codedBodies?.get(coding.name);
    if (codedBody !== undefined) {
      mark(reply, coding);
      return done(null, codedBody);
    }
    if (isStream(payload)) {
      mark(reply, coding);
      // The end of one of the two ends the other; Fastify watches the second.
      return done(
        null,
        pipeline(payload, coding.stream(), () => undefined),
      );
    }
    coding.whole(payload, (error, output) => {
      if (error === null) {
        request.codedBodies?.set(coding.name, output);
        mark(reply, coding);
      } else {
        const { id: reqId, log } = request;
        log.warn({ reqId, err: error }, "A response could not be compressed; it is sent uncompressed.");
      }
      done(null, error === null ? output : payload);
    });
  });
}

type Payload = string | Buffer | Readable;

const isStream = (payload: Payload): payload is Readable => typeof payload !== "string" && !Buffer.isBuffer(payload);

function isCompressible(reply: FastifyReply, payload: unknown): payload is Payload {
  const isSome = typeof payload === "string" || Buffer.isBuffer(payload) || typeof payload === "object";
  return isSome && payload !== null && COMPRESSIBLE.test(String(reply.getHeader("content-type")));
}

/** Returns the length of a body: bytes, or characters of a text (at most as many). Unknown for a stream. */
const payloadLength = (payload: Payload): number => (isStream(payload) ? Number.POSITIVE_INFINITY : payload.length);

function vary(reply: FastifyReply): void {
  const header = reply.getHeader("vary");
  if (header === undefined) return void reply.header("vary", "accept-encoding");
  const text = `${[header].flat().join(", ")}, `;
  if (!/accept-encoding/i.test(text)) reply.header("vary", `${text}accept-encoding`);
}

function mark(reply: FastifyReply, { name }: Coding): void {
  reply.removeHeader("content-length");
  reply.header("content-encoding", name);
}

/** Returns the coding that a client prefers; undefined if it accepts or prefers none (RFC 9110, 12.5.3). */
function chooseCoding(header: string | undefined, codings: readonly Coding[]): Coding | undefined {
  if (header === undefined) return undefined;
  const wishes = new Map(parseQualities(header).map(([name, quality]) => [name.replace(/^x-/, ""), quality]));
  const qualityOf = ({ name }: Coding): number => wishes.get(name) ?? wishes.get("*") ?? 0;
  const [best] = [...codings].sort((a, b) => qualityOf(b) - qualityOf(a));
  const isLiked = best !== undefined && qualityOf(best) > 0 && qualityOf(best) >= (wishes.get("identity") ?? 0);
  return isLiked ? best : undefined;
}
