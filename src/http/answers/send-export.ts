import type { FastifyReply, FastifyRequest } from "fastify";
import type { RecordFormat } from "../../formats/records/record-format.js";
import type { ExportAnswer } from "../../services/api/record-services.js";
import { contentETag, hasETag } from "../parameters/etag.js";
import type { RunLarge } from "./reply.js";

/** Texts of these types have a charset; those of the others say it themselves, or are UTF-8 by definition. */
const WITH_CHARSET = /^text\/|^application\/(?:x-bibtex|x-ndjson|x-research-info-systems)$/;

/** A media type as a `Content-Type` says it. */
export function withCharset(mediaType: string): string {
  return WITH_CHARSET.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
}

/** A record that was written in a format. */
type WrittenExport = ExportAnswer & { readonly text: string };

/** Writes a record in a format: a large one on the page thread, in the turn of its caller. */
export async function writeExport(
  runLarge: RunLarge,
  request: FastifyRequest,
  reply: FastifyReply,
  write: (mayBeLarge: boolean) => Promise<ExportAnswer>,
): Promise<WrittenExport> {
  const answer = await write(false);
  const { record, text = "" } = answer.text === undefined ? await runLarge(request, reply, () => write(true)) : answer;
  return { record, text };
}

/** Sends a record in a format, or 304 where the client has it. */
export function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  { mediaType }: Pick<RecordFormat, "mediaType">,
  text: string,
): FastifyReply {
  const tag = contentETag(text);
  reply.header("etag", tag).header("vary", "accept").header("content-type", withCharset(mediaType));
  return hasETag(request.headers["if-none-match"], tag) ? reply.code(304).send() : reply.send(text);
}
