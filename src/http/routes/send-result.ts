import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type PublicAddress, siteOf } from "../answers/links.js";
import { PRIVATE, PUBLIC, withCharset } from "../answers/reply.js";
import type { StreamAnswers, StreamCall } from "../answers/stream-answers.js";
import { callerOf } from "../edge/request-context.js";
import type { ResultFormat } from "../parameters/result-format.js";
import type { RouteOptions } from "./options.js";

/** Whole result of a search. */
interface Result {
  readonly format: ResultFormat;
  /** Name of the file, without extension. */
  readonly name: string;
  readonly isPrivate?: boolean;
  /** Opens the stream. @returns its number */
  open(): Promise<number>;
}

/** Returns the place and the time of a request for a result, for formats that contain them. */
export function requestOrigin(
  { url }: FastifyRequest,
  address: PublicAddress,
): Pick<StreamCall<never>, "site" | "address" | "time"> {
  const site = siteOf(address);
  return { site, address: site.url + url, time: new Date().toISOString() };
}

/**
 * Sends the whole result of a search, as fast as the client reads it. The work ends when the client disconnects.
 *
 * @throws STREAMS_TOO_MANY; the errors of the search
 */
export async function sendResult(
  { answers, places }: Pick<RouteOptions, "answers" | "places">,
  request: FastifyRequest,
  reply: FastifyReply,
  { format, name, isPrivate = false, open }: Result,
): Promise<FastifyReply> {
  const releasePlace = places.take(callerOf(request));
  let stream: number;
  try {
    stream = await open();
  } catch (error) {
    releasePlace();
    throw error;
  }
  const end = (): void => {
    releasePlace();
    answers.closeStream(stream).catch((error: unknown) => {
      request.log.warn({ err: error }, "A streamed result could not be closed; it ends by itself.");
    });
  };
  reply
    .header("cache-control", isPrivate ? PRIVATE : PUBLIC)
    .header("vary", "accept")
    .header("content-type", withCharset(format.mediaType))
    .header("content-disposition", `attachment; filename="${name}.${format.extension}"`);
  if (request.method === "HEAD") {
    end();
    return reply.send();
  }
  const body = Readable.from(readPieces(answers, stream, end)).once("close", end);
  reply.raw.once("close", () => body.destroy());
  if (reply.raw.destroyed) body.destroy();
  return reply.send(body);
}

/**
 * Yields the pieces of a stream.
 * @param end called after the last piece, so that the place is free for an immediate next request of the client
 */
async function* readPieces(
  answers: Pick<StreamAnswers, "readStream">,
  stream: number,
  end: () => void,
): AsyncGenerator<Buffer> {
  for (;;) {
    const { bytes } = await answers.readStream(stream);
    if (bytes === undefined) return end();
    yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}
